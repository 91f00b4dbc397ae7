import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { Card, Meta } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { Text } from '#app/ui/text.tsx'
import { CONTRIBUTIONS_PER_PAGE, type OwnContributionEntry } from '../record/contributions.schema.ts'

interface OwnContributionsPageProps {
  rows: readonly OwnContributionEntry[]
  total: number
  page: number
}

/** What somebody sent to activities with their account, each linked to its receipt. */
export function OwnContributionsPage({ rows, total, page }: OwnContributionsPageProps) {
  const { t } = useTranslation('contributions')
  const { t: account } = useTranslation('account')
  const { t: site } = useTranslation('participant')
  const format = useFormat()
  return (
    <div className="page wrap-narrow stack">
      <Breadcrumbs
        label={site('site.breadcrumbs')}
        links={[
          <Link key="account" to="/account">
            {account('account.title')}
          </Link>,
        ]}
        current={t('own.title')}
      />
      <PageTitle title={t('own.title')} lead={t('own.lead')} />
      {rows.map((row) => (
        <OwnContributionCard key={row.id} row={row} />
      ))}
      {rows.length === 0 && (
        <EmptyState title={t('own.none')} action={<Link to="/projects">{t('own.see-projects')}</Link>}>
          {t('own.none-text')}
        </EmptyState>
      )}
      <Pagination
        label={t('pages.label')}
        page={page}
        pages={Math.ceil(total / CONTRIBUTIONS_PER_PAGE)}
        previous={t('pages.previous')}
        next={t('pages.next')}
        pageLabel={(number) => t('pages.page', { number: format.number(number) })}
        link={(number, children, attributes) => (
          <Link to="/account/contributions" search={number > 1 ? { page: number } : {}} {...attributes}>
            {children}
          </Link>
        )}
      />
    </div>
  )
}

function OwnContributionCard({ row }: { row: OwnContributionEntry }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { activity, answered, state } = row
  return (
    <Card>
      <div className="stack">
        <h2 className="text-step-1">
          <Link
            to="/projects/$slug/$activity/receipt"
            params={{ slug: row.project, activity: activity.slug }}
            search={{ number: String(row.number) }}
            lang={row.language}
            dir={getDirection(row.language)}
          >
            {row.title || t('number', { number: row.number })}
          </Link>
        </h2>
        <Meta
          items={[
            <Text key="activity" words={activity.title} />,
            t('number', { number: row.number }),
            <time key="at" dateTime={row.submittedAt}>
              {format.date(row.submittedAt)}
            </time>,
          ]}
        />
        <p className="row">
          {answered ? (
            <Tag>{t(answered === 'private' ? 'own.answered-privately' : 'question.answered')}</Tag>
          ) : (
            <Tag>{t(`own.states.${state}`)}</Tag>
          )}
        </p>
        {(state === 'declined' || state === 'removed') && (
          <p>
            <Link
              to="/projects/$slug/$activity/receipt"
              params={{ slug: row.project, activity: activity.slug }}
              search={{ number: String(row.number) }}
              hash="next"
            >
              {t('own.appeal')}
              <span className="visually-hidden">: {row.title || t('number', { number: row.number })}</span>
            </Link>
          </p>
        )}
      </div>
    </Card>
  )
}
