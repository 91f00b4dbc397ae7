import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'

type SentFault = FormState['faults'][number]

/** Errors of a refused form, ready to show: the message at each field, the summary in the order of `labels`, and the values typed. */
export function useSubmittedForm(form: FormState | null, labels: Record<string, string>) {
  const { t } = useTranslation('account')
  const sentence = useFaultMessage()
  const byField = new Map<string, FaultMessage>()
  const ofForm: { message: string; id?: string }[] = []
  for (const fault of form?.faults ?? []) {
    if (fault.field === undefined || !(fault.field in labels))
      ofForm.push({ message: sentence(fault).text, ...findFieldToCheck(fault, labels) })
    else if (!byField.has(fault.field)) byField.set(fault.field, sentence(fault))
  }
  const ofFields = Object.entries(labels).flatMap(([id, field]) => {
    const fault = byField.get(id)
    if (fault === undefined) return []
    return [{ id, message: fault.namesField ? fault.text : t('fault-of-field', { field, fault: fault.text }) }]
  })
  return {
    errors: [...ofForm, ...ofFields],
    isRefused: form !== null,
    error: (field: string): string | undefined => byField.get(field)?.text,
    typed: (field: string): string | undefined => {
      const value = form?.values[field]
      return typeof value === 'string' ? value : undefined
    },
    /** True if the checkbox was ticked when the form was sent; undefined if it was not sent. */
    ticked: (field: string): boolean | undefined => (form ? form.values[field] !== undefined : undefined),
  }
}

/** We do not reveal whether the address or the password is wrong, so the link leads to the first of them. */
const findFieldToCheck = ({ code }: SentFault, labels: Record<string, string>) =>
  code === 'wrong-credentials' && 'email' in labels ? { id: 'email' } : {}

interface FaultMessage {
  text: string
  /** True if the message makes sense away from its field. */
  namesField: boolean
}

const REQUIRED_FIELDS: Readonly<Record<string, 'code' | 'email' | 'consent' | 'login' | 'password' | 'passkey' | 'name'>> = {
  code: 'code',
  email: 'email',
  consent: 'consent',
  login: 'login',
  password: 'password',
  currentPassword: 'password',
  passkey: 'passkey',
  name: 'name',
}

/** Turns a fault into a message that says how to fix it: this feature's own wording if there is one, otherwise the shared catalogue's. */
function useFaultMessage() {
  const { t } = useTranslation('account')
  const { t: general } = useTranslation('errors')
  const findOwnMessage = ({ code, field, values }: SentFault): string | undefined => {
    if (code === 'too-many-requests' && typeof values?.['seconds'] === 'number') return t('wait.seconds', { count: values['seconds'] })
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('wait.minutes', { count: values['minutes'] })
    if (code === 'wrong-credentials') return t('sign-in.wrong')
    if (code === 'blocked') return t('sign-in.blocked')
    if (code === 'common-password') return t('faults.password-common')
    if (code === 'wrong-second-step') return t('faults.code-wrong')
    if (field === 'email' && code === 'not-an-email') return t('faults.email-format')
    const name = code === 'required' ? REQUIRED_FIELDS[field ?? ''] : undefined
    return name && t(`faults.${name}-required`)
  }
  return (fault: SentFault): FaultMessage => {
    const text = findOwnMessage(fault)
    if (text !== undefined) return { text, namesField: true }
    const { code, values } = fault
    return { text: general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) })), namesField: false }
  }
}
