import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { Card, Meta } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { Text } from '#app/ui/text.tsx'
import { ReceiptSlip } from './lazy-receipt-slip.ts'
import { OWN_ANSWERS_PER_PAGE } from '../questionnaire/answer-limits.ts'
import type { Contribution, OwnAnswer } from '../surveys.views.ts'
import { useForgetAnswers } from './use-forget-answers.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface OwnAnswersProps {
  rows: readonly OwnAnswer[]
  total: number
  page: number
  /** One was withdrawn just now. */
  withdrawn: boolean
}

/** Everything the account has answered, each linked to its receipt. */
export function OwnAnswersPage({ rows, total, page, withdrawn }: OwnAnswersProps) {
  const { t, format } = useSurveyWords()
  const { t: site } = useTranslation('participant')
  return (
    <div className="page wrap-narrow stack">
      <OwnAnswersBreadcrumbs title={t('own.title')} />
      {withdrawn && <Notice kind="success">{t('own.withdrawn')}</Notice>}
      <PageTitle title={t('own.title')} lead={t('own.lead')} />
      {rows.map((row) => (
        <OwnAnswerCard key={row.id} answer={row} />
      ))}
      {rows.length === 0 && (
        <EmptyState title={t('own.none')} action={<Link to="/projects">{t('own.see-projects')}</Link>}>
          {t('own.none-text')}
        </EmptyState>
      )}
      <Pagination
        label={site('pages.label')}
        page={page}
        pages={Math.ceil(total / OWN_ANSWERS_PER_PAGE)}
        previous={site('pages.previous')}
        next={site('pages.next')}
        pageLabel={(number) => site('pages.page', { number: format.number(number) })}
        link={(number, children, attributes) => (
          <Link to="/account/answers" search={number > 1 ? { page: number } : {}} {...attributes}>
            {children}
          </Link>
        )}
      />
      <p className="survey-note">
        {t('own.anonymous')} <Link to="/receipt">{t('find.title')}</Link>
      </p>
    </div>
  )
}

function OwnAnswerCard({ answer }: { answer: OwnAnswer }) {
  const { t, format } = useSurveyWords()
  const { submittedAt, editedAt, open, changeable, closesAt } = answer
  return (
    <Card>
      <div className="row">
        <div className="stack">
          <h2 className="text-step-1">
            <Link to="/account/answers/$id" params={{ id: answer.id }}>
              <Text words={answer.survey} />
            </Link>
          </h2>
          <Meta
            items={[
              answer.project.text,
              t('own.sent', { date: format.dateTime(submittedAt) }),
              ...(editedAt ? [t('change.changed', { date: format.dateTime(editedAt) })] : []),
            ]}
          />
          {open && (
            <p className="survey-note">
              {t(changeable ? 'own.changeable' : 'own.withdrawable')}
              {closesAt && ` ${t('own.until', { date: format.dateTime(closesAt) })}`}
            </p>
          )}
        </div>
        <div className="row-end">
          <Tag kind={open ? 'open' : 'closed'}>{t(open ? 'own.open' : 'own.closed')}</Tag>
        </div>
      </div>
    </Card>
  )
}

/** One answer: what was said, how it is used, and how to change or withdraw it. */
export function OwnAnswerPage({ contribution, journey }: { contribution: Contribution; journey: ReactNode }) {
  useForgetAnswers(contribution.survey.id)
  return (
    <div className="page wrap-narrow stack survey-receipt">
      <OwnAnswersBreadcrumbs title={contribution.survey.title.text} within />
      <PageTitle title={<Text words={contribution.survey.title} />} />
      <Suspense>
        <ReceiptSlip contribution={contribution} address="" form={null} sent={false} />
        {journey}
      </Suspense>
    </div>
  )
}

function OwnAnswersBreadcrumbs({ title, within = false }: { title: string; within?: boolean }) {
  const { t } = useSurveyWords()
  const { t: account } = useTranslation('account')
  const { t: site } = useTranslation('participant')
  const links = [
    <Link key="account" to="/account">
      {account('account.title')}
    </Link>,
    ...(within
      ? [
          <Link key="answers" to="/account/answers">
            {t('own.title')}
          </Link>,
        ]
      : []),
  ]
  return <Breadcrumbs label={site('site.breadcrumbs')} links={links} current={title} />
}
