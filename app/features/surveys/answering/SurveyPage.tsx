import { Suspense } from 'react'
import type { FormState } from '#app/server/request-context.ts'
import type { Challenge } from '../responses/access/proof-of-work.ts'
import { AnswerForm, canAnswer, SteppedForm, SurveyClosedToViewer } from './lazy-components.ts'
import type { SurveyForAnswering } from '../surveys.views.ts'

export interface SurveyPageProps extends SurveyForAnswering {
  sending: { id: string; sendKey: string }
  /** Work for the browser, where unusually many answers come from its address. */
  challenge: Challenge | null
  now: Date
  /** Whole address of the page, for links that are taken elsewhere. */
  address: string
  /** Which step is shown; the beginning where none is. */
  step?: string | undefined
  /** What the form was refused with, where the page answers its own form. */
  form: FormState | null
}

/**
 * A survey's page: its form, or why it cannot be answered. Both come in files of their own, loaded after the page: until then the
 * server's markup stands and works as it is.
 */
export function SurveyPage(props: SurveyPageProps) {
  return (
    <div className="page wrap-narrow">
      <Suspense>
        {!canAnswer(props) ? <SurveyClosedToViewer {...props} /> : props.steps ? <SteppedForm {...props} /> : <AnswerForm {...props} />}
      </Suspense>
    </div>
  )
}
