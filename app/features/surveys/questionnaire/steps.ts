import type { Fault } from '#app/lib/app-error.ts'
import { checkAnswers, countPossibleQuestions, countQuestions } from './answers.ts'
import { getOwn } from './question-types/question-type.ts'
import { getStepId, isFromReview, REVIEW_STEP } from './step-ids.ts'
import { hasBranching, type SurveyWalk } from './walk-survey.ts'
import type { Answers, Definition, Page, Question } from '../surveys.schema.ts'

/** How a survey is split up: whole sections, or one question at a time. */
export const STEP_KINDS = ['sections', 'questions'] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** What is shown at once, identified by the id of its page or question. */
export interface SurveyStep {
  id: string
  page: Page
  questions: Question[]
}

/** The steps of a walk. Info blocks share a step with the next question. */
export function buildSteps({ pages }: SurveyWalk, by: StepKind): SurveyStep[] {
  if (by === 'sections') return pages.map(({ page, questions }) => ({ id: page.id, page, questions }))
  return pages.flatMap(({ page, questions }) => {
    const steps: SurveyStep[] = []
    let group: Question[] = []
    for (const question of questions) {
      group.push(question)
      if (question.type === 'info' && question !== questions.at(-1)) continue
      steps.push({ id: question.id, page, questions: group })
      group = []
    }
    return steps.length > 0 ? steps : [{ id: page.id, page, questions }]
  })
}

/** Id of the next or previous step; '' is the start. */
export function getNextStep(steps: readonly SurveyStep[], id: string): string {
  return steps[steps.findIndex((step) => step.id === id) + 1]?.id ?? REVIEW_STEP
}
export function getPreviousStep(steps: readonly SurveyStep[], id: string): string {
  const place = id === REVIEW_STEP ? steps.length : steps.findIndex((step) => step.id === id)
  return steps[place - 1]?.id ?? ''
}

/** What is wrong with the answers of one step. */
export function checkStep({ questions }: Pick<SurveyStep, 'questions'>, answers: Answers): Fault[] {
  const own = questions.flatMap(({ id }) => {
    const answer = getOwn(answers, id)
    return answer === undefined ? [] : [[id, answer] as const]
  })
  return checkAnswers(questions, Object.fromEntries(own))
}

/**
 * Where "Continue" leads. A step opened from the review leads back there, unless its change asks something new or makes an answer invalid:
 * from there on everything is shown again.
 * @param before the steps before the change
 */
export function getFollowingStep(step: string, before: readonly SurveyStep[], steps: readonly SurveyStep[], kept: Answers): string {
  const id = getStepId(step) ?? ''
  if (!isFromReview(step)) return getNextStep(steps, id)
  const asked = new Set(before.flatMap(({ questions }) => questions.map((question) => question.id)))
  const open = steps.find(
    (each) => each.id !== id && (each.questions.some((question) => !asked.has(question.id)) || checkStep(each, kept).length > 0),
  )
  return open?.id ?? REVIEW_STEP
}

/** Which of how many a step is: sections, or questions without info blocks. Answers can make the total smaller, never larger. */
export function locateStep(
  { pages }: Pick<Definition, 'pages'>,
  steps: readonly SurveyStep[],
  id: string,
  by: StepKind,
): { number: number; total: number } {
  const place = steps.findIndex((step) => step.id === id)
  const reached = steps.slice(0, place + 1)
  const index = pages.findIndex((page) => page.id === steps[place]?.page.id)
  const later = pages.slice(index + 1)
  if (by === 'sections') {
    const parts = later.filter((page) => page.intro || page.questions.some((question) => !question.removed))
    return { number: reached.length, total: reached.length + parts.length }
  }
  const asked = reached.flatMap(({ questions }) => questions)
  const number = Math.max(1, countQuestions(asked))
  const page = pages[index]
  const ids = page?.questions.map((question) => question.id) ?? []
  // Only in an order of its own can a page still ask what stands above this question.
  const after = page?.shuffle ? 0 : ids.indexOf(asked.at(-1)?.id ?? '') + 1
  const rest = page?.questions.slice(after).filter((question) => !asked.some((each) => each.id === question.id)) ?? []
  return { number, total: number + countPossibleQuestions([{ questions: rest }, ...later]) }
}

/** The text that says which step this is. If answers decide what follows, the total is only an upper bound. */
export const getStepLabelKey = (by: StepKind, definition: Definition, { number, total }: { number: number; total: number }) =>
  `steps.${by === 'questions' ? 'question' : 'part'}${number < total && hasBranching(definition) ? '-up-to' : ''}` as const

/** Where a returning participant continues: the first step without any answers. */
export function getResumeStep(steps: readonly SurveyStep[], answers: Answers): string {
  const open = steps.find(({ questions }) => {
    const asked = questions.filter((question) => question.type !== 'info')
    return asked.length > 0 && asked.every((question) => getOwn(answers, question.id) === undefined)
  })
  return open?.id ?? REVIEW_STEP
}
