import { Link } from '@tanstack/react-router'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { countPossibleQuestions, countQuestions } from '../questionnaire/answers.ts'
import { listPersonalKinds } from '../questionnaire/personal-questions.ts'
import type { Definition, Question } from '../surveys.schema.ts'
import type { GivenAnswers, SurveyView } from '../surveys.views.ts'
import { GivenNotice } from './lazy-given-notice.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface SurveyIntroProps {
  survey: SurveyView
  definition: Definition
  /** The questions, as far as they are known yet. */
  questions: readonly Question[]
  /** Whether answers change which questions are asked. */
  branches?: boolean
  now: Date
  given?: GivenAnswers | null | undefined
}

/** What a survey is about, before its first question. */
export function SurveyIntro({ survey, definition, questions, branches = false, now, given }: SurveyIntroProps) {
  const { t } = useSurveyWords()
  return (
    <>
      <PreviewNotice survey={survey} />
      {given && <GivenNotice given={given} />}
      <PageTitle title={<Text words={survey.title} />}>
        {survey.intro.text && <RichText text={survey.intro.text} lang={survey.intro.lang} className="lead" />}
        <SurveyFacts
          survey={survey}
          questions={branches ? countPossibleQuestions(definition.pages) : countQuestions(questions)}
          branches={branches}
          now={now}
        />
        <AnswerPromise survey={survey} definition={definition} />
        {survey.byText && <p className="survey-note">{t('by-text', survey.byText)}</p>}
        {questions.some((question) => question.required) && <p className="survey-note">{t('required-note')}</p>}
        {!given && (
          <p className="survey-note">
            {t('given.already')} <Link to="/receipt">{t('find.title')}</Link>
          </p>
        )}
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

function SurveyFacts({ survey, questions, branches, now }: Pick<SurveyIntroProps, 'survey' | 'branches' | 'now'> & { questions: number }) {
  const { t, format } = useSurveyWords()
  const facts = [
    ...(survey.minutes ? [t('meta.minutes', { count: survey.minutes })] : []),
    t(branches ? 'meta.questions-up-to' : 'meta.questions', { count: questions }),
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

/** How the answers are used, in plain words. Must not promise anything that a question of the survey breaks. */
export function AnswerPromise({ survey, definition }: { survey: SurveyView; definition: Definition }) {
  const { t, format } = useSurveyWords()
  const { access } = survey
  const account = !['anyone', 'anyone_once', 'invited', 'verified'].includes(access)
  const asked = listPersonalKinds(definition)
  const things = format.list(asked.map((kind) => t(`promise.asked.${kind}`)))
  return (
    <p className="form-promise">
      {survey.anonymous && asked.length === 0
        ? t('promise.anonymous')
        : survey.anonymous
          ? t('promise.anonymous-asked', { things })
          : account
            ? t('promise.account')
            : t(asked.length > 0 ? 'promise.open-asked' : 'promise.open', { things })}{' '}
      {survey.anonymous && access !== 'anyone' && `${t('promise.once')} `}
      {t('promise.receipt')}
    </p>
  )
}

/** A hidden field that bots fill in: a form that has it filled in is returned and not stored. */
export function Honeypot() {
  return (
    <div className="survey-trap" aria-hidden="true">
      <label>
        Website <input type="text" name="website" tabIndex={-1} autoComplete="off" defaultValue="" />
      </label>
    </div>
  )
}
