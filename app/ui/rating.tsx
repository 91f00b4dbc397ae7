import type { CSSProperties } from 'react'
import { fieldId, FieldGroup, type FieldProps } from './field.tsx'

interface RatingProps extends FieldProps {
  /** Steps of the scale, from 1 to this. */
  steps: number
  /** What the first and the last step stand for. */
  low: string
  high: string
  defaultValue?: number | undefined
}

/** A scale of numbers with words at both ends. */
export function Rating({ steps, low, high, defaultValue, ...field }: RatingProps) {
  const id = fieldId(field)
  const endsId = `${id}-ends`
  return (
    <FieldGroup field={field} radios describing={endsId}>
      <div className="scale" style={columns(steps)}>
        {Array.from({ length: steps }, (_, index) => index + 1).map((step) => (
          <label key={step}>
            <input
              type="radio"
              id={step === 1 ? id : `${id}-${step}`}
              name={field.name}
              value={step}
              defaultChecked={step === defaultValue}
              required={field.required}
            />
            <span>{step}</span>
            {(step === 1 || step === steps) && <span className="visually-hidden">, {step === 1 ? low : high}</span>}
          </label>
        ))}
      </div>
      <div className="scale-ends" id={endsId}>
        <span>
          <span className="visually-hidden">1: </span>
          {low}
        </span>
        <span>
          <span className="visually-hidden">{steps}: </span>
          {high}
        </span>
      </div>
    </FieldGroup>
  )
}

/** One row where there is room; on a phone a long scale takes two equal ones. */
function columns(steps: number): CSSProperties & Record<`--${string}`, number> {
  return { '--steps': steps, '--steps-narrow': steps > 7 ? Math.ceil(steps / 2) : steps }
}
