import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { useMapGestures } from '#app/ui/use-map-gestures.ts'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import type { MapMoves } from '../record/places.schema.ts'

type Move = Exclude<keyof MapMoves, 'shown' | 'unit'>

const KEYS: Readonly<Record<string, Move>> = {
  '+': 'nearer',
  '=': 'nearer',
  '-': 'farther',
  ArrowLeft: 'west',
  ArrowRight: 'east',
  ArrowUp: 'north',
  ArrowDown: 'south',
}

interface MapMoverProps {
  frame: RefObject<HTMLElement | null>
  moves: MapMoves
}

/** Moves the map of places by pointer, two fingers, keys and its links, without a new page: each move asks for one view. */
export default function MapMover({ frame, moves }: MapMoverProps) {
  const navigate = useNavigate()
  const moved = useRef<[right: number, down: number]>([0, 0])
  const moveTo = (bbox: string | undefined) => {
    if (!bbox) return
    void navigate({
      to: '.',
      search: ((last: object) => ({ ...last, bbox, only: undefined, find: undefined, page: undefined })) as never,
      resetScroll: false,
      replace: true,
    })
  }
  const slide = () => {
    const picture = frame.current?.querySelector('svg')
    const [right, down] = moved.current
    if (picture) picture.style.transform = right || down ? `translate(${right}px, ${down}px)` : ''
  }
  const gestures = useMapGestures({
    onDrag: (right, down) => {
      moved.current = [moved.current[0] + right, moved.current[1] + down]
      slide()
    },
    onDragEnd: () => {
      const width = frame.current?.clientWidth
      if (!width) return
      const [right, down] = moved.current.map((pixels) => (pixels * PICTURE_SIZE.width) / width) as [number, number]
      const { lng, lat } = moves.unit
      const shift = [-right * lng, down * lat, -right * lng, down * lat]
      moveTo(moves.shown.map((edge, at) => Number((edge + (shift[at] ?? 0)).toFixed(6))).join())
    },
    onZoom: (direction) => moveTo(moves[direction]),
  })
  const handleKey = (event: KeyboardEvent) => {
    const move = KEYS[event.key]
    if (!move || event.altKey || event.ctrlKey || event.metaKey || !moves[move]) return
    event.preventDefault()
    moveTo(moves[move])
  }
  const handleLink = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-move]') : null
    const move = link?.dataset['move'] as Move | undefined
    if (!move || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    moveTo(moves[move])
  }
  // The new view stands where the old one was moved to.
  useEffect(() => {
    moved.current = [0, 0]
    slide()
  })
  useEffect(() => {
    const map = frame.current
    const links = map?.parentElement?.querySelector<HTMLElement>('.places-map-moves')
    if (!map || !links) return
    const stop = new AbortController()
    const { signal } = stop
    map.setAttribute('data-movable', '')
    for (const [name, handle] of [
      ['pointerdown', gestures.onPointerDown],
      ['pointermove', gestures.onPointerMove],
      ['pointerup', gestures.onPointerUp],
      ['pointercancel', gestures.onPointerCancel],
    ] as const)
      map.addEventListener(name, handle, { signal })
    map.addEventListener('click', gestures.onClickCapture, { capture: true, signal })
    map.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
    for (const each of [map, links]) each.addEventListener('keydown', handleKey, { signal })
    links.addEventListener('click', handleLink, { signal })
    return () => stop.abort()
  })
  return null
}
