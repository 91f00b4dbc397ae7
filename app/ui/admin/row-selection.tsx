import { useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'

export interface Selection<Row> {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  /** "Select all on this page" */
  allLabel: string
  /** "Select A library for Northgate" */
  rowLabel: (row: Row) => string
  /** "3 selected" */
  summary: (count: number) => ReactNode
  clearLabel: string
  /** What can be done with them: small buttons. */
  actions?: ReactNode
}

/** Selecting one row, all of a page, or with Shift every row between two. */
export function useRangeSelection<Row>(keys: readonly string[], selection: Selection<Row> | undefined) {
  const last = useRef<string>(undefined)
  const selected = selection?.selected ?? new Set<string>()
  const count = keys.filter((key) => selected.has(key)).length
  return {
    all: keys.length > 0 && count === keys.length,
    some: count > 0 && count < keys.length,
    toggle: (key: string, extend: boolean) => {
      const from = extend && last.current !== undefined ? keys.indexOf(last.current) : -1
      const to = keys.indexOf(key)
      const touched = from < 0 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1)
      const next = new Set(selected)
      const adding = !selected.has(key)
      for (const each of touched) {
        if (adding) next.add(each)
        else next.delete(each)
      }
      last.current = key
      selection?.onChange(next)
    },
    toggleAll: () => {
      const next = new Set(selected)
      const adding = count < keys.length
      for (const key of keys) {
        if (adding) next.add(key)
        else next.delete(key)
      }
      selection?.onChange(next)
    },
  }
}

interface RowCheckboxProps {
  label: string
  checked: boolean
  mixed?: boolean
  onToggle: (extend: boolean) => void
}

export function RowCheckbox({ label, checked, mixed = false, onToggle }: RowCheckboxProps) {
  const extend = useRef(false)
  const noteShift = (event: MouseEvent | KeyboardEvent) => {
    extend.current = event.shiftKey
  }
  return (
    <label className="row-checkbox">
      <span className="visually-hidden">{label}</span>
      <input
        type="checkbox"
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = mixed
        }}
        onClick={noteShift}
        onKeyDown={noteShift}
        onChange={() => onToggle(extend.current)}
      />
    </label>
  )
}

const REACHABLE = 'a[href], button:not([disabled]), input:not([disabled])'
const STEPS: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** Carries the focus from a control of one row to the same control of the row above or below. */
export function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = STEPS[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  const control = event.target instanceof HTMLElement ? event.target.closest(REACHABLE) : null
  const row = control?.closest('tr')
  if (!control || !row || control.getAttribute('aria-haspopup') || (control instanceof HTMLInputElement && control.type !== 'checkbox'))
    return
  const place = Array.from(row.querySelectorAll(REACHABLE)).indexOf(control)
  const rows = Array.from(event.currentTarget.rows)
  const next = rows[rows.indexOf(row) + step]?.querySelectorAll<HTMLElement>(REACHABLE)[place]
  if (!next) return
  event.preventDefault()
  next.focus()
}
