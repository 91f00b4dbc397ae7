import { useEffect, useRef } from 'react'
import { AdminIcon } from './admin-icon.tsx'

interface MoveButtonsProps {
  labels: { up: string; down: string }
  /** Position of the item in the list, from 0. */
  at: number
  count: number
  isPending: boolean
  onMove: (position: number) => void
}

/** Moves an item of a list by one place. The focus goes along with the item, so that it can be moved on with the same key. */
export function MoveButtons({ labels, at, count, isPending, onMove }: MoveButtonsProps) {
  const buttons = useRef(new Map<number, HTMLButtonElement>())
  const pressed = useRef<number>(undefined)
  const canMove = (step: number) => at + step >= 0 && at + step < count
  useEffect(() => {
    const step = pressed.current
    pressed.current = undefined
    // The browser drops the focus of what is moved in the page or disabled.
    if (step === undefined || document.activeElement !== document.body) return
    const next = at + step >= 0 && at + step < count ? step : -step
    buttons.current.get(next)?.focus()
  }, [at, count])
  return ([-1, 1] as const).map((step) => (
    <button
      key={step}
      ref={(button) => {
        if (button) buttons.current.set(step, button)
      }}
      type="button"
      className="icon-button"
      aria-label={step < 0 ? labels.up : labels.down}
      disabled={!canMove(step)}
      aria-disabled={isPending}
      onClick={() => {
        if (isPending) return
        pressed.current = step
        onMove(at + step)
      }}
    >
      <AdminIcon name={step < 0 ? 'move-up' : 'move-down'} />
    </button>
  ))
}
