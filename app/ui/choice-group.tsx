import type { ReactNode } from 'react'
import { buildControlProps, getFieldId, FieldGroup, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

export interface Choice {
  value: string
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
  /** A control that belongs to this choice, such as a text field for "other"; shown while it is selected. */
  reveals?: ReactNode
}

interface GroupProps extends FieldProps {
  options: readonly Choice[]
  /** `bubbles` for survey answers, `plain` for a filter or a setting. */
  look?: 'bubbles' | 'plain'
}

function Options({
  type,
  field,
  options,
  look,
  isChosen,
}: {
  type: 'radio' | 'checkbox'
  field: FieldProps
  options: readonly Choice[]
  look: 'bubbles' | 'plain'
  isChosen: (value: string) => boolean
}) {
  const id = getFieldId(field)
  return (
    <div className={look === 'plain' ? 'options options-plain' : 'options'}>
      {options.map(({ value, label, hint, disabled, reveals }, index) => {
        const own = index === 0 ? id : `${id}-${index + 1}`
        // The group's own hint has the id of its first control.
        const hintId = `${id}-hint-${index + 1}`
        return (
          <div className="option-slot" key={value}>
            <label className="option">
              <input
                type={type}
                id={own}
                name={field.name}
                value={value}
                defaultChecked={isChosen(value)}
                disabled={disabled}
                required={type === 'radio' ? field.required : undefined}
                aria-describedby={hint ? hintId : undefined}
                aria-invalid={type === 'checkbox' && field.error ? true : undefined}
              />
              <span className="option-label">{label}</span>
              {hint && (
                <span className="option-hint" id={hintId}>
                  {hint}
                </span>
              )}
            </label>
            {reveals && <div className="option-other">{reveals}</div>}
          </div>
        )
      })}
    </div>
  )
}

/** A single choice. */
export function RadioGroup({ options, look = 'bubbles', defaultValue, ...field }: GroupProps & { defaultValue?: string | undefined }) {
  return (
    <FieldGroup field={field} radios>
      <Options type="radio" field={field} options={options} look={look} isChosen={(value) => value === defaultValue} />
    </FieldGroup>
  )
}

/** Multiple choice. All inputs share one name: read them with `getAll`. */
export function CheckboxGroup({
  options,
  look = 'bubbles',
  defaultValue = [],
  ...field
}: GroupProps & { defaultValue?: readonly string[] }) {
  return (
    <FieldGroup field={field}>
      <Options type="checkbox" field={field} options={options} look={look} isChosen={(value) => defaultValue.includes(value)} />
    </FieldGroup>
  )
}

interface CheckboxProps extends Omit<FieldProps, 'labelSize' | 'heading' | 'optional'> {
  value?: string
  defaultChecked?: boolean
}

/** A single checkbox: consent, remember me. */
export function Checkbox({ value = 'yes', defaultChecked, ...field }: CheckboxProps) {
  const id = getFieldId(field)
  return (
    <div className="field" data-invalid={field.error ? true : undefined}>
      {field.error && (
        <p className="field-error" id={`${id}-error`}>
          <Icon name="error" />
          {field.error}
        </p>
      )}
      <div className="check">
        <input {...buildControlProps(field)} type="checkbox" value={value} defaultChecked={defaultChecked} />
        <label htmlFor={id}>{field.label}</label>
        {field.hint && (
          <div className="check-hint" id={`${id}-hint`}>
            {field.hint}
          </div>
        )}
      </div>
    </div>
  )
}
