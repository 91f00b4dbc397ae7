import { Button, buttonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { answerWords } from '../questionnaire/answer-words.ts'
import { Written } from './AnswerList.tsx'
import { describeFaults } from './describe-faults.ts'
import { own } from '../questionnaire/question-types/question-type.ts'
import { ResendNotice } from './ResendNotice.tsx'
import { AnswerPromise, Trap } from './SurveyIntro.tsx'
import type { SurveyPageProps } from './SurveyPage.tsx'
import { checkAnswers, fieldName } from '../questionnaire/answers.ts'
import { asSent } from './form-faults.ts'
import { askedIn, type Walk } from '../questionnaire/logic.ts'
import { holds } from '../questionnaire/conditions.ts'
import { withAnswers } from '../questionnaire/piping.ts'
import type { Answers, Question } from '../surveys.schema.ts'
import { REVIEW, type Step, stepBefore } from '../questionnaire/steps.ts'
import type { StepAddress } from './use-step-address.ts'
import { useNetwork } from './use-network.ts'
import { useProof } from './use-proof-of-work.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface ReviewProps extends Omit<SurveyPageProps, 'steps'> {
  steps: readonly Step[]
  walked: Walk
  answers: Answers
  place: StepAddress
}

/** Everything that was said, to be looked over and changed before it is sent. */
export function ReviewStep({ survey, definition, version, steps, walked, answers, sending, challenge, form, place }: ReviewProps) {
  const words = useSurveyWords()
  const { t, say } = words
  const { waiting, sendWhenReachable } = useNetwork()
  const proof = useProof(challenge, sending.id)
  const questions = askedIn(walked)
  const asked = questions
    .filter((question) => question.type !== 'info')
    .map((question) => withAnswers(question, questions, walked.kept, words))
  const stepOf = (question: Question) => steps.find((step) => step.questions.some((each) => each.id === question.id))?.id
  const refused = form?.values['step'] === REVIEW ? form : null
  const found = refused ? asSent(checkAnswers(questions, walked.kept)) : []
  // What only the server knows is wrong, such as a file that is no longer kept.
  const faults = found.length > 0 ? found : (refused?.faults.filter(({ field }) => field?.startsWith('q.')) ?? [])
  const { summary } = describeFaults(words, asked, faults)
  const full = definition.quotas?.find(({ when }) => holds(when, walked.kept))
  const ending = definition.endings?.find(({ id }) => id === full?.end)
  const isPreview = survey.state === 'preview'
  return (
    <>
      <PageTitle eyebrow={<Text words={survey.title} />} title={t('review.title')} lead={t('review.lead')} />
      {summary.length > 0 && (
        <ErrorSummary
          title={t('problem')}
          errors={summary.map(({ id, message }) => ({ message, id: asked.find((each) => id.startsWith(fieldName(each.id)))?.id ?? id }))}
        />
      )}
      {refused && summary.length === 0 && <ResendNotice survey={survey} form={refused} ending={ending} />}
      <dl className="definitions answers">
        {asked.map((question) => {
          const said = answerWords(words, question, own(walked.kept, question.id))
          return (
            <div key={question.id}>
              <dt>
                <Text words={say(question.title)} />
              </dt>
              <dd>
                {said.length === 0 && <span className="meta">{t('receipt.no-answer')}</span>}
                {said.length === 1 && <Written text={said[0] ?? ''} />}
                {said.length > 1 && (
                  <ul>
                    {said.map((each) => (
                      <li key={each}>{each}</li>
                    ))}
                  </ul>
                )}
              </dd>
              <dd className="definitions-action">
                <a {...place.follow(stepOf(question) ?? '')} id={question.id}>
                  {t('review.change')} <span className="visually-hidden">{say(question.title).text}</span>
                </a>
              </dd>
            </div>
          )
        })}
      </dl>
      <form className="survey-send" method="post" action={place.href(REVIEW)} noValidate onSubmit={sendWhenReachable}>
        <input type="hidden" name="id" value={sending.id} />
        <input type="hidden" name="sendKey" value={sending.sendKey} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="step" value={REVIEW} />
        <input type="hidden" name="answers" value={JSON.stringify(answers)} />
        <input type="hidden" name="proof" value={proof} />
        <Trap />
        {waiting && (
          <Notice kind="warning" title={t('offline.title')}>
            {t('offline.text')}
          </Notice>
        )}
        <div className="form-actions">
          <Button type="submit" disabled={isPreview}>
            {t('send')}
          </Button>
          <a {...place.follow(stepBefore(steps, REVIEW))} className={buttonClass({ kind: 'secondary' })}>
            {t('steps.back')}
          </a>
        </div>
        <AnswerPromise survey={survey} definition={definition} />
      </form>
    </>
  )
}
