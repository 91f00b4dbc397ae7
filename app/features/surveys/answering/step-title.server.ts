import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { getStepId, LATER_STEP, REVIEW_STEP } from '../questionnaire/step-ids.ts'
import { buildSteps, getStepLabelKey, locateStep } from '../questionnaire/steps.ts'
import { walkSurvey } from '../questionnaire/walk-survey.ts'
import type { SurveyForAnswering } from '../surveys.views.ts'

/** Names the step of an address for the page's title: "Question 4 of 8"; empty for the survey's start. */
export function nameStep(
  ctx: Ctx,
  { definition, steps: by, draft }: SurveyForAnswering,
  asked: string | undefined,
  sendingId: string,
): string {
  const id = getStepId(asked)
  const t = getTranslator(ctx.language, 'survey')
  if (!by) return ''
  if (id === REVIEW_STEP) return t('review.title')
  if (id === LATER_STEP) return t('later.title')
  const steps = buildSteps(walkSurvey(definition, draft ?? {}, sendingId), by)
  const current = steps.find((step) => step.id === id) ?? (by === 'sections' ? steps[0] : undefined)
  if (!current || (by === 'sections' && steps.length === 1)) return ''
  const place = locateStep(definition, steps, current.id, by)
  return t(getStepLabelKey(by, definition, place), place)
}
