import { Fragment, type ReactNode, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { describeFaults } from './fault-words.ts'
import { QuestionField } from './QuestionField.tsx'
import { ResendNotice } from './ResendNotice.tsx'
import { SurveyBar } from './SurveyBar.tsx'
import type { SurveyPageProps } from './SurveyPage.tsx'
import { questionsOf } from './surveys.answers.ts'
import type { Page } from './surveys.schema.ts'
import type { SurveyView } from './surveys.views.ts'
import { type KeptAnswers, useKeptAnswers } from './use-kept-answers.ts'
import { useSurveyWords } from './use-survey-words.ts'

/** The sections of a survey on one page, as a plain form. */
export function AnswerForm({ survey, version, definition, sending, now, form }: SurveyPageProps) {
  const words = useSurveyWords()
  const { t } = words
  const element = useRef<HTMLFormElement>(null)
  const kept = useKeptAnswers(element, survey.id, definition, form !== null)
  const questions = questionsOf(definition)
  const asked = questions.filter((question) => question.type !== 'info').length
  const values = form?.values ?? {}
  const { byField, summary } = describeFaults(words, questions, form?.faults ?? [])
  const text = (name: string, fallback: string) => (typeof values[name] === 'string' ? values[name] : fallback)
  const isPreview = survey.state === 'preview'
  return (
    <>
      <SurveyBar project={survey.project}>
        <Progress kept={kept} questions={asked} />
      </SurveyBar>
      {isPreview && (
        <Notice kind="warning" title={t('state.preview')}>
          {t('state.preview-text')}
        </Notice>
      )}
      <PageTitle title={<Text words={survey.title} />}>
        {survey.intro.text && <RichText text={survey.intro.text} lang={survey.intro.lang} className="lead" />}
        <Facts survey={survey} questions={asked} now={now} />
        {questions.some((question) => question.required) && <p className="survey-note">{t('required-note')}</p>}
      </PageTitle>
      {summary.length > 0 && <ErrorSummary key={sending.id} title={t('problem')} errors={summary} />}
      {form && summary.length === 0 && <ResendNotice survey={survey} form={form} />}
      <form className="survey-form" method="post" noValidate ref={element}>
        <input type="hidden" name="id" value={kept.sending?.id ?? text('id', sending.id)} />
        <input type="hidden" name="sendKey" value={kept.sending?.sendKey ?? text('sendKey', sending.sendKey)} />
        <input type="hidden" name="version" value={text('version', String(version))} />
        {definition.pages.map((page, index) => (
          <Section key={page.id} page={page} number={index + 1} total={definition.pages.length}>
            {page.questions
              .filter((question) => !question.removed)
              .map((question) => (
                <QuestionField key={question.id} question={question} values={values} errors={byField} />
              ))}
          </Section>
        ))}
        <div className="survey-send">
          <div className="form-actions">
            <Button type="submit" disabled={isPreview}>
              {t('send')}
            </Button>
            {kept.kept && (
              <Button type="button" kind="plain" onClick={() => window.confirm(t('clear-sure')) && kept.forget()}>
                {t('clear')}
              </Button>
            )}
          </div>
          <Promise survey={survey} />
        </div>
      </form>
    </>
  )
}

/** What is answered and safe already. */
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

function Section({ page, number, total, children }: { page: Page; number: number; total: number; children: ReactNode }) {
  const { t, say } = useSurveyWords()
  const [title, intro] = [say(page.title), say(page.intro)]
  if (!title.text && !intro.text) return <Fragment>{children}</Fragment>
  return (
    <section className="survey-section" aria-labelledby={title.text ? `part-${page.id}` : undefined}>
      <header>
        {title.text && (
          <>
            {total > 1 && <p className="eyebrow">{t('part', { number, total })}</p>}
            <h2 id={`part-${page.id}`} lang={title.lang}>
              {title.text}
            </h2>
          </>
        )}
        {intro.text && <RichText text={intro.text} level={3} lang={intro.lang} />}
      </header>
      {children}
    </section>
  )
}

function Promise({ survey }: { survey: SurveyView }) {
  const { t } = useSurveyWords()
  const account = survey.access !== 'anyone' && survey.access !== 'anyone_once'
  return (
    <p className="form-promise">
      {survey.anonymous ? t('promise.anonymous') : account ? t('promise.account') : t('promise.open')} {t('promise.receipt')}
    </p>
  )
}
