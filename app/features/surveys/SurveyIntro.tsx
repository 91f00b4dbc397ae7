import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import type { Question } from './surveys.schema.ts'
import type { SurveyView } from './surveys.views.ts'
import { useSurveyWords } from './use-survey-words.ts'

/** What a survey is about, before its first question. */
export function SurveyIntro({ survey, questions, now }: { survey: SurveyView; questions: readonly Question[]; now: Date }) {
  const { t } = useSurveyWords()
  const asked = questions.filter((question) => question.type !== 'info')
  return (
    <>
      <PreviewNotice survey={survey} />
      <PageTitle title={<Text words={survey.title} />}>
        {survey.intro.text && <RichText text={survey.intro.text} lang={survey.intro.lang} className="lead" />}
        <Facts survey={survey} questions={asked.length} now={now} />
        {asked.some((question) => question.required) && <p className="survey-note">{t('required-note')}</p>}
      </PageTitle>
    </>
  )
}

export function PreviewNotice({ survey }: { survey: SurveyView }) {
  const { t } = useSurveyWords()
  if (survey.changing) return <Notice title={t('change.title')}>{t('change.text')}</Notice>
  if (survey.state !== 'preview') return null
  return (
    <Notice kind="warning" title={t('state.preview')}>
      {t('state.preview-text')}
    </Notice>
  )
}

function Facts({ survey, questions, now }: { survey: SurveyView; questions: number; now: Date }) {
  const { t, format } = useSurveyWords()
  const facts = [
    ...(survey.minutes ? [t('meta.minutes', { count: survey.minutes })] : []),
    t('meta.questions', { count: questions }),
    ...(survey.closesAt && survey.state === 'open' ? [t('meta.open-until', { date: format.day(survey.closesAt, now) })] : []),
    ...(survey.responses > 0 ? [t('meta.answered', { count: survey.responses, number: format.number(survey.responses) })] : []),
  ]
  return (
    <ul className="meta">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  )
}

/** What becomes of the answers, in plain words. */
export function AnswerPromise({ survey }: { survey: SurveyView }) {
  const { t } = useSurveyWords()
  const { access } = survey
  const account = access !== 'anyone' && access !== 'anyone_once' && access !== 'invited'
  return (
    <p className="form-promise">
      {survey.anonymous ? t('promise.anonymous') : account ? t('promise.account') : t('promise.open')}{' '}
      {survey.anonymous && access !== 'anyone' && `${t('promise.once')} `}
      {t('promise.receipt')}
    </p>
  )
}

/** A field that nobody sees and programs fill in: what is sent with it comes back, and is not stored. */
export function Trap() {
  return (
    <div className="survey-trap" aria-hidden="true">
      <label>
        Website <input type="text" name="website" tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  )
}
