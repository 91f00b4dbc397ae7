import { getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { formatAnswer } from '../questionnaire/format-answer.ts'
import { WrittenText } from './AnswerList.tsx'
import { describeFaults } from './describe-faults.ts'
import { KeepInProfile } from './lazy-from-profile.ts'
import { getOwn } from '../questionnaire/question-types/question-type.ts'
import { ChangedMeanwhile } from './lazy-changed-meanwhile.ts'
import { ResendNotice } from './ResendNotice.tsx'
import { SendButtons } from './SendButtons.tsx'
import { AnswerPromise, Honeypot } from './SurveyIntro.tsx'
import type { SurveyPageProps } from './SurveyPage.tsx'
import { checkAnswers } from '../questionnaire/answers.ts'
import { buildFieldName } from '../questionnaire/field-names.ts'
import { toSentFaults } from './form-faults.ts'
import { listAskedQuestions, type SurveyWalk } from '../questionnaire/walk-survey.ts'
import { isConditionMet } from '../questionnaire/conditions.ts'
import { insertPipedAnswers } from '../questionnaire/piped-answers.ts'
import type { Answers, Question } from '../surveys.schema.ts'
import { REVIEW_STEP, toReviewedStep } from '../questionnaire/step-ids.ts'
import { type SurveyStep, getPreviousStep } from '../questionnaire/steps.ts'
import type { StepAddress } from './use-step-address.ts'
import { useStepTitle } from './use-step-title.ts'
import { useSendAnswers } from './use-send-answers.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface ReviewProps extends Omit<SurveyPageProps, 'steps'> {
  steps: readonly SurveyStep[]
  walked: SurveyWalk
  answers: Answers
  place: StepAddress
}

/** All answers, to review and change before sending. */
export function ReviewStep({ survey, definition, version, steps, walked, answers, sending, form, place, meanwhile, profile }: ReviewProps) {
  const words = useSurveyWords()
  const { t, say } = words
  const { waiting, sendWhenReachable } = useSendAnswers(survey)
  const questions = listAskedQuestions(walked)
  const asked = questions
    .filter((question) => question.type !== 'info')
    .map((question) => insertPipedAnswers(question, questions, walked.kept, words))
  const stepOf = (question: Question) => steps.find((step) => step.questions.some((each) => each.id === question.id))?.id
  const refused = form?.values['step'] === REVIEW_STEP ? form : null
  const found = refused ? toSentFaults(checkAnswers(questions, walked.kept)) : []
  // Faults only the server can detect, such as a file that no longer exists.
  const faults = found.length > 0 ? found : (refused?.faults.filter(({ field }) => field?.startsWith('q.')) ?? [])
  const { summary } = describeFaults(words, asked, faults)
  useStepTitle(survey, t('review.title'), summary.length > 0)
  const full = definition.quotas?.find(({ when }) => isConditionMet(when, walked.kept))
  const ending = definition.endings?.find(({ id }) => id === full?.end)
  const isPreview = survey.state === 'preview'
  return (
    <>
      <PageTitle eyebrow={<Text words={survey.title} />} title={t('review.title')} lead={t('review.lead')} />
      {summary.length > 0 && (
        <ErrorSummary
          title={t('problem')}
          errors={summary.map(({ id, message }) => ({
            message,
            id: asked.find((each) => id.startsWith(buildFieldName(each.id)))?.id ?? id,
          }))}
        />
      )}
      {meanwhile && <ChangedMeanwhile definition={definition} meanwhile={meanwhile} answers={walked.kept} />}
      {refused && !meanwhile && summary.length === 0 && <ResendNotice survey={survey} form={refused} ending={ending} />}
      <dl className="definitions answers">
        {asked.map((question) => {
          const said = formatAnswer(words, question, getOwn(walked.kept, question.id))
          return (
            <div key={question.id}>
              <dt>
                <Text words={say(question.title)} />
              </dt>
              <dd>
                {said.length === 0 && <span className="meta">{t('receipt.no-answer')}</span>}
                {said.length === 1 && <WrittenText text={said[0] ?? ''} />}
                {said.length > 1 && (
                  <ul>
                    {said.map((each) => (
                      <li key={each}>{each}</li>
                    ))}
                  </ul>
                )}
              </dd>
              <dd className="definitions-action">
                <a {...place.follow(toReviewedStep(stepOf(question) ?? ''))} id={question.id}>
                  {t('review.change')} <span className="visually-hidden">{say(question.title).text}</span>
                </a>
              </dd>
            </div>
          )
        })}
      </dl>
      <form className="survey-send" method="post" action={place.href(REVIEW_STEP)} noValidate onSubmit={sendWhenReachable}>
        <input type="hidden" name="id" value={sending.id} />
        <input type="hidden" name="sendKey" value={sending.sendKey} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="step" value={REVIEW_STEP} />
        <input type="hidden" name="answers" value={JSON.stringify(answers)} />
        <Honeypot />
        {profile && <KeepInProfile profile={profile} questions={asked} />}
        {waiting && (
          <Notice kind="warning" title={t('offline.title')}>
            {t('offline.text')}
          </Notice>
        )}
        <div className="form-actions">
          <SendButtons meanwhile={meanwhile} disabled={isPreview} />
          <a {...place.follow(getPreviousStep(steps, REVIEW_STEP))} className={getButtonClass({ kind: 'secondary' })}>
            {t('steps.back')}
          </a>
        </div>
        <AnswerPromise survey={survey} definition={definition} />
      </form>
    </>
  )
}
