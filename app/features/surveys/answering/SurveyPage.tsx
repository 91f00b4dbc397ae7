import { Suspense, useMemo } from 'react'
import type { FormState } from '#app/server/request-context.ts'
import { useReturnToReceipt } from '#app/shell/use-return-to-receipt.ts'
import { hasAnswersOnDevice } from './answers-on-device.ts'
import { AnswerForm, canAnswer, SteppedForm, SurveyClosedToViewer } from './lazy-components.ts'
import { unpackLongLists } from '../questionnaire/packed-lists.ts'
import type { PlaceMapView } from '../questionnaire/question-types/places/place-map.schema.ts'
import type { GivenAnswers, ProfileUse, SurveyForAnswering } from '../surveys.views.ts'

export interface SurveyPageProps extends SurveyForAnswering {
  sending: { id: string; sendKey: string }
  now: Date
  /** Absolute URL of the page, for links used elsewhere. */
  address: string
  /** The current step; undefined for the start. */
  step?: string | undefined
  /** Maps of its questions for places, by their ids. */
  maps?: Record<string, PlaceMapView>
  /** What this person said about themselves, if the survey asks it too. */
  profile?: ProfileUse | null
  /** What this person has already sent. */
  given?: GivenAnswers | null
  /** Why the form was refused, if the page is the response to its own form. */
  form: FormState | null
}

/**
 * A survey's page: its form, or why it cannot be answered. Both are lazy-loaded; until then the server-rendered markup stays in place and
 * works.
 */
export function SurveyPage({ definition: packed, ...page }: SurveyPageProps) {
  const definition = useMemo(() => unpackLongLists(packed), [packed])
  const props = { ...page, definition }
  const { survey, draft, form, given } = page
  useReturnToReceipt(() => (draft || form || hasAnswersOnDevice(survey.id) ? null : given?.path))
  return (
    <div className="page wrap-narrow">
      <Suspense>
        {!canAnswer(props) ? <SurveyClosedToViewer {...props} /> : props.steps ? <SteppedForm {...props} /> : <AnswerForm {...props} />}
      </Suspense>
    </div>
  )
}
