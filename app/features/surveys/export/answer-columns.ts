import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { AnswerColumn } from '../questionnaire/question-types/question-type.ts'
import { getQuestionModule } from '../questionnaire/question-types/registry.ts'
import type { CombinedDefinition } from '../questionnaire/check-definition.ts'

/**
 * The columns of a survey's answers in its order, for every question that was ever asked: text and numbers as they are, a single choice as
 * its label and its code, several choices as one column per option (1 chosen, 0 not, empty if unanswered).
 */
export function listAnswerColumns(definition: CombinedDefinition, language: ContentLanguage, fallback: Language): AnswerColumn[] {
  const say = (text: Parameters<typeof getTranslation>[0]) => getTranslation(text, language, fallback)
  return definition.pages.flatMap((page) => page.questions).flatMap((question) => getQuestionModule(question).columns(question, say))
}
