import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'

interface MoveButtonsProps {
  labels: { up: string; down: string }
  /** Position of the item in the list, from 0. */
  at: number
  count: number
  isPending: boolean
  onMove: (position: number) => void
}

/** Moves an item of a list by one place. */
export function MoveButtons({ labels, at, count, isPending, onMove }: MoveButtonsProps) {
  return ([-1, 1] as const).map((step) => (
    <button
      key={step}
      type="button"
      className="icon-button"
      aria-label={step < 0 ? labels.up : labels.down}
      disabled={isPending || at + step < 0 || at + step >= count}
      onClick={() => onMove(at + step)}
    >
      <AdminIcon name={step < 0 ? 'move-up' : 'move-down'} />
    </button>
  ))
}
