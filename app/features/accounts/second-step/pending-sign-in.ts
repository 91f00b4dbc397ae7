import type { FormState } from '#app/server/request-context.ts'
import { SECOND_STEP_METHODS, type SecondStepMethod } from './second-step-methods.ts'

export interface PendingSignIn {
  /** The secret of a sign-in whose second step is due. */
  pending: string
  methods: readonly SecondStepMethod[]
}

/** The sign-in whose second step is due, if the page is an answer to the right password. */
export function findPendingSignIn(form: FormState | null): PendingSignIn | undefined {
  const pending = form?.values['pending']
  const isOver = form?.faults.some(({ code }) => code === 'sign-in-expired' || code === 'blocked')
  if (typeof pending !== 'string' || isOver) return undefined
  const methods = [form?.values['methods'] ?? []].flat()
  return { pending, methods: SECOND_STEP_METHODS.filter((method) => methods.includes(method)) }
}
