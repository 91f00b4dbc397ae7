import { useState } from 'react'
import { buildControlProps, Field, getFieldId, type FieldProps } from './field.tsx'

interface CharacterCount {
  max: number
  /** Shown until the count runs, and for good without a script: "You can write up to 500 characters". */
  rule: string
  /** How many are left; below zero, how many too many. */
  left: (characters: number) => string
}

interface TextAreaProps extends FieldProps {
  defaultValue?: string | undefined
  rows?: number
  count?: CharacterCount
}

/** Grows with what is written in it. Past the limit it still takes every word: nothing typed is cut off. */
export function TextArea({ defaultValue, rows = 5, count, ...field }: TextAreaProps) {
  const countId = `${getFieldId(field)}-count`
  const [length, setLength] = useState<number>()
  const left = count && length !== undefined ? count.max - length : undefined
  return (
    <Field
      field={field}
      after={
        count && (
          <>
            <p
              className="field-count"
              data-over={left !== undefined && left < 0 ? true : undefined}
              aria-hidden={left !== undefined || undefined}
            >
              {left === undefined ? <span id={countId}>{count.rule}</span> : count.left(left)}
            </p>
            {left !== undefined && (
              <>
                <span className="visually-hidden" id={countId}>
                  {count.rule}
                </span>
                <output className="visually-hidden">{toSpokenCount(left, count)}</output>
              </>
            )}
          </>
        )
      }
    >
      <textarea
        {...buildControlProps(field, count && countId)}
        className="input"
        rows={rows}
        defaultValue={defaultValue}
        onInput={count && ((event) => setLength(Array.from(event.currentTarget.value).length))}
      />
    </Field>
  )
}

/** Read out only where it matters, and in steps, so that a screen reader does not speak at each key. */
function toSpokenCount(left: number, { max, left: words }: CharacterCount): string | undefined {
  const near = left <= Math.max(20, max * 0.1)
  if (!near) return undefined
  return words(left < 0 ? left : Math.ceil(left / 10) * 10)
}
