import type { FormState } from '#app/server/request-context.ts'

/** The secret of a sign-in whose second step is due, if the page is an answer to the right password. */
export function findPendingSignIn(form: FormState | null): string | undefined {
  const pending = form?.values['pending']
  const isOver = form?.faults.some(({ code }) => code === 'sign-in-expired' || code === 'blocked')
  return typeof pending === 'string' && !isOver ? pending : undefined
}
