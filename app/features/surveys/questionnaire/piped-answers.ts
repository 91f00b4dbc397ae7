import { PIPE_PATTERN, replacePipes } from '#app/lib/piped-answers.ts'
import { formatAnswer } from './format-answer.ts'
import { getOwn } from './question-types/question-type.ts'
import type { Answers, Question } from '../surveys.schema.ts'
import { mapTexts } from './definition-texts.ts'
import type { SurveyWords } from './use-survey-words.ts'

/** Ids of the questions whose answers a text refers to. */
export const listPipedQuestions = (text: string): string[] => Array.from(text.matchAll(PIPE_PATTERN), ([, id = '']) => id)

/** Texts as they stand for everybody's answers: "…" where a person's earlier answer would be. */
export const omitPipedAnswers = <P extends object>(part: P): P =>
  mapTexts(part, (text) => Object.fromEntries(Object.entries(text).map(([language, from]) => [language, replacePipes(from)])))

/** Inserts earlier answers into titles, labels and help; formatted text stays as it is. */
export function insertPipedAnswers<P extends object>(part: P, questions: readonly Question[], answers: Answers, speaker: SurveyWords): P {
  if (!hasPipedAnswers(part)) return part
  const formatPipedAnswer = (id: string) => {
    const question = questions.find((each) => each.id === id)
    return (question && speaker.format.list(formatAnswer(speaker, question, getOwn(answers, id)))) || '…'
  }
  return mapTexts(part, (text) =>
    Object.fromEntries(
      Object.entries(text).map(([language, from]) => [language, from.replace(PIPE_PATTERN, (_all, id: string) => formatPipedAnswer(id))]),
    ),
  )
}

/** Lists and texts of a definition never change, so each is searched once. */
const searchedParts = new WeakMap<object, boolean>()

function hasPipedAnswers(part: object): boolean {
  return Object.values(part).some((value: unknown) => {
    if (typeof value !== 'object' || value === null) return typeof value === 'string' && value.includes('{{')
    const known = searchedParts.get(value)
    if (known !== undefined) return known
    const found = JSON.stringify(value).includes('{{')
    searchedParts.set(value, found)
    return found
  })
}
