import { useCallback, useRef, useState } from 'react'

const ONE_STEP_MS = 900
const MAX_STEPS = 200

interface Steps<Value> {
  past: Value[]
  now: Value
  future: Value[]
}

/** A value with undo and redo. Uninterrupted typing in one place is one step. @param next what `first` has been changed to already */
export function useHistory<Value>(first: Value, next?: Value) {
  const [steps, setSteps] = useState<Steps<Value>>(
    next === undefined ? { past: [], now: first, future: [] } : { past: [first], now: next, future: [] },
  )
  const last = useRef({ place: '', at: 0 })

  const change = useCallback((next: Value | ((now: Value) => Value), place = '') => {
    const at = Date.now()
    const isSameStep = place !== '' && last.current.place === place && at - last.current.at < ONE_STEP_MS
    last.current = { place, at }
    setSteps(({ past, now }) => {
      const value = typeof next === 'function' ? (next as (now: Value) => Value)(now) : next
      return { past: isSameStep ? past : [...past, now].slice(-MAX_STEPS), now: value, future: [] }
    })
  }, [])
  const undo = useCallback(() => {
    last.current.place = ''
    setSteps((held) => {
      const before = held.past.at(-1)
      return before === undefined ? held : { past: held.past.slice(0, -1), now: before, future: [held.now, ...held.future] }
    })
  }, [])
  const redo = useCallback(() => {
    last.current.place = ''
    setSteps((held) => {
      const [next, ...future] = held.future
      return next === undefined ? held : { past: [...held.past, held.now], now: next, future }
    })
  }, [])
  return { now: steps.now, change, undo, redo, canUndo: steps.past.length > 0, canRedo: steps.future.length > 0 }
}
