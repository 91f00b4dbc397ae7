import type { Ctx } from '#app/server/context.ts'
import type { CombinedQuestion } from './questionnaire/check-definition.ts'
import { getSurveyWords } from './questionnaire/survey-words.server.ts'
import { roundCoarsely, type Tally } from './responses/tallies.ts'
import { buildQuestionFigures, type QuestionFigures } from './results/figures.ts'
import { canChooseSeveral, toPublishableQuestion } from './results/publishable-figures.ts'
import { formatValueLabel } from './results/value-labels.ts'
import { writeFinding } from './results/write-finding.server.ts'
import type { Question } from './surveys.schema.ts'

export type { QuestionFigures } from './results/figures.ts'
export type { Tally } from './responses/tallies.ts'
export { canChooseSeveral as hasSeveralAnswers }

/** What was answered to a question, as tallies name it: the option, the number, coarser the larger it is, or the month. */
export function toTalliedValue(type: Question['type'], value: string): string {
  if (type === 'number') return String(roundCoarsely(Number(value)))
  return type === 'date' ? value.slice(0, 7) : value
}

/**
 * A question’s figures from answers given outside a survey.
 * @param tallies of this question, that with the value '' for everybody who answered
 */
export const countQuestion = (question: CombinedQuestion, tallies: readonly Tally[]): QuestionFigures =>
  buildQuestionFigures(question, tallies, 0)

/** What a question’s figures say, in one sentence in the language of the request; undefined if there is nothing to say. */
export const describeFinding = (ctx: Ctx, figures: QuestionFigures): string | undefined => writeFinding(getSurveyWords(ctx), figures)

/** The figures as those see them who may not see personal data: small counts are suppressed, and others that would reveal them. */
export const suppressSmallGroups = (figures: QuestionFigures): QuestionFigures => toPublishableQuestion(figures)

/** What a counted value of a question means, in the language of the request: an option's label, a step of a scale. */
export const formatAnswerValue = (ctx: Ctx, question: CombinedQuestion, value: string): string =>
  formatValueLabel(getSurveyWords(ctx), question, value)
