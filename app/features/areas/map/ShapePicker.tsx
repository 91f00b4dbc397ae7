import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react'
import type { Box } from '#app/lib/geometry.ts'
import { Button } from '#app/ui/button.tsx'
import { areaMapQuery } from '../area-map.queries.ts'
import { type AreaMap, isDrawable } from '../area-map.schema.ts'
import type { Point } from '../polygons.schema.ts'
import { AreaBackdrop, useWidth } from './AreaBackdrop.tsx'
import { ARROW_STEP, ARROWS, findStart, findWindow, moveSpot, ZOOMS } from './map-moves.schema.ts'
import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import { createMapView, createWholeView, type ShapePickerTexts } from './map-view.schema.ts'

interface ShapePickerProps {
  points: readonly Point[]
  /** An area is closed, a line is not. */
  isClosed: boolean
  isFinished: boolean
  /** There are enough points for a press on the first one to finish. */
  canFinish: boolean
  texts: ShapePickerTexts
  /** Of the point that is being moved: the next press or Enter puts it elsewhere. */
  moving?: number | undefined
  onMove?: (at: number, point: Point) => void
  /** A point was pressed, to be moved. */
  onChoose?: (at: number) => void
  /** Shows all that the streets cover too, not only the areas. */
  isWhole?: boolean
  /** What to show first. */
  focus?: Box | undefined
  /** What lies above the areas, in units of the whole picture. */
  drawLayers?: ((zoom: number) => ReactNode) | undefined
  onAdd: (point: Point) => void
  onUndo: () => void
  onFinish: () => void
  onResume: () => void
  /** The crosshair was moved by key. */
  onLook: (point: Point) => void
  /** The map was left by key. */
  onLeave: () => void
}

/** With the Shift key, an arrow key moves this many times further. */
const LARGE_STEPS = 4
/** Half of a target for a finger, in pixels. */
const REACH_PX = 22
/** Share of the shown part, at its edges, in which a point moves the map. */
const EDGE_SHARE = 0.12

/** The site's areas, to draw on point by point: by mouse, finger or keys. */
export default function ShapePicker(props: ShapePickerProps) {
  const { data: map } = useQuery(areaMapQuery)
  return map && isDrawable(map) ? <DrawingPicture map={map} {...props} /> : null
}

function DrawingPicture({ map, points, texts, focus, ...drawing }: ShapePickerProps & { map: AreaMap }) {
  const {
    isClosed,
    isFinished,
    canFinish,
    onAdd,
    onUndo,
    onFinish,
    onResume,
    onLook,
    onLeave,
    drawLayers,
    moving,
    onMove,
    onChoose,
    isWhole,
  } = drawing
  const hint = useId()
  const holder = useRef<HTMLDivElement>(null)
  const tools = useRef<HTMLDivElement>(null)
  const shown = useWidth(holder)
  const view = useMemo(() => (isWhole ? createWholeView(map) : createMapView(map)), [map, isWhole])
  const start = useMemo(() => findStart(view, focus), [view, focus])
  const [zoom, setZoom] = useState(start.zoom)
  const [middle, setMiddle] = useState<Spot>(start.middle)
  const [crosshair, setCrosshair] = useState<Spot>()
  const spots = points.map(view.spotOf)
  const [first] = spots
  const window = findWindow(middle, zoom)
  /** Picture units for each pixel on screen. */
  const unit = window.width / (shown || PICTURE_SIZE.width)

  const keepInSight = ([x, y]: Spot) => {
    const [left, top] = [(x - window.left) / window.width, (y - window.top) / window.height]
    if ([left, top].some((share) => share < EDGE_SHARE || share > 1 - EDGE_SHARE)) setMiddle([x, y])
  }
  const isOnFirst = ([x, y]: Spot) => first !== undefined && Math.hypot(x - first[0], y - first[1]) <= REACH_PX * unit
  // Another point can be put nearer than a finger is wide, as long as points are added.
  const reach = (isFinished ? REACH_PX : REACH_PX / 2) * unit
  const findPressed = ([x, y]: Spot) => spots.findIndex((each) => Math.hypot(x - each[0], y - each[1]) <= reach)
  const putPoint = (spot: Spot) => {
    if (moving !== undefined) return onMove?.(moving, view.placeAt(spot))
    if (isFinished) return
    if (canFinish && isOnFirst(spot)) return onFinish()
    onAdd(view.placeAt(spot))
    keepInSight(spot)
  }
  const handlePress = (event: MouseEvent<SVGSVGElement>) => {
    const toPicture = event.currentTarget.getScreenCTM()?.inverse()
    if (!toPicture) return
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toPicture)
    setCrosshair(undefined)
    const finishes = !isFinished && canFinish && isOnFirst([x, y])
    const pressed = onChoose && moving === undefined && !finishes ? findPressed([x, y]) : -1
    if (pressed >= 0) onChoose?.(pressed)
    else putPoint([x, y])
  }
  const handleKey = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    const at = crosshair ?? spots.at(moving ?? -1) ?? middle
    if (arrow) {
      const next = moveSpot(at, arrow, ((event.shiftKey ? LARGE_STEPS : 1) * ARROW_STEP) / zoom)
      setCrosshair(next)
      keepInSight(next)
      onLook(view.placeAt(next))
    } else if (event.key === 'Enter') {
      setCrosshair(at)
      putPoint(at)
    } else if (event.key === 'Backspace' || event.key === 'Delete') onUndo()
    else if (event.key === 'Escape') {
      setCrosshair(undefined)
      tools.current?.querySelector<HTMLElement>('button:last-of-type')?.focus()
      onLeave()
    } else return
    event.preventDefault()
  }
  const showCrosshair = (event: FocusEvent<SVGSVGElement>) => {
    if (event.currentTarget.matches(':focus-visible')) setCrosshair(spots.at(moving ?? -1) ?? middle)
  }
  const changeZoom = (next: number) => {
    setMiddle(crosshair ?? spots.at(-1) ?? middle)
    setZoom(next)
  }
  return (
    <div className="place-picker shape-picker" ref={holder}>
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
        viewBox={`${window.left} ${window.top} ${window.width} ${window.height}`}
        className={map.streets && 'place-picker-streets'}
        data-finished={isFinished || undefined}
        onClick={handlePress}
        onKeyDown={handleKey}
        onFocus={showCrosshair}
        onBlur={() => setCrosshair(undefined)}
      >
        <AreaBackdrop map={map} view={view} zoom={zoom} window={window} shown={shown} drawLayers={drawLayers} />
        <DrawnPoints spots={spots} unit={unit} isClosed={isClosed} isFinished={isFinished} canFinish={canFinish} moving={moving} />
        {crosshair && (
          <g className="shape-picker-crosshair" transform={`translate(${crosshair.join(' ')}) scale(${unit})`}>
            <path d="M-16 0H-5M5 0H16M0-16V-5M0 5V16" />
            <path d="M-16 0H-5M5 0H16M0-16V-5M0 5V16" />
          </g>
        )}
      </svg>
      <div className="place-picker-tools" ref={tools}>
        <Button kind="secondary" disabled={zoom === ZOOMS.at(-1)} onClick={() => changeZoom(zoom * 2)}>
          {texts.nearer}
        </Button>
        <Button kind="secondary" disabled={zoom === 1} onClick={() => changeZoom(zoom / 2)}>
          {texts.farther}
        </Button>
        <Button kind="secondary" aria-disabled={points.length === 0 || undefined} onClick={onUndo}>
          {texts.undo}
        </Button>
        <Button kind="secondary" onClick={isFinished ? onResume : onFinish}>
          {isFinished ? texts.resume : texts.finish}
        </Button>
      </div>
    </div>
  )
}

interface DrawnPointsProps {
  spots: readonly Spot[]
  unit: number
  isClosed: boolean
  isFinished: boolean
  canFinish: boolean
  moving: number | undefined
}

/** What is drawn so far, with numbered points. The edge that would close an area is thin until it is finished. */
function DrawnPoints({ spots, unit, isClosed, isFinished, canFinish, moving }: DrawnPointsProps) {
  const line = `M${spots.map((spot) => spot.join(' ')).join('L')}`
  return (
    <g className="shape-picker-drawn" data-closed={(isClosed && isFinished) || undefined}>
      {spots.length > 1 && (
        <>
          {isClosed && <path className="shape-picker-closing" d={`${line}Z`} />}
          <path className="shape-picker-line" d={isClosed && isFinished ? `${line}Z` : line} />
        </>
      )}
      {spots.map((spot, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a point is its number
        <g key={at} transform={`translate(${spot.join(' ')}) scale(${unit})`}>
          {at === 0 && canFinish && !isFinished && <circle className="shape-picker-close" r={REACH_PX} />}
          <circle className="shape-picker-point" r={at === moving ? 9 : 5.5} />
          <text y={-10} fontSize={13} strokeWidth={3}>
            {at + 1}
          </text>
        </g>
      ))}
    </g>
  )
}
