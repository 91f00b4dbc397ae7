import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { type ActivityView, isNextStep } from '../record/contributions.schema.ts'
import { buildFieldName } from '../record/fields.schema.ts'

type SentFault = FormState['faults'][number]

/** Faults that are said in words of their own, by code and field. */
const OWN_TEXTS = [
  ['required title', 'faults.title-required'],
  ['required body', 'faults.body-required'],
  ['required addition', 'faults.body-required'],
  ['required objection', 'merging.objection-required'],
  ['required shownAs', 'faults.shown-required'],
  ['required shownName', 'faults.name-required'],
  ['too-many categories', 'faults.too-many-categories'],
  ['not-a-choice categories', 'faults.unknown-category'],
  ['not-a-choice areaId', 'faults.unknown-area'],
  ['required invitation', 'invitation.required'],
  ['wrong-format invitation', 'invitation.wrong-format'],
  ['not-found invitation', 'invitation.not-found'],
  ['required geometry', 'places.required'],
  ['too-few geometry', 'drawing.too-few'],
  ['too-many geometry', 'drawing.too-many'],
  ['self-crossing geometry', 'drawing.crossing'],
  ['shape-refused geometry', 'drawing.refused'],
  ['required alt', 'photos.alt-required'],
  ['required photo', 'photos.required'],
  ['file-type-refused photo', 'photos.wrong-kind'],
  ['too-many photo', 'photos.too-many'],
  ['file-gone photo', 'photos.gone'],
  ['too-many-unsent-files photo', 'photos.too-many-waiting'],
] as const
type OwnText = (typeof OWN_TEXTS)[number][1]

/** Fields of photos end with a number. */
const findOwnText = (code: string, field = '') => new Map<string, OwnText>(OWN_TEXTS).get(`${code} ${field.replace(/-\d$/, '')}`)

/** Faults of an extra question are at its id; its inputs are named differently. */
const nameInput = ({ field, values }: SentFault): string | undefined =>
  field !== undefined && typeof values?.['question'] === 'string' ? buildFieldName(field) : field

/**
 * What is wrong with a form that was sent: at each field, as a list for the summary, and what was typed.
 * @param labels of the fields. The summary is in their order, and adds the label to messages that do not say which field they mean
 * @param name of the form, on a page with several
 * @param kind of the activity, for a form that asks for a title
 */
export function useContributionFaults(
  form: FormState | null,
  labels: Readonly<Record<string, string>> = {},
  name?: string,
  kind?: ActivityView['kind'],
) {
  const { t } = useTranslation('contributions')
  const { t: general } = useTranslation('errors')
  const format = useFormat()
  const own = form && (name === undefined || form.form === name) ? form : null
  /** In words that name the field, if there are any. */
  const findNamedText = ({ code, field, values }: SentFault): string | undefined => {
    const question = values?.['question']
    if (code === 'required' && typeof question === 'string') return t('fields.required', { question })
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('faults.wait', { count: values['minutes'] })
    if (code === 'required' && field === 'title' && kind === 'questions') return t('question.required')
    const text = findOwnText(code, field)
    if (text) return t(text)
    return field === 'code' ? t('receipt.not-found') : undefined
  }
  const describeFault = ({ code, values }: SentFault): string => {
    if (code === 'not-a-date' && typeof values?.['question'] === 'string') return t('fields.not-a-date')
    if (code === 'too-long' && typeof values?.['max'] === 'number') return t('faults.too-long', { max: format.number(values['max']) })
    return general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) }))
  }
  const order = Object.keys(labels)
  const findPlace = (id: string | undefined) => (id !== undefined && id in labels ? order.indexOf(id) : order.length)
  const faults = (own?.faults ?? [])
    .filter((fault) => !isNextStep(fault))
    .map((fault) => {
      const id = nameInput(fault)
      const named = findNamedText(fault)
      const message = named ?? describeFault(fault)
      const label = id === undefined || named !== undefined ? undefined : labels[id]
      if (label === undefined) return { id, message, told: message }
      return { id, message, told: label.endsWith('?') ? `${label} ${message}` : t('fault-of-field', { field: label, fault: message }) }
    })
    .toSorted((one, other) => findPlace(one.id) - findPlace(other.id))
  return {
    errors: faults.map(({ id, told }) => ({ ...(id === undefined ? {} : { id }), message: told })),
    error: (field: string): string | undefined => faults.find(({ id }) => id === field)?.message,
    typed: (field: string): string | undefined => {
      const value = own?.values[field]
      return typeof value === 'string' ? value : undefined
    },
    chosen: (field: string): string[] | undefined => {
      const value = own?.values[field]
      if (own === null) return undefined
      return Array.isArray(value) ? value : value ? [value] : []
    },
  }
}
