import { Suspense } from 'react'
import type { FormState } from '#app/server/request-context.ts'
import { AnswerForm, mayAnswer, SurveyClosedToViewer } from './survey-parts.ts'
import type { SurveyForAnswering } from './surveys.views.ts'

export interface SurveyPageProps extends SurveyForAnswering {
  sending: { id: string; sendKey: string }
  now: Date
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
      <Suspense>{mayAnswer(props) ? <AnswerForm {...props} /> : <SurveyClosedToViewer {...props} />}</Suspense>
    </div>
  )
}
