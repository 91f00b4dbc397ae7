import { buildControlProps, Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

interface SelectProps extends FieldProps {
  options: readonly { value: string; label: string; disabled?: boolean }[]
  defaultValue?: string | undefined
  autoComplete?: string
}

export function Select({ options, defaultValue, autoComplete, ...field }: SelectProps) {
  return (
    <Field field={field}>
      <span className="select">
        <select {...buildControlProps(field)} className="input" defaultValue={defaultValue} autoComplete={autoComplete}>
          {options.map(({ value, label, disabled }) => (
            <option key={value} value={value} disabled={disabled}>
              {label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </Field>
  )
}
