import { lazyRouteComponent } from '@tanstack/react-router'
import type { SignUpQuestion } from '../sign-up-questions.schema.ts'

/** Loaded only by pages of events that ask something. */
export const SignUpQuestions = lazyRouteComponent(() => import('./SignUpQuestions.tsx'), 'SignUpQuestions')

/** Loads what these questions are answered with, before rendering. */
export async function preloadQuestions(questions: readonly SignUpQuestion[]): Promise<void> {
  if (questions.length === 0) return
  const { preloadFields } = await import('#app/features/surveys/questionnaire/question-types/fields.ts')
  await Promise.all([SignUpQuestions.preload?.(), preloadFields({ schema: 1, pages: [{ id: 'signUp', questions: [...questions] }] })])
}
