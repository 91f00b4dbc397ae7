import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import type { SignUpQuestion } from '../sign-up-questions.schema.ts'

type SentFault = FormState['faults'][number]

/** Faults that are said in words of their own, by code and field. */
const OWN_TEXTS = {
  'required name': 'faults.name-required',
  'required email': 'faults.email-required',
  'signed-up-already email': 'faults.signed-up-already',
} as const

/** What is wrong with a sign-up that was sent: by field, and as a list for the summary, in the form's order. */
export function useSignUpFaults(form: FormState | null, questions: readonly SignUpQuestion[]) {
  const { t } = useTranslation('events')
  const { t: general } = useTranslation('errors')
  const language = useLanguage()
  const byField = new Map<string, string>()
  const errors: { id?: string; message: string }[] = []
  const say = ({ code, values }: SentFault) => general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) }))
  const faults = form?.faults ?? []
  for (const fault of faults.filter(({ field }) => field === undefined)) errors.push({ message: say(fault) })
  for (const field of ['name', 'email']) {
    const fault = faults.find((one) => one.field === field)
    if (!fault) continue
    const own = OWN_TEXTS[`${fault.code} ${field}` as keyof typeof OWN_TEXTS]
    const message = own ? t(own) : say(fault)
    byField.set(field, message)
    errors.push({ id: field, message })
  }
  for (const { id, title } of questions) {
    const fault = faults.find(({ field }) => field === `q.${id}` || field?.startsWith(`q.${id}.`))
    if (!fault?.field) continue
    const message = say(fault)
    byField.set(fault.field, message)
    const question = getTranslation(title, language)
    const isSentence = /[?!.:]$/.test(question)
    errors.push({ id: `q.${id}`, message: isSentence ? `${question} ${message}` : t('faults.of-question', { question, fault: message }) })
  }
  return { byField, errors }
}
