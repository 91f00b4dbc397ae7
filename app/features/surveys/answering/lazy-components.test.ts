import { expect, test } from 'vitest'
import type { FormState } from '#app/server/request-context.ts'
import type { Refusal, SurveyView } from '../surveys.views.ts'
import { canAnswer } from './lazy-components.ts'

const isShown = (refusal: Refusal | null, code?: string) =>
  canAnswer({
    survey: { state: 'open', refusal } as SurveyView,
    form: code === undefined ? null : ({ faults: [{ code }] } as unknown as FormState),
  })

test('whose session, invitation or verification ended while they answered keeps the form that they sent, and only they', () => {
  expect([isShown('sign-in', 'sign-in-to-answer'), isShown('invitation', 'invitation-needed')]).toEqual([true, true])
  expect(isShown('verification', 'verification-needed')).toBe(true)
  expect([isShown('verification'), isShown('verification', 'sign-in-to-answer'), isShown('answered', 'already-answered')]).toEqual([
    false,
    false,
    false,
  ])
  expect(isShown(null)).toBe(true)
})
