import { getQuestionModule } from './question-types/registry.ts'
import type { Answer, Question } from '../surveys.schema.ts'
import type { SurveyWords } from './use-survey-words.ts'

/** A given answer in words: a list of what was chosen, or what was written. Empty where there is none. */
export const formatAnswer = (speaker: SurveyWords, question: Question, answer: Answer | undefined): string[] =>
  answer === undefined ? [] : getQuestionModule(question).words(question, answer, speaker)
