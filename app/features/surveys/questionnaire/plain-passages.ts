import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PlainChoices, PlainPassage } from '#app/lib/plain-words/plain-passage.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Page, Question } from '../surveys.schema.ts'

const YES_AND_NO: Translated = { en: 'Yes No', 'fr-CA': 'Oui Non', cy: 'Ie Na' }

/** What a question says in a language, for the checks of plain language. Fields are named as in the editor. */
export function listQuestionPassages(question: Question, language: ContentLanguage): PlainPassage[] {
  const choices = listChoices(question, language)
  return [
    {
      field: 'title',
      text: question.title[language] ?? '',
      ...(question.type !== 'info' && question.type !== 'consent' && { isQuestion: true }),
      ...(choices && { choices }),
    },
    { field: 'help', text: question.help?.[language] ?? '' },
    ...(question.type === 'info' ? [{ field: 'text', text: question.text?.[language] ?? '' }] : []),
  ]
}

export const listPagePassages = (page: Page, language: ContentLanguage): PlainPassage[] => [
  { field: 'title', text: page.title?.[language] ?? '' },
  { field: 'intro', text: page.intro?.[language] ?? '' },
]

function listChoices(question: Question, language: ContentLanguage): PlainChoices | undefined {
  switch (question.type) {
    case 'yes_no': {
      // Whoever does not know can leave it out, unless an answer is required.
      const labels = YES_AND_NO[language]?.split(' ') ?? []
      return { field: 'required', labels, hasOther: question.required !== true }
    }
    case 'one_choice':
    case 'several_choices':
    case 'dropdown':
    case 'demographic':
    case 'picture_choice': {
      const offered = question.options.filter(({ removed }) => !removed)
      // Choices carried over may bring one that fits.
      const hasOther = question.carry !== undefined || offered.some(({ other }) => other === true)
      return { field: 'options.0.label', labels: listLabels(offered, language), hasOther }
    }
    case 'likert':
    case 'matrix_one':
    case 'matrix_several': {
      const labels = listLabels(
        question.columns.filter(({ removed }) => !removed),
        language,
      )
      return { field: 'columns.0.label', labels, isScale: question.type === 'likert', hasOther: true }
    }
    default:
      return undefined
  }
}

const listLabels = (items: readonly { label: Translated }[], language: ContentLanguage): string[] =>
  items.map(({ label }) => label[language] ?? '')
