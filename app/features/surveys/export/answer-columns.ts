import type { Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import type { Column } from '../questionnaire/question-types/question-type.ts'
import { typeOf } from '../questionnaire/question-types/registry.ts'
import type { KeptDefinition } from '../questionnaire/check-definition.ts'

/**
 * The columns of a survey's answers, in its order, with every question that was ever asked: text and numbers as they are, one choice
 * as its label and its code, several choices as one fixed column for each option (1 chosen, 0 not, empty where nothing was answered).
 */
export function columnsOf(definition: KeptDefinition, language: Language, fallback: Language): Column[] {
  const say = (text: Parameters<typeof inLanguage>[0]) => inLanguage(text, language, fallback)
  return definition.pages.flatMap((page) => page.questions).flatMap((question) => typeOf(question).columns(question, say))
}
