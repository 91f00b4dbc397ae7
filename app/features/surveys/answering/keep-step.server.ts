import * as v from 'valibot'
import type { Fault } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { FormValues } from '#app/server/forms.ts'
import { listQuestions, readAnswers } from '../questionnaire/answers.ts'
import { checkPostcodes } from '../responses/check-postcodes.server.ts'
import { findDraft, keepDraft } from '../responses/drafts.server.ts'
import { walkSurvey } from '../questionnaire/walk-survey.ts'
import { readProfileUse } from './fill-from-profile.server.ts'
import { prefixPointer } from './form-faults.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { type Answers, answersSchema, type Definition } from '../surveys.schema.ts'
import { type SurveyAddress, getSurveyForAnswering } from '../surveys.server.ts'
import { LATER_STEP, REVIEW_STEP, getStepId, isFromReview } from '../questionnaire/step-ids.ts'
import { buildSteps, checkStep, getFollowingStep, getPreviousStep } from '../questionnaire/steps.ts'

export interface StepInput extends Sending {
  /** Id of the step whose form was sent. */
  step: string
  go: 'next' | 'back' | 'later'
  /** Ids of the questions on it. */
  shown: readonly string[]
  values: FormValues
  version: number | undefined
}

/**
 * Saves one step's form to the draft, however invalid, and says where to continue.
 * @returns the survey's id, the id of the next step, and the faults of this step's answers
 * @throws {AppError} as `keepDraft`
 */
export async function keepStep(
  ctx: Ctx,
  address: SurveyAddress,
  input: StepInput,
): Promise<{ surveyId: string; next: string; faults: Fault[] }> {
  const page = await getSurveyForAnswering(ctx, address, { sending: input, version: input.version })
  const { survey, definition, steps: by } = page
  const shown = new Set(input.shown)
  const typed = readAnswers(
    listQuestions(definition).filter((question) => shown.has(question.id)),
    input.values,
  )
  // Later steps begin with what the person said about themselves, unless they have removed it.
  const begun = page.draft ?? findPostedAnswers(input.values) ?? (await readProfileUse(ctx, page))?.filled ?? {}
  const before = keepAskedAnswers(definition, begun)
  const answers = { ...omitAnswers(before, shown), ...typed }
  if (survey.state !== 'preview') {
    await keepDraft(ctx, { ...toSending(input), survey: survey.id, version: page.version, answers })
  }
  const walked = walkSurvey(definition, answers, input.id)
  const steps = buildSteps(walked, by ?? 'sections')
  const createResult = (next: string, faults: Fault[] = []) => ({ surveyId: survey.id, next, faults })
  if (input.go === 'later') return createResult(LATER_STEP)
  const id = getStepId(input.step) ?? ''
  if (input.go === 'back') return createResult(isFromReview(input.step) ? REVIEW_STEP : getPreviousStep(steps, id))
  const here = steps.find((step) => step.id === id)
  if (here?.questions.some((question) => question.type !== 'info' && !shown.has(question.id))) return createResult(input.step)
  const wrong = here ? checkStep(here, walked.kept) : []
  const faults = here && wrong.length === 0 ? checkPostcodes(ctx.site.region, here.questions, walked.kept) : wrong
  return faults.length > 0
    ? createResult(
        input.step,
        faults.map((fault) => prefixPointer('/answers', fault)),
      )
    : createResult(getFollowingStep(input.step, buildSteps(walkSurvey(definition, before, input.id), by ?? 'sections'), steps, walked.kept))
}

const toSending = ({ id, sendKey }: Sending): Sending => ({ id, sendKey })

const omitAnswers = (answers: Answers, ids: ReadonlySet<string>): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => !ids.has(id)))

/** All answers, which the page's script sends with the last step; undefined without a script, or if they are invalid. */
export function findPostedAnswers(values: FormValues): Answers | undefined {
  const sent = values['answers']
  if (typeof sent !== 'string' || !sent) return undefined
  try {
    const read = v.safeParse(answersSchema, JSON.parse(sent))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/** The answers to submit for a stepped survey: from the page's script, otherwise from the draft. */
export async function loadAnswersToSend(
  ctx: Ctx,
  sending: Sending,
  values: FormValues,
): Promise<{ answers: (definition: Definition) => Answers; version: number | undefined }> {
  const draft = await findDraft(ctx, sending)
  const answers = findPostedAnswers(values) ?? draft?.answers ?? {}
  return { answers: (definition) => keepAskedAnswers(definition, answers), version: draft?.version }
}

/** A draft may hold answers to questions that the newest version no longer asks. */
function keepAskedAnswers(definition: Definition, answers: Answers): Answers {
  const asked = new Set(listQuestions(definition).map((question) => question.id))
  return Object.fromEntries(Object.entries(answers).filter(([id]) => asked.has(id)))
}
