import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { listTags, type Tagging, tagAnswers } from './tags.server.ts'
import { answerTaggingShape, answerTagShape, writtenAnswerShape, writtenWordShape } from './written-answers.api.schema.ts'
import { listWords, listWrittenAnswers } from './written-answers.server.ts'

interface QuestionFilter {
  survey?: string | undefined
  question?: string | undefined
}

/** @throws {AppError} `invalid-parameter` */
function requireQuestionFilter({ survey, question }: QuestionFilter): { surveyId: string; question: string } {
  if (!survey || !question) throw new AppError('invalid-parameter', { parameter: survey ? 'filter[question]' : 'filter[survey]' })
  return { surveyId: survey, question }
}

export const writtenAnswerResource = implementResource(writtenAnswerShape, {
  list: async (ctx, { filter: { survey, question, q, word, tag, untagged, answers, ...part }, page }) => {
    const search = { q, word, tag, untagged, part: { ...part, answers: answers?.split(',') } }
    const { rows, total } = await listWrittenAnswers(ctx, { ...requireQuestionFilter({ survey, question }), ...search, ...page })
    return { rows: rows.map(({ responseId, ...row }) => ({ id: responseId, ...row })), total }
  },
  attributes: (row: { id: string; text: string; language: ContentLanguage; submittedAt: Date; tags: string[] }) => ({
    text: row.text,
    language: row.language,
    submittedAt: row.submittedAt,
    tags: row.tags,
  }),
})

export const writtenWordResource = implementResource(writtenWordShape, {
  list: async (ctx, { filter: { survey, question, answers, ...part } }) => {
    const rows = await listWords(ctx, { ...requireQuestionFilter({ survey, question }), part: { ...part, answers: answers?.split(',') } })
    return { rows: rows.map((row) => ({ id: row.word, ...row })), total: rows.length }
  },
  attributes: (row: { id: string; word: string; answers: number }) => ({ word: row.word, answers: row.answers }),
})

export const answerTagResource = implementResource(answerTagShape, {
  list: async (ctx, { filter }) => {
    const rows = await listTags(ctx, requireQuestionFilter(filter))
    return { rows: rows.map((row) => ({ id: row.tag, ...row })), total: rows.length }
  },
  attributes: (row: { id: string; tag: string; answers: number }) => ({ tag: row.tag, answers: row.answers }),
})

export const answerTaggingResource = implementResource(answerTaggingShape, {
  attributes: (row: Tagging) => ({ question: row.question, tag: row.tag, remove: row.remove, changed: row.changed }),
  relationships: { survey: { id: (row) => row.survey } },
  create: tagAnswers,
})
