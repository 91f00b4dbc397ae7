import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PlainPassage } from '#app/lib/plain-words/plain-passage.ts'
import { listPagePassages, listQuestionPassages } from './questionnaire/plain-passages.ts'
import type { Definition } from './surveys.schema.ts'

/** What a survey says in a language, for the checks of plain language. */
export const listSurveyPassages = ({ pages }: Definition, language: ContentLanguage): PlainPassage[] =>
  pages.flatMap((page) => [
    ...listPagePassages(page, language),
    ...page.questions.filter(({ removed }) => !removed).flatMap((question) => listQuestionPassages(question, language)),
  ])
