import { createId } from '#app/lib/uuid.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { createOwnAnswer, listAnswers, loadAnswers, lookAtSensitiveAnswers, removeAnswer } from './answers.server.ts'
import { enterAnswer } from './enter-answer.server.ts'
import { createQuestion, listQuestions, loadQuestions, mayEditQuestions, removeQuestion, updateQuestion } from './edit-questions.server.ts'
import { profileAnswerShape, profileLookShape, profileQuestionShape } from './profile.api.schema.ts'

export const profileQuestionResource = implementResource(profileQuestionShape, {
  load: loadQuestions,
  list: listQuestions,
  can: (ctx) => ({ update: mayEditQuestions(ctx), remove: mayEditQuestions(ctx) }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ key, type, label, help, purpose, options, position, required, sensitive, askedAt, retentionMonths, status, counts }) => ({
    key,
    kind: type,
    label,
    help,
    purpose,
    options: [...options],
    position,
    required,
    sensitive,
    askedAt,
    retentionMonths,
    status,
    counts,
  }),
  create: createQuestion,
  update: (ctx, row, input, lock) => updateQuestion(ctx, row.id, input, lock.version),
  remove: (ctx, row) => removeQuestion(ctx, row),
})

export const profileAnswerResource = implementResource(profileAnswerShape, {
  changers: 'signed-in',
  creators: 'signed-in',
  load: loadAnswers,
  list: (ctx, { filter, page }) => listAnswers(ctx, filter.user, page),
  attributes: ({ key, answer, text, answeredAt, source }) => ({ question: key, answer, text, answeredAt, source }),
  relationships: { user: { id: (row) => row.userId, alwaysVisible: 'in-scope' } },
  create: (ctx, { question, answer, user }) =>
    user && !isOwnId(ctx, user) ? enterAnswer(ctx, user, question, answer) : createOwnAnswer(ctx, question, answer),
  remove: (ctx, row) => removeAnswer(ctx, row),
})

const isOwnId = ({ viewer }: Ctx, id: string): boolean => viewer.kind === 'user' && viewer.id === id

interface Look {
  id: string
  user: string
  answers: Awaited<ReturnType<typeof lookAtSensitiveAnswers>>
}

export const profileLookResource = implementResource(profileLookShape, {
  create: async (ctx, { user }): Promise<Look> => ({ id: createId(), user, answers: await lookAtSensitiveAnswers(ctx, user) }),
  attributes: ({ answers }) => ({ answers }),
  relationships: { user: { id: ({ user }) => user } },
})
