import { getOwn } from './question-types/question-type.ts'
import type { SurveyWalk } from './walk-survey.ts'
import type { Answers, Page, Question } from '../surveys.schema.ts'

/** How a survey is split up: whole sections, or one question at a time. */
export const STEP_KINDS = ['sections', 'questions'] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** What is shown at once, identified by the id of its page or question. */
export interface SurveyStep {
  id: string
  page: Page
  questions: Question[]
}

/** Steps without questions: reviewing the answers, and how to continue later. No question can have such an id. */
export const REVIEW_STEP = '-review'
export const LATER_STEP = '-later'

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

/** Where a returning participant continues: the first step without any answers. */
export function getResumeStep(steps: readonly SurveyStep[], answers: Answers): string {
  const open = steps.find(({ questions }) => {
    const asked = questions.filter((question) => question.type !== 'info')
    return asked.length > 0 && asked.every((question) => getOwn(answers, question.id) === undefined)
  })
  return open?.id ?? REVIEW_STEP
}
