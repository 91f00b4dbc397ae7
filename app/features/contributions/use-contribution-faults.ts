import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'

type SentFault = FormState['faults'][number]

/** What is wrong with a form that was sent: at each field, as a list for the summary, and what was typed. */
export function useContributionFaults(form: FormState | null, name?: string) {
  const { t } = useTranslation('contributions')
  const { t: general } = useTranslation('errors')
  const own = form && (name === undefined || form.form === name) ? form : null
  const describeFault = ({ code, field, values }: SentFault): string => {
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('faults.wait', { count: values['minutes'] })
    if (code === 'too-long' && typeof values?.['max'] === 'number') return t('faults.too-long', { max: values['max'] })
    if (code === 'required' && field === 'title') return t('faults.title-required')
    if (code === 'required' && (field === 'body' || field === 'addition')) return t('faults.body-required')
    if (code === 'required' && field === 'shownAs') return t('faults.shown-required')
    if (code === 'required' && field === 'shownName') return t('faults.name-required')
    if (code === 'too-many' && field === 'categories') return t('faults.too-many-categories')
    if (code === 'not-a-choice' && field === 'categories') return t('faults.unknown-category')
    if (code === 'not-a-choice' && field === 'areaId') return t('faults.unknown-area')
    if (field === 'code') return t('receipt.not-found')
    return general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) }))
  }
  const faults = (own?.faults ?? []).filter(({ code }) => code !== 'similar-first')
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
