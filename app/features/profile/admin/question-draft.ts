import type { Translated } from '#app/lib/translated.ts'
import type { ProfileAskedAt, ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import type { ProfileOption } from '../profile.schema.ts'
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

export const createQuestionDraft = (question: QuestionDocument | undefined): QuestionDraft => ({
  key: question?.key ?? '',
  kind: question?.kind ?? 'one-choice',
  labelTranslations: question?.labelTranslations ?? {},
  helpTranslations: question?.helpTranslations ?? {},
  purposeTranslations: question?.purposeTranslations ?? {},
  options: question?.options ?? [createOption(), createOption()],
  askedAt: question?.askedAt ?? 'sign-up',
  retentionMonths: question?.retentionMonths ?? 24,
  required: question?.required ?? false,
  sensitive: question?.sensitive ?? false,
})
