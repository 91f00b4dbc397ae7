import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject } from 'react'

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
  /** Bulk actions: small buttons. */
  actions?: ReactNode
}

export interface ChosenRows<Row> {
  ids: ReadonlySet<string>
  /** The rows as currently shown, or as they were on the page where they were selected. */
  rows: readonly Row[]
  onChange: (ids: ReadonlySet<string>) => void
}

/** Selects rows across pages. Keeps whole rows, so that bulk actions can name them. */
export function useChosenRows<Row>(inView: readonly Row[], rowKey: (row: Row) => string): ChosenRows<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const fresh = new Map(inView.map((row) => [rowKey(row), row]))
  const findRow = (id: string) => fresh.get(id) ?? chosen.get(id)
  return {
    ids: new Set(chosen.keys()),
    rows: [...chosen].map(([id, row]) => fresh.get(id) ?? row),
    onChange: (ids) =>
      setChosen(
        new Map(
          [...ids].flatMap((id) => {
            const row = findRow(id)
            return row === undefined ? [] : [[id, row] as const]
          }),
        ),
      ),
  }
}

/** When the selection is cleared, its bar disappears: focus lost with it moves to this cell's checkbox. */
export function useFocusAfterSelection(cell: RefObject<HTMLElement | null>, chosen: number): void {
  const before = useRef(chosen)
  useEffect(() => {
    const ended = before.current > 0 && chosen === 0
    before.current = chosen
    if (!ended) return undefined
    // A closing dialog restores focus in the next frame; so check in the one after.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body) cell.current?.querySelector('input')?.focus()
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [cell, chosen])
}

/** If the focused row is removed, moves focus to the table instead of losing it. */
export function useFocusAfterRemoval(panel: RefObject<HTMLElement | null>, rows: number): void {
  const before = useRef(rows)
  useEffect(() => {
    const fewer = rows < before.current
    before.current = rows
    if (!fewer) return undefined
    // As above: a confirmation dialog restores focus to an element that no longer exists.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body) panel.current?.focus()
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [panel, rows])
}

/** Selects one row, all rows of a page or, with Shift, a range. */
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

/** Moves focus from a control in one row to the same control in the row above or below. */
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
