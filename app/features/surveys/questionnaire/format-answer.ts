import { getQuestionModule } from './question-types/registry.ts'
import type { Answer, Question } from '../surveys.schema.ts'
import type { SurveyWords } from './use-survey-words.ts'

/** An answer as text: the list of choices, or what was written. Empty without an answer. */
export const formatAnswer = (speaker: SurveyWords, question: Question, answer: Answer | undefined): string[] =>
  answer === undefined ? [] : getQuestionModule(question).words(question, answer, speaker)
