import { useState } from 'react'
import { fieldId, FieldGroup, type FieldProps } from '../field.tsx'
import { instantOf, wallTime, type WallTime } from './zoned-time.ts'

interface DateTimeFieldProps extends Omit<FieldProps, 'labelSize' | 'heading'> {
  /** ISO 8601 in UTC, or undefined for none. */
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** The site's time zone, as IANA names it. */
  zone: string
  dateLabel: string
  timeLabel: string
  /** The moment in full, with its zone: "Monday 14 December 2026 at 17:00, Toronto time". */
  describe: (instant: string) => string
  clearLabel: string
}

/** A moment as the site's own clock shows it, wherever the administrator sits. What it comes to is written below. */
export function DateTimeField({ value, onChange, zone, dateLabel, timeLabel, describe, clearLabel, ...field }: DateTimeFieldProps) {
  const [draft, setDraft] = useState<WallTime>()
  const id = fieldId(field)
  const typed = draft && instantOf(draft, zone) === value ? draft : wallTime(value, zone)
  const change = (part: Partial<WallTime>) => {
    const next = { ...typed, ...part }
    setDraft(next)
    onChange(instantOf(next, zone))
  }
  const invalid = field.error ? (true as const) : undefined
  return (
    <FieldGroup field={field} describing={`${id}-moment`}>
      <div className="date-time">
        <input
          className="input"
          id={id}
          type="date"
          aria-label={dateLabel}
          aria-invalid={invalid}
          required={field.required}
          value={typed.date}
          onChange={(event) => change({ date: event.currentTarget.value })}
        />
        <input
          className="input"
          id={`${id}-time`}
          type="time"
          aria-label={timeLabel}
          aria-invalid={invalid}
          required={field.required}
          value={typed.time}
          onChange={(event) => change({ time: event.currentTarget.value })}
        />
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
        {value && describe(value)}
      </output>
    </FieldGroup>
  )
}
