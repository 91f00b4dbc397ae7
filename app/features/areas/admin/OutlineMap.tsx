import { useMemo, useRef } from 'react'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import type { AreaMap } from '../area-map.schema.ts'
import { AreaBackdrop, useWidth } from '../map/AreaBackdrop.tsx'
import { createBoxView, measureBox } from '../map/map-view.schema.ts'

const WHOLE = { left: 0, top: 0, ...PICTURE_SIZE }

/** Areas above the streets of the site, to be looked at. A list beside it says the same in words. */
export function OutlineMap({ map, label }: { map: AreaMap; label: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const shown = useWidth(holder)
  const drawn = useMemo(() => ({ ...map, areas: map.areas.filter(({ rings }) => rings.length > 0) }), [map])
  const view = useMemo(() => createBoxView(measureBox(drawn.areas)), [drawn])
  if (drawn.areas.length === 0) return null
  return (
    <div className="place-picker outline-map" ref={holder}>
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an img cannot show the page's colours */}
      <svg
        role="img"
        aria-label={label}
        className={map.streets && 'place-picker-streets'}
        viewBox={`0 0 ${PICTURE_SIZE.width} ${PICTURE_SIZE.height}`}
      >
        <AreaBackdrop map={drawn} view={view} zoom={1} window={WHOLE} shown={shown} />
      </svg>
      {/* oxlint-enable jsx-a11y/prefer-tag-over-role */}
    </div>
  )
}
