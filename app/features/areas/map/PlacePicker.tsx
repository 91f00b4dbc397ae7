import { useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Box } from '#app/lib/geometry.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { FindPlace } from '#app/ui/find-place.tsx'
import { searchMap } from '../area-map.functions.ts'
import { areaMapQuery } from '../area-map.queries.ts'
import { type AreaMap, isDrawable } from '../area-map.schema.ts'
import { AreaBackdrop, useWidth } from './AreaBackdrop.tsx'
import { isPointInside, type Point } from '../polygons.schema.ts'
import { ARROW_STEP, ARROWS, findStart, findWindow, moveSpot, ZOOM_KEYS, ZOOMS } from './map-moves.schema.ts'
import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import type { FoundOnMap } from './find-on-map.server.ts'
import { createMapView, createWholeView, type PickerTexts, type SearchTexts } from './map-view.schema.ts'
import { findFormPlace, typeInto } from './picker-fields.ts'
import { useMapGestures } from '#app/ui/use-map-gestures.ts'

const MapSearch = lazy(() => import('./MapSearch.tsx'))
const POSITION_TIMEOUT_MS = 10_000

interface PlacePickerProps {
  /** Names of the form fields that receive the point, unless `held` does. */
  lat?: string
  lng?: string
  /** The point as an editor holds it. What a search finds is for the editor to take. */
  held?: { place: Point | undefined; onChange: (place: Point | undefined) => void; onFound: (found: FoundOnMap) => void }
  /** Shows all that the streets cover too, not only the areas. */
  isWhole?: boolean
  texts: PickerTexts
  /** The search above the map: its own field, and the one for words about the place, which a find fills in if it is empty. */
  search?: { name: string; words?: string; texts: SearchTexts; typed?: string | undefined; error?: string | undefined } | undefined
  /** What to show first. */
  focus?: Box | undefined
  /** What lies above the areas, in units of the whole picture. */
  drawLayers?: (zoom: number) => ReactNode
}

/**
 * The site's areas, to pick a point by mouse, finger, arrow keys or the device's position; the pin can be dragged. The fields beside it do the same, and nothing is loaded from third
 * parties.
 */
export default function PlacePicker(props: PlacePickerProps) {
  const { data: map } = useQuery(areaMapQuery)
  return map && isDrawable(map) ? <AreaPicture map={map} {...props} /> : null
}

function AreaPicture({ map, lat = '', lng = '', held, isWhole, texts, search, focus, drawLayers }: PlacePickerProps & { map: AreaMap }) {
  const hint = useId()
  const holder = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState<Point>()
  const place = held ? held.place : typed
  const shown = useWidth(holder)
  const view = useMemo(() => (isWhole ? createWholeView(map) : createMapView(map)), [map, isWhole])
  const start = useMemo(() => findStart(view, focus), [view, focus])
  const [zoom, setZoom] = useState(start.zoom)
  /** What is in the middle while the pin is dragged: the map keeps still below it. */
  const [dragged, setDragged] = useState<Spot>()
  const [hasFailed, setFailed] = useState(false)
  /** What is in the middle since something was found, or the map was moved. */
  const [found, setFound] = useState<Spot>()
  const spot = place && view.spotOf(place)
  const middle = dragged ?? found ?? spot ?? start.middle
  const changeZoom = (direction: 'nearer' | 'farther') =>
    setZoom((last) => Math.min(ZOOMS.at(-1) ?? 1, Math.max(1, direction === 'nearer' ? last * 2 : last / 2)))
  const gestures = useMapGestures({
    onDrag: (right, down) => {
      const unit = PICTURE_SIZE.width / zoom / (shown || PICTURE_SIZE.width)
      setFound((last) => moveSpot(last ?? middle, [-right, -down], unit))
    },
    onZoom: (direction, middleOfFingers) => {
      const box = holder.current?.querySelector('svg[role="application"]')?.getBoundingClientRect()
      const next = direction === 'nearer' ? zoom * 2 : zoom / 2
      if (box && next >= 1 && next <= (ZOOMS.at(-1) ?? 1)) {
        const [right, down] = [(middleOfFingers[0] - box.left) / box.width - 0.5, (middleOfFingers[1] - box.top) / box.height - 0.5]
        const shown = findWindow(middle, zoom)
        const centre: Spot = [shown.left + shown.width / 2, shown.top + shown.height / 2]
        setFound(moveSpot(centre, [right * shown.width, down * shown.height], 1 - zoom / next))
      }
      changeZoom(direction)
    },
    isForMap: (target) => !target.closest('.place-picker-point'),
  })

  useEffect(() => {
    const form = holder.current?.closest('form')
    if (!form || !lat) return
    const readPlace = () => setTyped(findFormPlace(form, lat, lng))
    readPlace()
    form.addEventListener('input', readPlace)
    return () => form.removeEventListener('input', readPlace)
  }, [lat, lng])

  const putPlace = (next: Point | undefined) => {
    setFound(undefined)
    if (held) return held.onChange(next)
    const form = holder.current?.closest('form')
    typeInto(form, lng, String(next?.[0] ?? ''))
    typeInto(form, lat, String(next?.[1] ?? ''))
  }
  const showFound = (each: FoundOnMap) => {
    const { box, point } = each
    held?.onFound(each)
    const { zoom: closer, middle } = findStart(view, box)
    setZoom(closer)
    setFound(point ? undefined : middle)
  }
  const putPosition = ({ coords }: GeolocationPosition) => {
    setFailed(false)
    putPlace([roundDegrees(coords.longitude), roundDegrees(coords.latitude)])
  }
  const putPlaceAt = (event: MouseEvent<SVGSVGElement>) => {
    const toPicture = event.currentTarget.getScreenCTM()?.inverse()
    if (!toPicture) return
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toPicture)
    putPlace(view.placeAt([x, y]))
  }
  const startDrag = (event: PointerEvent<SVGSVGElement>) => {
    if (!spot || !(event.target instanceof Element) || !event.target.closest('.place-picker-point')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragged(spot)
  }
  const handleKey = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    const direction = ZOOM_KEYS[event.key]
    if (direction) changeZoom(direction)
    if (!arrow) return
    event.preventDefault()
    putPlace(view.placeAt(moveSpot(spot ?? start.middle, arrow, spot ? ARROW_STEP / zoom : 0)))
  }
  const window = findWindow(middle, zoom)
  const area = place && map.areas.find(({ rings }) => isPointInside(place, rings))
  const point = place && `${place[1]}, ${place[0]}`
  return (
    <div className="place-picker" ref={holder}>
      {search && (
        // The button does nothing without the search, so they come together.
        <Suspense>
          <div ref={searchField}>
            <FindPlace
              field={{ name: search.name, label: search.texts.label, hint: search.texts.hint, error: search.error }}
              typed={search.typed}
            >
              <button type="button" className={getButtonClass({ kind: 'secondary' })}>
                {search.texts.button}
              </button>
            </FindPlace>
          </div>
          <MapSearch
            holder={searchField}
            fields={{ lat, lng, ...(search.words && { words: search.words }) }}
            putsPin={!held}
            texts={search.texts}
            search={(text, signal) => searchMap({ data: { text }, signal })}
            onFound={showFound}
          />
        </Suspense>
      )}
      <p className="field-hint" id={hint}>
        {texts.hint}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes presses and keys */}
      <svg
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an application takes the keys
        tabIndex={0}
        aria-label={texts.map}
        aria-describedby={hint}
        className={map.streets && 'place-picker-streets'}
        viewBox={`${window.left} ${window.top} ${window.width} ${window.height}`}
        onClick={putPlaceAt}
        onClickCapture={gestures.onClickCapture}
        onPointerDown={(event) => {
          startDrag(event)
          gestures.onPointerDown(event)
        }}
        onPointerMove={(event) => {
          if (dragged) putPlaceAt(event)
          else gestures.onPointerMove(event)
        }}
        onPointerUp={(event) => {
          setDragged(undefined)
          gestures.onPointerUp(event)
        }}
        onPointerCancel={(event) => {
          setDragged(undefined)
          gestures.onPointerCancel(event)
        }}
        onKeyDown={handleKey}
      >
        <AreaBackdrop map={map} view={view} zoom={zoom} window={window} shown={shown} chosen={area?.name} drawLayers={drawLayers} />
        {spot && (
          <g className="place-picker-point" transform={`translate(${spot[0]} ${spot[1]}) scale(${1 / zoom})`}>
            <path className="place-picker-pin" d="M0 0-9-12a13 13 0 1 1 18 0Z" />
            <circle cy={-20} r={4} />
          </g>
        )}
      </svg>
      <div className="place-picker-tools">
        <Button kind="secondary" size="small" type="button" disabled={zoom === ZOOMS.at(-1)} onClick={() => changeZoom('nearer')}>
          {texts.nearer}
        </Button>
        <Button kind="secondary" size="small" type="button" disabled={zoom === 1} onClick={() => changeZoom('farther')}>
          {texts.farther}
        </Button>
        {place && (
          <Button kind="plain" size="small" type="button" onClick={() => putPlace(undefined)}>
            {texts.remove}
          </Button>
        )}
        <Button
          kind="plain"
          size="small"
          type="button"
          onClick={() => navigator.geolocation.getCurrentPosition(putPosition, () => setFailed(true), { timeout: POSITION_TIMEOUT_MS })}
        >
          {texts.position}
        </Button>
        <output>{hasFailed ? texts.positionFailed : texts.describe(point, area?.name)}</output>
      </div>
    </div>
  )
}

/** A metre or so: nobody's position is stored more precisely. */
const roundDegrees = (value: number) => Number(value.toFixed(5))
