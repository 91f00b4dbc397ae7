import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ReceiptCode } from '#app/features/participation/ReceiptCode.tsx'
import { ReceiptMail } from '#app/features/participation/ReceiptMail.tsx'
import { getDirection } from '#app/lib/added-languages.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { listPersonalKinds } from '../questionnaire/personal-questions.ts'
import type { FormState } from '#app/server/request-context.ts'
import { AnswerList } from './AnswerList.tsx'
import type { Contribution } from '../surveys.views.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface ReceiptSlipProps {
  contribution: Contribution
  address: string
  /** State of the email form, if it was refused. */
  form: FormState | null
  /** The receipt was emailed just now. */
  sent: boolean
}

/** A contribution as its receipt shows it: code, answers, how they count and what came of them. */
export function ReceiptSlip({ contribution, address, form, sent }: ReceiptSlipProps) {
  const { t, format, language } = useSurveyWords()
  const { survey, project, withdrawnAt } = contribution
  const projectLink = (
    <Link to="/projects/$slug" params={{ slug: project.slug }} lang={project.title.lang} dir={getDirection(project.title.lang)}>
      {project.title.text}
    </Link>
  )
  return (
    <>
      <article className="receipt" aria-labelledby="receipt-heading">
        <header className="receipt-head">
          <h2 id="receipt-heading">{t('receipt.heading')}</h2>
          {!contribution.counted && !withdrawnAt && <p>{t('receipt.checked')}</p>}
          <ReceiptCode code={contribution.code} keep={t('receipt.keep')} address={address}>
            {!withdrawnAt &&
              (contribution.anonymous ? <p className="survey-note">{t('receipt.no-mail')}</p> : <ReceiptMail form={form} sent={sent} />)}
          </ReceiptCode>
        </header>
        <dl className="definitions">
          <ReceiptFact term={t('receipt.survey')}>
            <Text words={survey.title} />
          </ReceiptFact>
          <ReceiptFact term={t('receipt.project')}>{project.reachable ? projectLink : <Text words={project.title} />}</ReceiptFact>
          <ReceiptFact term={t('receipt.sent')}>
            {format.dateTime(contribution.submittedAt)}
            {contribution.editedAt && (
              <span className="receipt-note">{t('change.changed', { date: format.dateTime(contribution.editedAt) })}</span>
            )}
            {contribution.anonymous && (
              <span className="receipt-note">
                {t(listPersonalKinds(contribution.definition).length > 0 ? 'receipt.without-account' : 'receipt.anonymous')}
              </span>
            )}
          </ReceiptFact>
        </dl>
        {withdrawnAt ? (
          <Notice title={t('receipt.withdrawn', { date: format.dateTime(withdrawnAt) })}>{t('receipt.withdrawn-text')}</Notice>
        ) : (
          <>
            <h3>{t('receipt.said')}</h3>
            <AnswerList
              definition={contribution.definition}
              answers={contribution.answers}
              withFiles
              written={contribution.language === language ? undefined : contribution.language}
            />
          </>
        )}
      </article>
      {!withdrawnAt && <ReceiptOutcome contribution={contribution} />}
      {contribution.mayChange && <ChangeAnswersForm />}
      {contribution.mayWithdraw && <WithdrawAnswersForm />}
    </>
  )
}

function ReceiptFact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ReceiptOutcome({ contribution: { survey, project } }: { contribution: Contribution }) {
  const { t, format } = useSurveyWords()
  const { t: general } = useTranslation('receipt')
  return (
    <section className="stack receipt-next">
      <h2>{t('receipt.counted')}</h2>
      <p>{t('receipt.counted-text', { count: survey.responses, number: format.number(survey.responses) })}</p>
      <h2>{t('receipt.next')}</h2>
      <p>
        {survey.closesAt &&
          `${t(survey.state === 'closed' ? 'receipt.closed-on' : 'later.until', { date: format.dateTime(survey.closesAt) })} `}
        {t('receipt.told')}
      </p>
      <h2>{general('outcome')}</h2>
      {project.outcome.text ? (
        <RichText text={project.outcome.text} level={3} lang={project.outcome.lang} />
      ) : (
        <p>{general('no-outcome')}</p>
      )}
      {project.reachable && (
        <p className="row">
          {survey.resultsPublic && (
            <Link
              to="/projects/$slug/surveys/$survey/results"
              params={{ slug: project.slug, survey: survey.slug }}
              className={getButtonClass({ kind: 'secondary' })}
            >
              {t('receipt.results')}
            </Link>
          )}
          <Link to="/projects/$slug" params={{ slug: project.slug }} className={getButtonClass({ kind: 'secondary' })}>
            {t('state.see-project')}
          </Link>
        </p>
      )}
    </section>
  )
}

function ChangeAnswersForm() {
  const { t } = useSurveyWords()
  return (
    <form method="post" className="row no-print">
      <input type="hidden" name="form" value="change" />
      <Button type="submit" kind="secondary">
        {t('change.do')}
      </Button>
      <span className="survey-note">{t('change.keep')}</span>
    </form>
  )
}

function WithdrawAnswersForm() {
  const { t } = useSurveyWords()
  return (
    <details className="receipt-withdraw no-print">
      <summary>{t('receipt.withdraw')}</summary>
      <form method="post" className="stack">
        <input type="hidden" name="form" value="withdraw" />
        <p>{t('receipt.withdraw-text')}</p>
        <p>
          <Button type="submit" kind="danger">
            {t('receipt.withdraw-do')}
          </Button>
        </p>
      </form>
    </details>
  )
}
