import { useRef } from 'react'
import { LanguageButtons } from '#app/features/participation/keeping/LanguageButtons.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { describeFaults } from './describe-faults.ts'
import { FromProfile, KeepInProfile } from './lazy-from-profile.ts'
import { ChangedMeanwhile } from './lazy-changed-meanwhile.ts'
import { FinishLater } from './lazy-finish-later.ts'
import { QuestionField } from './QuestionField.tsx'
import { ResendNotice } from './ResendNotice.tsx'
import { SendButtons } from './SendButtons.tsx'
import { SurveyBar } from './SurveyBar.tsx'
import { SurveyIntro, Honeypot } from './SurveyIntro.tsx'
import type { SurveyPageProps } from './SurveyPage.tsx'
import { SurveySection } from './SurveySection.tsx'
import { countQuestions, getFormEncoding, readAnswers, toFormValues } from '../questionnaire/answers.ts'
import { listAskedQuestions, walkSurvey } from '../questionnaire/walk-survey.ts'
import { LATER_STEP } from '../questionnaire/step-ids.ts'
import { type KeptAnswers, useKeptAnswers } from './use-kept-answers.ts'
import { useSendAnswers } from './use-send-answers.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

/** All sections of a survey on one page, as a plain form. */
export function AnswerForm({
  survey,
  version,
  definition,
  draft,
  sending,
  now,
  form,
  address,
  step,
  given,
  maps,
  meanwhile,
  profile,
}: SurveyPageProps) {
  const words = useSurveyWords()
  const { t } = words
  const element = useRef<HTMLFormElement>(null)
  const isPreview = survey.state === 'preview'
  const kept = useKeptAnswers(element, isPreview ? null : survey.id, definition, form !== null || draft !== null)
  const { waiting, sendWhenReachable } = useSendAnswers(survey)
  const action = useFormAction()
  const begun = kept.sending ?? sending
  const { pages } = walkSurvey(definition, {}, begun.id)
  const questions = listAskedQuestions({ pages, end: '', kept: {} })
  const asked = countQuestions(questions)
  const values = form?.values ?? toFormValues(questions, draft ?? profile?.filled ?? {})
  const { byField, summary } = describeFaults(words, questions, form?.faults ?? [])
  const readField = (name: string, fallback: string) => (typeof values[name] === 'string' ? values[name] : fallback)
  if (step === LATER_STEP && draft) return <FinishLater survey={survey} definition={definition} sending={sending} address={address} />
  return (
    <>
      <SurveyBar project={survey.project}>
        <Progress kept={kept} questions={asked} />
      </SurveyBar>
      <SurveyIntro survey={survey} definition={definition} questions={questions} now={now} given={given} />
      {summary.length > 0 && <ErrorSummary key={sending.id} title={t('problem')} errors={summary} />}
      {meanwhile && <ChangedMeanwhile definition={definition} meanwhile={meanwhile} answers={readAnswers(questions, values)} />}
      {form && !meanwhile && summary.length === 0 && <ResendNotice survey={survey} form={form} />}
      <form
        className="survey-form"
        method="post"
        encType={getFormEncoding(questions)}
        action={action}
        noValidate
        ref={element}
        onSubmit={sendWhenReachable}
      >
        <input type="hidden" name="id" value={kept.sending?.id ?? readField('id', sending.id)} />
        <input type="hidden" name="sendKey" value={kept.sending?.sendKey ?? readField('sendKey', sending.sendKey)} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="shown" value={questions.map((question) => question.id).join(' ')} />
        <Honeypot />
        {profile && <FromProfile profile={profile} questions={questions} values={values} />}
        {pages.map(({ page, questions: own }, index) => (
          <SurveySection key={page.id} page={page} number={index + 1} total={pages.length}>
            {own.map((question) => (
              <QuestionField key={question.id} question={question} values={values} errors={byField} map={maps?.[question.id]} />
            ))}
          </SurveySection>
        ))}
        <div className="survey-send">
          {profile && <KeepInProfile profile={profile} questions={questions} />}
          {waiting && (
            <Notice kind="warning" title={t('offline.title')}>
              {t('offline.text')}
            </Notice>
          )}
          <div className="form-actions">
            <SendButtons meanwhile={meanwhile} disabled={isPreview} />
            <Button type="submit" kind="plain" name="go" value="later" disabled={isPreview}>
              {t('later.button')}
            </Button>
            {kept.kept && (
              <Button type="button" kind="plain" onClick={() => window.confirm(t('clear-sure')) && kept.forget()}>
                {t('clear')}
              </Button>
            )}
          </div>
          <noscript>{import.meta.env.SSR && <LanguageButtons />}</noscript>
        </div>
      </form>
    </>
  )
}

/** Answers so far, and whether they are saved. */
function Progress({ kept, questions }: { kept: KeptAnswers; questions: number }) {
  const { t } = useSurveyWords()
  if (kept.kept === undefined) return null
  return (
    <span className="survey-kept">
      <span>{t('progress', { done: kept.answered, count: questions })}</span>
      {kept.kept && (
        <output>
          <Icon name="check" />
          {kept.restored ? t('restored') : t('saved')}
        </output>
      )}
    </span>
  )
}
