import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { useMapGestures } from '#app/ui/use-map-gestures.ts'
import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import type { MapMoves } from '../record/places.schema.ts'
import { findMovedBox } from './move-box.ts'

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

/** More at once would leave nothing of the picture to see. */
const MOST_STEPS = 3

interface MapMoverProps {
  frame: RefObject<HTMLElement | null>
  moves: MapMoves
}

/** Moves the map of places by pointer, two fingers, keys and its links, without a new page: each move asks for one view. */
export default function MapMover({ frame, moves }: MapMoverProps) {
  const navigate = useNavigate()
  const moved = useRef<[right: number, down: number]>([0, 0])
  /** How often two fingers made the map twice as large, or half; and where their middle is, in shares of the picture. */
  const pinched = useRef<{ steps: number; at: Spot }>({ steps: 0, at: [0.5, 0.5] })
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
    if (!picture) return
    const [right, down] = moved.current
    const { steps, at } = pinched.current
    picture.style.transformOrigin = `${at[0] * 100}% ${at[1] * 100}%`
    picture.style.transform = right || down || steps ? `translate(${right}px, ${down}px) scale(${2 ** steps})` : ''
  }
  const gestures = useMapGestures({
    onDrag: (right, down) => {
      moved.current = [moved.current[0] + right, moved.current[1] + down]
      slide()
    },
    // One view for all that the fingers did.
    onDragEnd: () => {
      const width = frame.current?.clientWidth
      const [right, down] = moved.current
      if (!width || !(right || down || pinched.current.steps)) return
      const scale = PICTURE_SIZE.width / width
      moveTo(findMovedBox(moves, { right: right * scale, down: down * scale, ...pinched.current }))
    },
    onZoom: (direction, [x, y]) => {
      const box = frame.current?.getBoundingClientRect()
      if (!box || !moves[direction]) return
      const { steps } = pinched.current
      const next = Math.max(moves.farther ? -1 : 0, Math.min(moves.nearer ? MOST_STEPS : 0, steps + (direction === 'nearer' ? 1 : -1)))
      pinched.current = { steps: next, at: [(x - box.left) / box.width, (y - box.top) / box.height] }
      slide()
    },
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
    pinched.current = { steps: 0, at: [0.5, 0.5] }
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
