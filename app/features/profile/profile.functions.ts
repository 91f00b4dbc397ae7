import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readOwnAnswers as readOwnAnswersOf, readReceiptQuestions as readReceiptQuestionsOf } from './answers.server.ts'
import { hasQuestions, readAskedQuestions } from './asked-questions.server.ts'

/** What a person is asked as they create an account. */
export const readSignUpQuestions = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readAskedQuestions(context.ctx, 'sign-up'))

/** What a signed-in person is asked on a receipt. */
export const readReceiptQuestions = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readReceiptQuestionsOf(context.ctx))

export const readOwnAnswers = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readOwnAnswersOf(context.ctx))

/** Whether the viewer has anything to see on the page of their answers. */
export const isAskedAboutSelf = createServerFn()
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => ctx.viewer.kind === 'user' && ctx.viewer.siteId === ctx.site.id && (await hasQuestions(ctx)))
