import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { CheckboxGroup, RadioGroup } from '#app/ui/choice-group.tsx'
import { FieldGroup, type FieldProps } from '#app/ui/field.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { buildFieldName, DATE_PARTS, type FieldView } from '../record/fields.schema.ts'

interface FieldInputsProps {
  fields: readonly FieldView[]
  typed: (field: string) => string | undefined
  chosen: (field: string) => readonly string[] | undefined
  error: (field: string) => string | undefined
}

/** The extra questions of an activity, in a form. */
export function FieldInputs({ fields, ...answers }: FieldInputsProps) {
  return fields.map((field) => <FieldInput key={field.id} field={field} {...answers} />)
}

function FieldInput({ field, typed, chosen, error }: Omit<FieldInputsProps, 'fields'> & { field: FieldView }) {
  const { t } = useTranslation('contributions')
  const { type, title, help, options, required, shownTo } = field
  const name = buildFieldName(field.id)
  const hints = [
    ...(help.text ? [<Text key="help" words={help} />] : []),
    ...(shownTo === 'staff' ? [t('fields.team-only')] : []),
    ...(type === 'date' ? [t('fields.date-hint')] : []),
  ]
  const props: FieldProps = {
    name,
    label: <Text words={title} />,
    error: error(name),
    ...(hints.length > 0 && { hint: hints.flatMap((hint, at) => (at === 0 ? [hint] : [' ', hint])) }),
    ...(required ? { required } : { optional: t('write.optional') }),
  }
  switch (type) {
    case 'short_text':
      return <TextField {...props} defaultValue={typed(name)} />
    case 'long_text':
      return <TextArea {...props} rows={4} defaultValue={typed(name)} />
    case 'number':
      return <TextField {...props} inputMode="decimal" width={10} defaultValue={typed(name)} />
    case 'several_choices':
      return <CheckboxGroup {...props} look="plain" options={toChoices(options)} defaultValue={chosen(name) ?? []} />
    case 'one_choice':
      return <RadioGroup {...props} look="plain" options={toChoices(options)} defaultValue={typed(name)} />
    case 'yes_no':
      return (
        <RadioGroup
          {...props}
          look="plain"
          options={(['yes', 'no'] as const).map((value) => ({ value, label: t(`fields.${value}`) }))}
          defaultValue={typed(name)}
        />
      )
    case 'date':
      return <DateInput props={props} typed={typed} />
  }
}

const toChoices = (options: FieldView['options']) =>
  options.map(({ value, label, lang }) => ({
    value,
    label: (
      <span lang={lang} dir={getDirection(lang)}>
        {label}
      </span>
    ),
  }))

/** The first part has the id that the list of errors links to. */
function DateInput({ props, typed }: { props: FieldProps; typed: FieldInputsProps['typed'] }) {
  const { t } = useTranslation('contributions')
  return (
    <FieldGroup field={props}>
      <div className="field-row">
        {DATE_PARTS.map((part, at) => {
          const name = `${props.name}-${part}`
          const id = at === 0 ? props.name : name
          return (
            <div className="field-part" key={part}>
              <label htmlFor={id}>{t(`fields.${part}`)}</label>
              <input
                className={part === 'year' ? 'input input-width-4' : 'input input-width-2'}
                id={id}
                name={name}
                type="text"
                inputMode="numeric"
                maxLength={part === 'year' ? 4 : 2}
                defaultValue={typed(name)}
                aria-invalid={props.error ? true : undefined}
              />
            </div>
          )
        })}
      </div>
    </FieldGroup>
  )
}
