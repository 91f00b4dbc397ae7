import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { describeFoundName } from './found-name.schema.ts'
import type { FoundOnMap } from './find-on-map.server.ts'
import type { SearchTexts } from './map-view.schema.ts'
import { findFormPlace, readField, typeInto } from './picker-fields.ts'

/** After the last key, before the server is asked. */
const DEBOUNCE_MS = 180
const LEAST_LETTERS = 2

interface PinFields {
  lat: string
  lng: string
}

interface MapSearchProps {
  /** Holds the text field, and the button that sends it without JavaScript. */
  holder: RefObject<HTMLElement | null>
  /** Names of the form fields that receive what is found, if there are any. */
  fields?: PinFields & {
    /** Filled in if it is empty, or holds what the search before had found. */
    words?: string
    area?: string
  }
  /** False while a line or an area is drawn: the map moves, and no pin. */
  putsPin?: boolean
  texts: SearchTexts
  search: (text: string, signal: AbortSignal) => Promise<readonly FoundOnMap[]>
  onFound: (found: FoundOnMap) => void
}

type Outcome = { found: FoundOnMap } | { fault: 'unknown' | 'failed' }

/**
 * Makes a combobox, as in the ARIA Authoring Practices, of a search field that the server has drawn: suggestions as one types, and the chosen one moves
 * the pin and the map without another page.
 */
export default function MapSearch({ holder, fields, putsPin = true, texts, search, onFound }: MapSearchProps) {
  const own = useId()
  const [found, setFound] = useState<readonly FoundOnMap[]>()
  const [active, setActive] = useState(-1)
  const [outcome, setOutcome] = useState<Outcome>()
  const filledIn = useRef('')
  const asking = useRef<AbortController>(undefined)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const popup = useRef<HTMLDivElement>(null)
  const shownList = useRef<HTMLDivElement>(null)
  const findInput = () => holder.current?.querySelector('input') ?? undefined

  const stopAsking = () => {
    clearTimeout(waiting.current)
    asking.current?.abort()
  }
  const hide = () => {
    clearTimeout(waiting.current)
    setFound(undefined)
    setActive(-1)
  }
  const close = () => {
    stopAsking()
    hide()
  }
  /** Undefined if another question came meanwhile. @throws what the call throws */
  const ask = async (text: string): Promise<readonly FoundOnMap[] | undefined> => {
    stopAsking()
    const stop = new AbortController()
    asking.current = stop
    try {
      const answer = await search(text, stop.signal)
      return stop.signal.aborted ? undefined : answer
    } catch (error) {
      if (stop.signal.aborted) return undefined
      throw error
    }
  }
  const suggest = async (text: string) => {
    // A failed suggestion is not reported. Pressing the button is, if it fails.
    const answer = await ask(text).catch(() => undefined)
    if (!answer || document.activeElement !== findInput()) return
    setFound(answer)
    setActive(-1)
  }
  const take = (chosen: FoundOnMap) => {
    const input = findInput()
    const form = input?.closest('form')
    if (input) input.value = chosen.name
    close()
    setOutcome({ found: chosen })
    if (fields?.words && [filledIn.current, ''].includes(readField(form, fields.words))) {
      typeInto(form, fields.words, chosen.name)
      filledIn.current = chosen.name
    }
    if (fields?.area && chosen.areaId) typeInto(form, fields.area, chosen.areaId)
    if (fields && putsPin) putPin(form, fields, chosen)
    onFound(chosen)
  }
  const putPin = (form: HTMLFormElement | null | undefined, { lat: latField, lng: lngField }: PinFields, { point, box }: FoundOnMap) => {
    const [lng, lat] = (form && findFormPlace(form, latField, lngField)) ?? []
    const isThere = lng !== undefined && lat !== undefined && lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3]
    if (!point && isThere) return
    typeInto(form, lngField, point ? String(point[0]) : '')
    typeInto(form, latField, point ? String(point[1]) : '')
  }
  const find = async () => {
    const text = findInput()?.value.trim()
    if (!text) return findInput()?.focus()
    setFound(undefined)
    try {
      const answer = await ask(text)
      if (!answer) return
      const [best] = answer
      if (best) take(best)
      else setOutcome({ fault: 'unknown' })
    } catch {
      setOutcome({ fault: 'failed' })
    }
  }

  const handleInput = useEffectEvent((event: Event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    const text = event.target.value.trim()
    stopAsking()
    if (text.length < LEAST_LETTERS) return close()
    waiting.current = setTimeout(() => void suggest(text), DEBOUNCE_MS)
  })
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLInputElement) || event.isComposing) return
    const last = (found?.length ?? 0) - 1
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && last >= 0) {
      event.preventDefault()
      if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1)
      else setActive(active <= 0 ? last : active - 1)
    } else if (event.key === 'Enter') {
      // The form is not sent by a search.
      event.preventDefault()
      const chosen = found?.[active]
      if (chosen) take(chosen)
      else void find()
    } else if (event.key === 'Escape' && found) {
      event.preventDefault()
      close()
    }
  })
  const handlePress = useEffectEvent((event: MouseEvent) => {
    if (!(event.target instanceof Element) || !event.target.closest('button')) return
    event.preventDefault()
    void find()
  })
  const handleLeave = useEffectEvent(hide)
  useEffect(() => {
    const element = holder.current
    const input = element?.querySelector('input')
    if (!element || !input) return
    const stop = new AbortController()
    const { signal } = stop
    input.addEventListener('input', (event) => handleInput(event), { signal })
    input.addEventListener('keydown', (event) => handleKey(event), { signal })
    input.addEventListener('blur', () => handleLeave(), { signal })
    element.addEventListener('click', (event) => handlePress(event), { signal })
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('autocomplete', 'off')
    return () => stop.abort()
  }, [holder])
  const stopOnLeaving = useEffectEvent(stopAsking)
  useEffect(() => () => stopOnLeaving(), [])
  const isOpen = found !== undefined && found.length > 0
  useEffect(() => {
    const input = holder.current?.querySelector('input')
    input?.setAttribute('aria-expanded', String(isOpen))
    setOrRemove(input, 'aria-controls', isOpen && `${own}list`)
    setOrRemove(input, 'aria-activedescendant', isOpen && active >= 0 && `${own}${active}`)
    shownList.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [holder, own, isOpen, active])
  // Right below the field, over the button that stands there on a narrow screen.
  useLayoutEffect(() => {
    const [input, list] = [holder.current?.querySelector('input'), popup.current]
    if (!isOpen || !input || !list?.parentElement) return
    list.style.insetBlockStart = `${input.getBoundingClientRect().bottom - list.parentElement.getBoundingClientRect().top}px`
  }, [holder, isOpen])

  return (
    <div className="map-search">
      {isOpen && (
        // A click in it leaves the focus in the field, where keys are handled. No element of HTML is a list that a script fills.
        // oxlint-disable jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role
        <div ref={popup} className="list-field-found" onMouseDown={(event) => event.preventDefault()}>
          <div ref={shownList} id={`${own}list`} role="listbox" aria-label={texts.suggestions}>
            {found.map((each, index) => (
              <div
                key={`${each.name} ${each.note} ${index}`}
                id={`${own}${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                data-active={index === active ? true : undefined}
                onClick={() => take(each)}
              >
                {describeFoundName(each)}
              </div>
            ))}
          </div>
        </div>
        // oxlint-enable jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role
      )}
      <output className="visually-hidden">{found && (isOpen ? texts.count(found.length) : texts.none)}</output>
      <output className={outcome && 'fault' in outcome ? 'field-error' : undefined}>{outcome && describeOutcome(outcome, texts)}</output>
    </div>
  )
}

function setOrRemove(element: Element | null | undefined, name: string, value: string | false): void {
  if (value) element?.setAttribute(name, value)
  else element?.removeAttribute(name)
}

function describeOutcome(outcome: Outcome, texts: SearchTexts): string {
  if ('fault' in outcome) return texts[outcome.fault]
  const { found } = outcome
  const name = describeFoundName(found)
  return found.isWithoutNumber ? texts.withoutNumber(name) : texts.found(name)
}
