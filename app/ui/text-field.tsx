import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, InputHTMLAttributes } from 'react'
import { buildControlProps, Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

export interface TextFieldProps extends FieldProps {
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email' | 'tel' | 'url' | 'number'>
  defaultValue?: string | number | undefined
  /** What the browser may autofill; set it for all personal data. */
  autoComplete?: HTMLInputAutoCompleteAttribute
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  maxLength?: number
  spellCheck?: boolean
  /** Expected number of characters, if known. */
  width?: 2 | 4 | 10 | 20
}

export function TextField({
  type = 'text',
  defaultValue,
  autoComplete,
  inputMode,
  maxLength,
  spellCheck,
  width,
  ...field
}: TextFieldProps) {
  return (
    <Field field={field}>
      <input
        {...buildControlProps(field)}
        className={width ? `input input-width-${width}` : 'input'}
        type={type}
        defaultValue={defaultValue}
        autoComplete={autoComplete}
        autoCapitalize={type === 'email' ? 'none' : undefined}
        inputMode={inputMode}
        maxLength={maxLength}
        spellCheck={spellCheck ?? (type === 'email' ? false : undefined)}
      />
    </Field>
  )
}

interface SearchFieldProps {
  name: string
  id?: string
  label: string
  /** The label's class. By default it is for screen readers only: the icon and the button make it clear visually. */
  labelClass?: string
  button: string
  defaultValue?: string | undefined
  placeholder?: string
}

/** A search box with its button: put it into a form with `method="get"` and `role="search"`. */
export function SearchField({
  name,
  id = name,
  label,
  labelClass = 'visually-hidden',
  button,
  defaultValue,
  placeholder,
}: SearchFieldProps) {
  return (
    <div className="search-field">
      <label className={labelClass} htmlFor={id}>
        {label}
      </label>
      <Icon name="search" />
      <input className="input" type="search" id={id} name={name} defaultValue={defaultValue} placeholder={placeholder} maxLength={200} />
      <button className="button" type="submit">
        {button}
      </button>
    </div>
  )
}
