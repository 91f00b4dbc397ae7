import { type FocusEvent, type SyntheticEvent, useState } from 'react'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { getFieldId, FieldGroup, type FieldProps } from '../field.tsx'
import { INCOMPLETE, toMoment, toWallTime, type WallTime } from './zoned-time.ts'

/** Texts of every date and time field, in the page's language. */
export interface MomentTexts {
  /** The site's IANA time zone. */
  zone: string
  dateLabel: string
  timeLabel: string
  /** The full date and time with its zone: "Monday 14 December 2026 at 17:00, Toronto time". */
  describe: (instant: string) => string
  clearLabel: string
  /** Error for a date without a time, or a time without a date. */
  halfError: string
}

/** Runs `act` once the pressed key or button is released, so that a layout change cannot move a button away from the pointer. */
function runAfterPress(act: () => void): void {
  const once = new AbortController()
  const runOnce = () => {
    once.abort()
    setTimeout(act)
  }
  for (const end of ['pointerup', 'pointercancel', 'keyup']) window.addEventListener(end, runOnce, { signal: once.signal })
}

interface DateTimeFieldProps extends Omit<FieldProps, 'labelSize' | 'heading'>, MomentTexts {
  /** ISO 8601 in UTC, undefined for none, or incomplete input as typed. */
  value: string | undefined
  /** Called with the same kind of value. Incomplete input is passed on as it is, so that it is refused rather than taken for empty. */
  onChange: (value: string | undefined) => void
  /** The time implied by a date without one; the hint mentions it. */
  timeIfMissing?: string
}

/** A date and time in the site's time zone, wherever the administrator is. The full date is spelled out below. */
export function DateTimeField({
  value,
  onChange,
  zone,
  dateLabel,
  timeLabel,
  describe,
  clearLabel,
  halfError,
  timeIfMissing,
  ...field
}: DateTimeFieldProps) {
  const [draft, setDraft] = useState<WallTime>()
  const [isInside, setInside] = useState(false)
  const id = getFieldId(field)
  const typed = draft && toMoment(draft, zone, timeIfMissing) === value ? draft : toWallTime(value, zone)
  const isHalf = isHalfMoment(value)
  // No error while the focus moves from the date to the time.
  const error = field.error ?? (isHalf && !isInside ? halfError : undefined)
  const changePart = (part: Partial<WallTime>) => {
    const next = { ...typed, ...part }
    setDraft(next)
    onChange(toMoment(next, zone, timeIfMissing))
  }
  // For incomplete input a browser fires no change event and its control has no value.
  const createInputHandler = (part: keyof WallTime) => (event: SyntheticEvent<HTMLInputElement>) => {
    const { validity, value: shown } = event.currentTarget
    const isBegun = validity.badInput
    if (isBegun !== (typed[part] === INCOMPLETE)) changePart({ [part]: isBegun ? INCOMPLETE : shown })
  }
  const renderControl = (part: keyof WallTime, label: string) => (
    <input
      className="input"
      id={part === 'date' ? id : `${id}-${part}`}
      type={part}
      aria-label={label}
      aria-invalid={error ? (true as const) : undefined}
      required={field.required}
      value={typed[part] === INCOMPLETE ? '' : typed[part]}
      onChange={(event) => changePart({ [part]: event.currentTarget.value })}
      onKeyUp={createInputHandler(part)}
      onBlur={createInputHandler(part)}
    />
  )
  return (
    <FieldGroup field={{ ...field, error }} describing={`${id}-moment`}>
      <div
        className="date-time"
        onFocus={() => setInside(true)}
        onBlur={({ currentTarget }: FocusEvent) => runAfterPress(() => setInside(currentTarget.contains(document.activeElement)))}
      >
        {renderControl('date', dateLabel)}
        {renderControl('time', timeLabel)}
        {(typed.date || typed.time) && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setDraft(undefined)
              onChange(undefined)
            }}
          >
            {clearLabel}
          </button>
        )}
      </div>
      <output className="field-hint" id={`${id}-moment`}>
        {value && !isHalf && describe(value)}
      </output>
    </FieldGroup>
  )
}
