import { useState } from 'react'
import { buildControlProps, Field, getFieldId, type FieldProps } from './field.tsx'

interface CharacterCount {
  max: number
  /** Shown until the counter works, and permanently without scripts: "You can write up to 500 characters". */
  rule: string
  /** Text for the characters left; negative if there are too many. */
  left: (characters: number) => string
}

interface TextAreaProps extends FieldProps {
  defaultValue?: string | undefined
  rows?: number
  count?: CharacterCount
}

/** Grows with its content. It accepts text beyond the limit, so that nothing typed is cut off. */
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

/** Announced only near the limit and in steps, so that a screen reader does not speak at every key. */
function toSpokenCount(left: number, { max, left: words }: CharacterCount): string | undefined {
  const near = left <= Math.max(20, max * 0.1)
  if (!near) return undefined
  return words(left < 0 ? left : Math.ceil(left / 10) * 10)
}
