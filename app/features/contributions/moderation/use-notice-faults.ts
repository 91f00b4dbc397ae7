import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useFormat } from '#app/shell/use-format.ts'

type SentFault = FormState['faults'][number]

/**
 * What is wrong with a report or an appeal that was sent, at each field and for the summary, and what was typed.
 * @param words label of the text field, which the summary adds to messages that do not say which field they mean
 */
export function useNoticeFaults(form: FormState | null, words: string) {
  const { t } = useTranslation('appeals')
  const { t: general } = useTranslation('errors')
  const format = useFormat()
  const describeFault = ({ code, field, values }: SentFault): string => {
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('wait', { count: values['minutes'] })
    if (field === 'rule') return t('report.rule-required')
    if (field === 'code' && code === 'required') return t('appeal.code-required')
    if (field === 'code') return t('appeal.code-unknown')
    if (code === 'conflict') return t('appeal.conflict')
    if (code === 'appeal-over') return t('appeal.over')
    if (code === 'not-found') return t('appeal.not-recognised')
    if (code === 'required') return t('appeal.words-required')
    if (code === 'too-long' && typeof values?.['max'] === 'number') return t('too-long', { max: format.number(values['max']) })
    return general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) }))
  }
  const faults = (form?.faults ?? []).map((fault) => ({ code: fault.code, field: fault.field, message: describeFault(fault) }))
  return {
    errors: faults.map(({ code, field, message }) => ({
      ...(field ? { id: field } : {}),
      message: code === 'too-long' ? t('fault-of-field', { field: words, fault: message }) : message,
    })),
    error: (name: string): string | undefined => faults.find(({ field }) => field === name)?.message,
    typed: (field: string): string | undefined => {
      const value = form?.values[field]
      return typeof value === 'string' ? value : undefined
    },
  }
}
