import { useRef } from 'react'
import type { Spot } from '#app/lib/map-picture.ts'

/** A press that moves less is a press. */
const SLACK_PX = 6
/** The map gets closer, or farther, each time two fingers are so many times as far from each other. */
const PINCH = 1.5

interface Gestures {
  /** Pixels since the last time. */
  onDrag: (right: number, down: number) => void
  onDragEnd?: () => void
  /** @param middle between both fingers as they were put down, in pixels of the window */
  onZoom: (direction: 'nearer' | 'farther', middle: Spot) => void
  /** False for what has gestures of its own, such as a pin. */
  isForMap?: (target: Element) => boolean
}

/** Of the browser or of React. */
interface Pressed {
  button: number
  pointerId: number
  clientX: number
  clientY: number
  target: EventTarget | null
  currentTarget: EventTarget | null
}

/** Moves a map by pointer and zooms it by two fingers. Add what it returns to the element. */
export function useMapGestures({ onDrag, onDragEnd, onZoom, isForMap }: Gestures) {
  const pointers = useRef(new Map<number, Spot>())
  const state = useRef<{ moved: number; isDragged: boolean; gap: number; middle: Spot }>({
    moved: 0,
    isDragged: false,
    gap: 0,
    middle: [0, 0],
  })
  const measureGap = () => {
    const [one, other] = [...pointers.current.values()]
    return one && other ? Math.hypot(one[0] - other[0], one[1] - other[1]) : 0
  }
  const findMiddle = (): Spot => {
    const [one = [0, 0], other = one] = [...pointers.current.values()]
    return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2]
  }
  const endPointer = (event: Pressed) => {
    if (!pointers.current.delete(event.pointerId)) return
    state.current.gap = 0
    if (pointers.current.size === 0 && state.current.isDragged) onDragEnd?.()
  }
  return {
    onPointerDown: (event: Pressed) => {
      if (event.button !== 0 || !(event.target instanceof Element) || isForMap?.(event.target) === false) return
      if (pointers.current.size === 0) Object.assign(state.current, { moved: 0, isDragged: false })
      pointers.current.set(event.pointerId, [event.clientX, event.clientY])
      // Fingers move one after the other: between two events, the middle is beside where it was and will be.
      Object.assign(state.current, { gap: measureGap(), middle: findMiddle() })
    },
    onPointerMove: (event: Pressed) => {
      const last = pointers.current.get(event.pointerId)
      if (!last) return
      const [right, down] = [event.clientX - last[0], event.clientY - last[1]]
      pointers.current.set(event.pointerId, [event.clientX, event.clientY])
      state.current.moved += Math.hypot(right, down)
      if (state.current.moved < SLACK_PX) return
      // Only now: a captured pointer would press the map instead of a link on it.
      if (!state.current.isDragged && event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId)
      state.current.isDragged = true
      const gap = measureGap()
      if (!gap) return onDrag(right, down)
      if (gap > state.current.gap * PINCH || gap * PINCH < state.current.gap) {
        onZoom(gap > state.current.gap ? 'nearer' : 'farther', state.current.middle)
        state.current.gap = gap
      }
    },
    onPointerUp: endPointer,
    onPointerCancel: endPointer,
    /** What was dragged is not pressed too. */
    onClickCapture: (event: Pick<Event, 'preventDefault' | 'stopPropagation'>) => {
      if (!state.current.isDragged) return
      state.current.isDragged = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
