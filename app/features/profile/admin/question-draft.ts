import type { Translated } from '#app/lib/translated.ts'
import type { ProfileAskedAt, ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import type { ProfileOption } from '../profile.schema.ts'
import type { StandardQuestion } from '../bank/standard-question.ts'
import type { QuestionDocument } from './QuestionsPage.tsx'

/** A question while it is being written. */
export interface QuestionDraft {
  key: string
  kind: ProfileQuestionType
  labelTranslations: Translated
  helpTranslations: Translated
  purposeTranslations: Translated
  options: ProfileOption[]
  askedAt: ProfileAskedAt
  retentionMonths: number
  required: boolean
  sensitive: boolean
}

export const createOption = (): ProfileOption => ({ id: `o${crypto.randomUUID().slice(0, 8)}`, label: {} })

const createNewDraft = (): QuestionDraft => ({
  key: '',
  kind: 'one-choice',
  labelTranslations: {},
  helpTranslations: {},
  purposeTranslations: {},
  options: [createOption(), createOption()],
  askedAt: 'sign-up',
  retentionMonths: 24,
  required: false,
  sensitive: false,
})

/** What an existing question says, or an empty one. */
export function createQuestionDraft(question: QuestionDocument | undefined): QuestionDraft {
  if (!question) return createNewDraft()
  const { key, kind, options, askedAt, retentionMonths, required, sensitive } = question
  const { labelTranslations = {}, helpTranslations = {}, purposeTranslations = {} } = question
  return { key, kind, labelTranslations, helpTranslations, purposeTranslations, options, askedAt, retentionMonths, required, sensitive }
}

/** A question of the bank, to be changed like any other. */
export const createBankDraft = ({ key, kind, label, help, purpose, options, sensitive }: StandardQuestion): QuestionDraft => ({
  ...createNewDraft(),
  key,
  kind,
  labelTranslations: label,
  helpTranslations: help,
  purposeTranslations: purpose,
  options: [...options],
  sensitive,
})
