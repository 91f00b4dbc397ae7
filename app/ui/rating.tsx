import type { CSSProperties } from 'react'
import { getFieldId, FieldGroup, type FieldProps } from './field.tsx'

interface RatingProps extends FieldProps {
  /** The highest step. */
  steps: number
  /** The lowest step: 1 by default. */
  from?: number
  /** Stars fill up to the selected one, faces go from sad to happy; the number is read out either way. */
  look?: 'numbers' | 'stars' | 'faces' | undefined
  /** Labels of the first and last step. */
  low: string
  high: string
  defaultValue?: number | undefined
}

/** A numeric scale with labels at both ends. */
export function Rating({ steps: last, from = 1, look = 'numbers', low, high, defaultValue, ...field }: RatingProps) {
  const id = getFieldId(field)
  const endsId = `${id}-ends`
  return (
    <FieldGroup field={field} radios describing={endsId}>
      <div className="scale" data-look={look} style={buildColumnStyle(last - from + 1)}>
        {Array.from({ length: last - from + 1 }, (_, index) => index + from).map((step) => (
          <label key={step}>
            <input
              type="radio"
              id={step === from ? id : `${id}-${step}`}
              name={field.name}
              value={step}
              defaultChecked={step === defaultValue}
              required={field.required}
            />
            {look === 'numbers' ? (
              <span>{step}</span>
            ) : (
              <>
                <Drawing look={look} mood={(step - from) / (last - from)} />
                <span className="visually-hidden">{step}</span>
              </>
            )}
            {(step === from || step === last) && <span className="visually-hidden">, {step === from ? low : high}</span>}
          </label>
        ))}
      </div>
      <div className="scale-ends" id={endsId}>
        <span>
          <span className="visually-hidden">{from}: </span>
          {low}
        </span>
        <span>
          <span className="visually-hidden">{last}: </span>
          {high}
        </span>
      </div>
    </FieldGroup>
  )
}

/** A star, or a face whose mouth goes from sad (0) to happy (1). */
function Drawing({ look, mood }: { look: 'stars' | 'faces'; mood: number }) {
  const bend = 15.5 + (mood - 0.5) * 6
  return (
    <svg className="scale-drawing" viewBox="0 0 24 24" aria-hidden="true">
      {look === 'stars' ? (
        <path d="m12 4 2.5 5.2 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z" />
      ) : (
        <path d={`M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM9 9.5v.6M15 9.5v.6M8 15.5q4 ${2 * (bend - 15.5)} 8 0`} />
      )}
    </svg>
  )
}

/** A single row; with very large text on a phone, a long scale takes two equal rows. */
function buildColumnStyle(steps: number): CSSProperties & Record<`--${string}`, number> {
  return { '--steps': steps, '--steps-narrow': steps > 7 ? Math.ceil(steps / 2) : steps }
}
