import { getFieldId, FieldGroup, type FieldProps } from './field.tsx'

const DATE_PARTS = ['day', 'month', 'year'] as const
type DatePart = (typeof DATE_PARTS)[number]

interface DateFieldProps extends FieldProps {
  /** Day, month and year in the reader's language. */
  partLabels: Record<DatePart, string>
  /** The order of date parts in the reader's language. */
  order?: readonly DatePart[]
  /** As typed before, even if invalid. */
  defaultValue?: Partial<Record<DatePart, string>>
  /** The invalid parts; all of them by default. */
  invalid?: readonly DatePart[]
  birthday?: boolean
}

/** A date in three inputs, posted as `name-day`, `name-month` and `name-year`: faster than a calendar for a known date. */
export function DateField({
  partLabels,
  order = DATE_PARTS,
  defaultValue = {},
  invalid = DATE_PARTS,
  birthday = false,
  ...field
}: DateFieldProps) {
  const id = getFieldId(field)
  return (
    <FieldGroup field={field}>
      <div className="field-row">
        {order.map((part, index) => {
          const own = index === 0 ? id : `${id}-${part}`
          return (
            <div className="field-part" key={part}>
              <label htmlFor={own}>{partLabels[part]}</label>
              <input
                className={part === 'year' ? 'input input-width-4' : 'input input-width-2'}
                id={own}
                name={`${field.name}-${part}`}
                type="text"
                inputMode="numeric"
                maxLength={part === 'year' ? 4 : 2}
                defaultValue={defaultValue[part]}
                autoComplete={birthday ? `bday-${part}` : undefined}
                required={field.required}
                aria-invalid={field.error && invalid.includes(part) ? true : undefined}
              />
            </div>
          )
        })}
      </div>
    </FieldGroup>
  )
}
