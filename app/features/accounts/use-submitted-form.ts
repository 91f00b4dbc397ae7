import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'

type SentFault = FormState['faults'][number]

/**
 * What a form was refused with, ready to be shown: the sentence at each field, the lines of the summary in the order of `labels`,
 * and what had been typed.
 */
export function useSubmittedForm(form: FormState | null, labels: Record<string, string>) {
  const { t } = useTranslation('account')
  const sentence = useFaultMessage()
  const byField = new Map<string, FaultMessage>()
  const ofForm: { message: string }[] = []
  for (const fault of form?.faults ?? []) {
    if (fault.field === undefined || !(fault.field in labels)) ofForm.push({ message: sentence(fault).text })
    else if (!byField.has(fault.field)) byField.set(fault.field, sentence(fault))
  }
  const ofFields = Object.entries(labels).flatMap(([id, field]) => {
    const fault = byField.get(id)
    if (fault === undefined) return []
    return [{ id, message: fault.namesField ? fault.text : t('fault-of-field', { field, fault: fault.text }) }]
  })
  return {
    errors: [...ofForm, ...ofFields],
    error: (field: string): string | undefined => byField.get(field)?.text,
    typed: (field: string): string | undefined => {
      const value = form?.values[field]
      return typeof value === 'string' ? value : undefined
    },
    /** Whether a box was ticked when the form was sent; undefined where it was not. */
    ticked: (field: string): boolean | undefined => (form ? form.values[field] !== undefined : undefined),
  }
}

interface FaultMessage {
  text: string
  /** It can be understood away from its field. */
  namesField: boolean
}

/** Says a fault so that the reader can mend it: in the words of these pages where they have their own, else in the catalogue's. */
function useFaultMessage() {
  const { t } = useTranslation('account')
  const { t: general } = useTranslation('errors')
  const findOwnMessage = ({ code, field, values }: SentFault): string | undefined => {
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('wait.minutes', { count: values['minutes'] })
    if (code === 'wrong-credentials') return t('sign-in.wrong')
    if (code === 'blocked') return t('sign-in.blocked')
    if (code === 'common-password') return t('faults.password-common')
    if (field === 'email' && code === 'required') return t('faults.email-required')
    if (field === 'email' && code === 'not-an-email') return t('faults.email-format')
    if (field === 'consent' && code === 'required') return t('faults.consent-required')
    if (field === 'login' && code === 'required') return t('faults.login-required')
    if ((field === 'password' || field === 'currentPassword') && code === 'required') return t('faults.password-required')
    return undefined
  }
  return (fault: SentFault): FaultMessage => {
    const text = findOwnMessage(fault)
    if (text !== undefined) return { text, namesField: true }
    const { code, values } = fault
    return { text: general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) })), namesField: false }
  }
}
