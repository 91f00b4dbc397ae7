import { lazyRouteComponent } from '@tanstack/react-router'
import type { FormState } from '#app/server/request-context.ts'
import { LATER_STEP } from '../questionnaire/step-ids.ts'
import { FromProfile, KeepInProfile } from './lazy-from-profile.ts'
import { ChangedMeanwhile } from './lazy-changed-meanwhile.ts'
import { FinishLater } from './lazy-finish-later.ts'
import { unpackLongLists } from '../questionnaire/packed-lists.ts'
import { preloadFields } from '../questionnaire/question-types/fields.ts'
import { GivenNotice } from './lazy-given-notice.ts'
import type { GivenAnswers, ProfileUse, SurveyForAnswering } from '../surveys.views.ts'

export const AnswerForm = lazyRouteComponent(() => import('./AnswerForm.tsx'), 'AnswerForm')
export const SteppedForm = lazyRouteComponent(() => import('./SteppedForm.tsx'), 'SteppedForm')
export const SurveyClosedToViewer = lazyRouteComponent(() => import('./SurveyStates.tsx'), 'SurveyClosedToViewer')

/**
 * True if the survey is open to the viewer, or was when they filled in the returned form: someone who was signed out or lost their
 * invitation or verification in the meantime keeps their form.
 */
export function canAnswer({ survey, form }: Pick<SurveyForAnswering, 'survey'> & { form: FormState | null }): boolean {
  if (survey.state === 'preview') return true
  const refused = form?.faults[0]?.code
  const mayResend =
    (survey.refusal === 'sign-in' && refused === 'sign-in-to-answer') ||
    (survey.refusal === 'invitation' && refused === 'invitation-needed') ||
    (survey.refusal === 'verification' && refused === 'verification-needed')
  return mayResend || (survey.state === 'open' && survey.refusal === null)
}

/** Loads the components the page will show, before rendering. */
export async function preloadSurveyPage(
  page: SurveyForAnswering & { form: FormState | null; given?: GivenAnswers | null; profile?: ProfileUse | null },
  step?: string,
): Promise<void> {
  if (page.given) await GivenNotice.preload?.()
  if (page.profile) await Promise.all([FromProfile.preload?.(), KeepInProfile.preload?.()])
  if (page.meanwhile) await ChangedMeanwhile.preload?.()
  if (step === LATER_STEP) await FinishLater.preload?.()
  if (canAnswer(page))
    await Promise.all([(page.steps ? SteppedForm : AnswerForm).preload?.(), preloadFields(unpackLongLists(page.definition))])
  else await SurveyClosedToViewer.preload?.()
}
