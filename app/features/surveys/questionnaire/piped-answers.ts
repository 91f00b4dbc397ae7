import { formatAnswer } from './format-answer.ts'
import { getOwn } from './question-types/question-type.ts'
import type { Answers, Question } from '../surveys.schema.ts'
import { mapTexts } from './definition-texts.ts'
import type { SurveyWords } from './use-survey-words.ts'

/** An earlier answer in a text: `{{street}}` stands for what was answered to the question `street`. */
const PIPE_PATTERN = /\{\{\s*([A-Za-z][A-Za-z0-9_-]{0,39})\s*\}\}/g

/** Questions whose answers a text repeats. */
export const listPipedQuestions = (text: string): string[] => Array.from(text.matchAll(PIPE_PATTERN), ([, id = '']) => id)

/** Titles, labels and help with the answers given before put into them; formatted text is left as it is. */
export function insertPipedAnswers<P extends object>(part: P, questions: readonly Question[], answers: Answers, speaker: SurveyWords): P {
  if (!JSON.stringify(part).includes('{{')) return part
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
