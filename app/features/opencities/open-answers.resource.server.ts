import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { openAnswerDecisionShape, openAnswerShape } from './open-answers.api.schema.ts'
import { decideOpenAnswers, listOpenAnswers, type OpenAnswer } from './open-answers.server.ts'

export const openAnswerResource = implementResource(openAnswerShape, {
  list: (ctx, { filter: { survey, state }, page }) => {
    if (!survey) throw new AppError('invalid-parameter', { parameter: 'filter[survey]' })
    return listOpenAnswers(ctx, { survey, state, ...page })
  },
  attributes: ({ question, questionText, text, language, approved }: OpenAnswer) => ({ question, questionText, text, language, approved }),
})

export const openAnswerDecisionResource = implementResource(openAnswerDecisionShape, {
  create: decideOpenAnswers,
  attributes: ({ decided }) => ({ decided }),
  relationships: { survey: { id: (row) => row.id } },
})
