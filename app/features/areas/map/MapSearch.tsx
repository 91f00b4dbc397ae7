import { useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { FindPlace } from '#app/ui/find-place.tsx'
import { searchMap } from '../area-map.functions.ts'
import type { FoundOnMap } from './find-on-map.server.ts'
import type { SearchTexts } from './map-view.schema.ts'

interface MapSearchProps {
  name: string
  texts: SearchTexts
  typed?: string | undefined
  error?: string | undefined
  onFound: (found: FoundOnMap) => void
}

/** Finds an area, a postcode or an address, without leaving the page. */
export function MapSearch({ name, texts, typed, error, onFound }: MapSearchProps) {
  const holder = useRef<HTMLDivElement>(null)
  const [outcome, setOutcome] = useState<{ found: string } | { fault: string } | undefined>(error ? { fault: error } : undefined)
  const find = async () => {
    const text = holder.current?.querySelector('input')?.value.trim()
    if (!text) return
    const found = await searchMap({ data: { text } }).catch(() => null)
    setOutcome(found ? { found: texts.found(found.name) } : { fault: texts.unknown })
    if (found) onFound(found)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the Enter key of its field
    <div
      ref={holder}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        void find()
      }}
    >
      <FindPlace
        field={{ name, label: texts.label, hint: texts.hint, error: outcome && 'fault' in outcome ? outcome.fault : undefined }}
        typed={typed}
      >
        <Button kind="secondary" type="button" onClick={() => void find()}>
          {texts.button}
        </Button>
      </FindPlace>
      <output>{outcome && 'found' in outcome ? outcome.found : ''}</output>
    </div>
  )
}
