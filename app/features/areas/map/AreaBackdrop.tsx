import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { AreaMap } from '../area-map.schema.ts'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import { StreetBackdrop } from './StreetBackdrop.tsx'
import { type MapView, measureLabelBox, type PicturePart, toSvgOutline } from './map-view.schema.ts'

const LETTERS_PX = { narrow: 11, wide: 13 }
const NARROW_PX = 420
/** Width of a letter as a fraction of its height. */
const LETTER_WIDTH = 0.52

interface AreaBackdropProps {
  map: AreaMap
  view: MapView
  zoom: number
  /** What is shown of the picture. */
  window: PicturePart
  /** Width on screen, in pixels; 0 until that is known. */
  shown: number
  /** The name of the area to mark. */
  chosen?: string | undefined
  /** What lies above the areas and below their names, in units of the whole picture. */
  drawLayers?: ((zoom: number) => ReactNode) | undefined
}

/** Areas behind what is put on them, with their names. */
export function AreaBackdrop({ map, view, zoom, window, shown, chosen, drawLayers }: AreaBackdropProps) {
  const letters = ((shown < NARROW_PX ? LETTERS_PX.narrow : LETTERS_PX.wide) * PICTURE_SIZE.width) / (shown || PICTURE_SIZE.width) / zoom
  return (
    <>
      {map.streets && <StreetBackdrop view={view} window={window} />}
      {map.areas.map(({ name, rings }) => (
        <path key={name} d={toSvgOutline(view, rings)} data-chosen={chosen === name || undefined} />
      ))}
      {drawLayers?.(zoom)}
      {map.areas.map(({ name, rings }) => {
        const { middle, width: room } = measureLabelBox(view, rings)
        // A name that does not fit into its area would overlap the next: it appears below once the point is in the area.
        if (name.length * LETTER_WIDTH * letters > room) return null
        return (
          <text key={name} x={middle[0]} y={middle[1]} fontSize={letters} strokeWidth={letters / 4}>
            {name}
          </text>
        )
      })}
    </>
  )
}

/** Width of an element on screen, in pixels; 0 until it is rendered. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
