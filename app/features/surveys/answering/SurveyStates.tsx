import { Link } from '@tanstack/react-router'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { AnswerList } from './AnswerList.tsx'
import { GivenNotice } from './lazy-given-notice.ts'
import { InvitationForm } from './InvitationForm.tsx'
import { buildSignInHref } from './ResendNotice.tsx'
import { SurveyBar } from './SurveyBar.tsx'
import { listQuestions, readAnswers } from '../questionnaire/answers.ts'
import type { GivenAnswers, SurveyForAnswering, SurveyView } from '../surveys.views.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface StateProps extends Pick<SurveyForAnswering, 'survey' | 'definition' | 'draft'> {
  now: Date
  form: FormState | null
  given?: GivenAnswers | null
}

/** Replaces a survey that the viewer cannot answer now: why, what to do instead, and anything they had written. */
export function SurveyClosedToViewer({ survey, definition, draft, form, given }: StateProps) {
  const { t } = useSurveyWords()
  const unsent = { ...draft, ...(form ? readAnswers(listQuestions(definition), form.values) : {}) }
  const hasUnsent = Object.keys(unsent).length > 0
  return (
    <>
      <SurveyBar project={survey.project} />
      {given && <GivenNotice given={given} />}
      <PageTitle
        eyebrow={<Text words={survey.title} />}
        title={hasUnsent ? <UnsentTitle survey={survey} /> : <StateTitle survey={survey} />}
      >
        {!hasUnsent && (
          <p className="lead">
            <StateText survey={survey} />
          </p>
        )}
      </PageTitle>
      {hasUnsent && (
        <section className="stack survey-unsent">
          <p>{t('unsent.text')}</p>
          <AnswerList definition={definition} answers={unsent} onlyAnswered />
        </section>
      )}
      {survey.state === 'open' && survey.access === 'invited' && (survey.refusal === 'invitation' || survey.refusal === 'answered') && (
        <InvitationForm refusal={survey.refusal} form={form?.form === 'invitation' ? form : null} />
      )}
      <div className="row">
        <StateActions survey={survey} given={given} />
      </div>
    </>
  )
}

function UnsentTitle({ survey }: { survey: SurveyView }) {
  const { t } = useSurveyWords()
  if (survey.state !== 'open') return t('unsent.closed')
  return t(survey.refusal && survey.refusal !== 'answered' ? `state.${survey.refusal}` : 'unsent.answered')
}

function StateTitle({ survey }: { survey: SurveyView }) {
  const { t, format } = useSurveyWords()
  if (survey.state === 'scheduled' && survey.opensAt) return t('state.scheduled', { date: format.dateTime(survey.opensAt) })
  if (survey.state === 'open' && survey.refusal) return t(`state.${survey.refusal}`)
  return survey.closesAt ? t('state.closed-on', { date: format.date(survey.closesAt) }) : t('state.closed')
}

function StateText({ survey }: { survey: SurveyView }) {
  const { t, format } = useSurveyWords()
  if (survey.state === 'scheduled') return t('state.scheduled-text')
  if (survey.state === 'open' && survey.refusal) return t(`state.${survey.refusal}-text`)
  const counted = t('state.closed-counted', { count: survey.responses, number: format.number(survey.responses) })
  return `${counted} ${survey.resultsPublic ? t('state.closed-results') : t('state.closed-later')}`
}

function StateActions({ survey, given }: Pick<StateProps, 'survey' | 'given'>) {
  const { t } = useSurveyWords()
  const project = { to: '/projects/$slug', params: { slug: survey.project.slug } } as const
  const next = `/projects/${survey.project.slug}/surveys/${survey.slug}`
  const showsResults = survey.resultsPublic && (survey.state === 'closed' || survey.refusal === 'answered')
  return (
    <>
      {survey.state === 'open' && survey.refusal === 'sign-in' && (
        <>
          <a className={getButtonClass()} href={buildSignInHref('/sign-in', next)}>
            {t('state.do-sign-in')}
          </a>
          <a className={getButtonClass({ kind: 'secondary' })} href={buildSignInHref('/register', next)}>
            {t('state.register')}
          </a>
        </>
      )}
      {survey.state === 'open' && survey.refusal === 'verification' && (
        <a className={getButtonClass()} href={buildSignInHref('/verify', next)}>
          {t('state.do-verify')}
        </a>
      )}
      {survey.state === 'open' && survey.refusal === 'confirm' && (
        <a className={getButtonClass()} href={toLocalHref('/account')}>
          {t('state.account')}
        </a>
      )}
      {showsResults && (
        <Link
          to="/projects/$slug/surveys/$survey/results"
          params={{ slug: survey.project.slug, survey: survey.slug }}
          className={getButtonClass()}
        >
          {t('state.see-results')}
        </Link>
      )}
      {survey.state === 'open' && survey.refusal === 'answered' && !given && (
        <Link to="/receipt" className={getButtonClass({ kind: showsResults ? 'secondary' : 'primary' })}>
          {t('state.find-receipt')}
        </Link>
      )}
      <Link {...project} className={getButtonClass({ kind: 'secondary' })}>
        {survey.state === 'scheduled' || (survey.state === 'closed' && !survey.resultsPublic) ? t('state.follow') : t('state.see-project')}
      </Link>
    </>
  )
}
