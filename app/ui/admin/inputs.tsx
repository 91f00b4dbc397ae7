import type { HTMLInputTypeAttribute, ReactNode } from 'react'
import { buildControlProps, Field, getFieldId, type FieldProps } from '../field.tsx'
import { Icon } from '../icon.tsx'
import { getDirection } from '#app/lib/added-languages.ts'

/** Controlled fields. The admin frame styles them denser than participants' fields. */
interface Controlled<Value> extends FieldProps {
  value: Value
  onChange: (value: Value) => void
}

interface TextInputProps extends Controlled<string> {
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'url' | 'tel' | 'search'>
  placeholder?: string
  /** The language of the input, for spell checking and screen readers. */
  language?: string
  autoComplete?: string
  maxLength?: number
}

export function TextInput({
  value,
  onChange,
  type = 'text',
  placeholder,
  language,
  autoComplete = 'off',
  maxLength,
  ...field
}: TextInputProps) {
  return (
    <Field field={field}>
      <input
        {...buildControlProps(field)}
        className="input"
        type={type}
        value={value}
        placeholder={placeholder}
        lang={language}
        dir={getDirection(language)}
        autoComplete={autoComplete}
        maxLength={maxLength}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

interface TextAreaInputProps extends Controlled<string> {
  rows?: number
  language?: string
}

export function TextAreaInput({ value, onChange, rows = 3, language, ...field }: TextAreaInputProps) {
  return (
    <Field field={field}>
      <textarea
        {...buildControlProps(field)}
        className="input"
        rows={rows}
        value={value}
        lang={language}
        dir={getDirection(language)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

interface NumberInputProps extends Controlled<number | undefined> {
  min?: number
  max?: number
  step?: number
  /** The unit, after the input: "characters". */
  unit?: ReactNode
  /** Width of the input, in digits. */
  digits?: 4 | 10
}

export function NumberInput({ value, onChange, min, max, step = 1, unit, digits = 4, ...field }: NumberInputProps) {
  return (
    <Field field={field}>
      <span className="input-unit">
        <input
          {...buildControlProps(field)}
          className={`input input-width-${digits}`}
          type="number"
          value={value ?? ''}
          min={min}
          max={max}
          step={step}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)}
        />
        {unit}
      </span>
    </Field>
  )
}

interface SelectInputProps<Value extends string> extends Controlled<Value> {
  options: readonly { value: Value; label: string; disabled?: boolean }[]
}

export function SelectInput<Value extends string>({ value, onChange, options, ...field }: SelectInputProps<Value>) {
  return (
    <Field field={field}>
      <span className="select">
        <select
          {...buildControlProps(field)}
          className="input"
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = options.find((option) => option.value === currentTarget.value)
            if (chosen) onChange(chosen.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </Field>
  )
}

type YesNoProps = Omit<Controlled<boolean>, 'labelSize' | 'heading' | 'optional'> & { disabled?: boolean }

function YesNo({ value, onChange, kind, disabled, ...field }: YesNoProps & { kind: 'check' | 'switch' }) {
  const id = getFieldId(field)
  return (
    <div className="field" data-invalid={field.error ? true : undefined}>
      <div className={kind === 'switch' ? 'check switch' : 'check'}>
        <input
          {...buildControlProps(field)}
          type="checkbox"
          role={kind === 'switch' ? 'switch' : undefined}
          checked={value}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <label htmlFor={id}>{field.label}</label>
        {field.hint && (
          <div className="check-hint" id={`${id}-hint`}>
            {field.hint}
          </div>
        )}
      </div>
      {field.error && (
        <p className="field-error" id={`${id}-error`}>
          <Icon name="error" />
          {field.error}
        </p>
      )}
    </div>
  )
}

/** A checkbox that takes effect when the form is saved. */
export function CheckInput(props: YesNoProps) {
  return <YesNo {...props} kind="check" />
}

/** A switch that takes effect at once. */
export function SwitchInput(props: YesNoProps) {
  return <YesNo {...props} kind="switch" />
}
