import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { ExtraQuestion } from './extra-question.schema.ts'

interface ActivityTexts {
  title: Translated
  intro: Translated
  categories: readonly { title: Translated; archived?: boolean | undefined }[]
  questions: readonly ExtraQuestion[]
  /** Names of its statuses, if they are looked at too. */
  statuses?: readonly { title: Translated }[]
}

/** What people read in an activity. Archived categories and questions are no longer shown. */
export const listActivityTexts = ({ title, intro, categories, questions, statuses = [] }: ActivityTexts): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: 140 },
  { pointer: '/introTranslations', text: intro, format: 'rich', max: 4000 },
  ...categories.flatMap((category, at): TranslatedText[] =>
    category.archived ? [] : [{ pointer: `/settings/categories/${at}/title`, text: category.title, isNeeded: true, max: 80 }],
  ),
  ...questions.flatMap((question, at) => (question.archived ? [] : listQuestionTexts(question, `/fields/${at}`))),
  ...listStatusTexts(statuses),
]

/** Names of what becomes of contributions. */
export const listStatusTexts = (statuses: readonly { title: Translated }[]): TranslatedText[] =>
  statuses.map(({ title }, at) => ({ pointer: `/statuses/${at}/title`, text: title, isNeeded: true, max: 80 }))

const listQuestionTexts = (question: ExtraQuestion, at: string): TranslatedText[] => [
  { pointer: `${at}/title`, text: question.title, isNeeded: true, max: 200 },
  { pointer: `${at}/help`, text: question.help, format: 'text', max: 500 },
  ...('options' in question ? question.options : []).flatMap(({ label, removed }, index): TranslatedText[] =>
    removed ? [] : [{ pointer: `${at}/options/${index}/label`, text: label, isNeeded: true, max: 200 }],
  ),
]
