import * as v from 'valibot'
import { implementResource } from '#app/server/api/implement.ts'
import { questionSchema } from '../surveys.schema.ts'
import { bankQuestionShape } from './bank.api.schema.ts'
import { dropBankQuestion, keepBankQuestion, listBankQuestions, loadBankQuestions, canDropQuestion } from './bank.server.ts'

export const bankQuestionResource = implementResource(bankQuestionShape, {
  load: loadBankQuestions,
  list: listBankQuestions,
  can: ({ viewer }, row) => ({ remove: canDropQuestion(viewer, row) }),
  attributes: (row) => ({ question: v.parse(questionSchema, row.question), createdAt: row.createdAt }),
  relationships: { survey: { id: (row) => row.surveyId } },
  create: keepBankQuestion,
  remove: dropBankQuestion,
})
