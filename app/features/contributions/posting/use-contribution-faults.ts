import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'
import { isNextStep } from '../contributions.schema.ts'

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

/** What is wrong with a form that was sent: at each field, as a list for the summary, and what was typed. */
export function useContributionFaults(form: FormState | null, name?: string) {
  const { t } = useTranslation('contributions')
  const { t: general } = useTranslation('errors')
  const own = form && (name === undefined || form.form === name) ? form : null
  const describeFault = ({ code, field, values }: SentFault): string => {
    const question = values?.['question']
    if (code === 'required' && typeof question === 'string') return t('fields.required', { question })
    if (code === 'not-a-date' && typeof question === 'string') return t('fields.not-a-date')
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('faults.wait', { count: values['minutes'] })
    if (code === 'too-long' && typeof values?.['max'] === 'number') return t('faults.too-long', { max: values['max'] })
    const text = findOwnText(code, field)
    if (text) return t(text)
    if (field === 'code') return t('receipt.not-found')
    return general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) }))
  }
  const faults = (own?.faults ?? []).filter((fault) => !isNextStep(fault))
  return {
    errors: faults.map((fault) => ({ ...(fault.field ? { id: fault.field } : {}), message: describeFault(fault) })),
    error: (field: string): string | undefined => {
      const fault = faults.find((each) => each.field === field)
      return fault && describeFault(fault)
    },
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
