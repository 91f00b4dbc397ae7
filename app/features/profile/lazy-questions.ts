import { lazyRouteComponent } from '@tanstack/react-router'
import type { AskedQuestion } from './profile.schema.ts'

/** Loaded only on a site that asks something. */
export const SignUpQuestions = lazyRouteComponent(() => import('./SignUpQuestions.tsx'), 'SignUpQuestions')

export const ReceiptQuestions = lazyRouteComponent(() => import('./ReceiptQuestions.tsx'), 'ReceiptQuestions')

/** Loads what these questions are answered with, before rendering. */
export const preloadQuestions = async (questions: readonly AskedQuestion[]): Promise<void> => {
  if (questions.length === 0) return
  const { preloadFields } = await import('#app/features/surveys/questionnaire/question-types/fields.ts')
  const page = { id: 'about', questions: questions.map(({ question }) => question) }
  await Promise.all([SignUpQuestions.preload?.(), preloadFields({ schema: 1, pages: [page] })])
}
