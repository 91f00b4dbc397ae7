import type { TFunction } from 'i18next'
import { buildFieldName, DATE_PARTS, type FieldView } from '../record/fields.schema.ts'

/** What was typed or chosen for a question in a form that was not sent yet, in words; empty if nothing was. */
export function describeTyped(
  { id, type, options }: FieldView,
  values: Readonly<Record<string, string | string[]>>,
  t: TFunction<'contributions'>,
): string {
  const name = buildFieldName(id)
  const given = [values[name] ?? []].flat().filter(Boolean)
  switch (type) {
    case 'date':
      return DATE_PARTS.map((part) => values[`${name}-${part}`] ?? '')
        .join(' ')
        .trim()
    case 'yes_no':
      return given.map((value) => t(value === 'yes' ? 'fields.yes' : 'fields.no')).join(', ')
    case 'one_choice':
    case 'several_choices':
      return options
        .filter(({ value }) => given.includes(value))
        .map(({ label }) => label)
        .join(', ')
    default:
      return given.join(', ')
  }
}
