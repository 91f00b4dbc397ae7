import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { DatasetChart } from './DatasetChart.tsx'
import { DatasetMap } from './DatasetMap.tsx'
import { DatasetTable } from './DatasetTable.tsx'
import { ROWS_PER_PAGE } from './opencities.schema.ts'
import type { DatasetView } from './dataset-views.schema.ts'

/** A published dataset: drawn if possible, always as a table, always with its source and age. */
export function DatasetPage({ data }: { data: DatasetView }) {
  const { t } = useTranslation('city-data')
  const { t: common } = useTranslation('participant')
  const { project } = data
  return (
    <div className="page wrap">
      <Breadcrumbs
        label={common('site.breadcrumbs')}
        links={[
          <Link key="home" to="/">
            {common('site.home')}
          </Link>,
          project ? (
            <Link key="project" to="/projects/$slug" params={{ slug: project.slug }}>
              <Text words={project.title} />
            </Link>
          ) : (
            <Link key="data" to="/data" activeOptions={{ exact: true }}>
              {t('list.title')}
            </Link>
          ),
        ]}
        current={<Text words={data.title} />}
      />
      <PageTitle title={<Text words={data.title} />} lead={data.description.text && <Text words={data.description} />} />
      <div className="stack">
        {data.failing && (
          <Notice kind="warning" title={t('stale.title')}>
            <Age data={data} />
          </Notice>
        )}
        <Facts data={data} />
        {data.chart && <DatasetChart chart={data.chart} />}
        {data.map && <DatasetMap map={data.map} first={(data.page - 1) * ROWS_PER_PAGE + 1} />}
        <DatasetTable data={data} />
      </div>
    </div>
  )
}

function Age({ data }: { data: DatasetView }) {
  const { t } = useTranslation('city-data')
  const format = useFormat()
  return <>{t('stale.text', { when: format.relative(data.synchronisedAt, data.now), date: format.date(data.synchronisedAt) })}</>
}

function Facts({ data }: { data: DatasetView }) {
  const { t } = useTranslation('city-data')
  const format = useFormat()
  const { publisher, licence, licenceUrl, sourceUrl, sourceUpdatedAt } = data
  const source = publisher || (sourceUrl ? new URL(sourceUrl).hostname : '')
  return (
    <div className="dataset-facts">
      <DefinitionList
        items={[
          ...(source ? [{ term: t('facts.source'), value: sourceUrl ? <a href={sourceUrl}>{source}</a> : source }] : []),
          {
            term: t('facts.licence'),
            value: licenceUrl ? <a href={licenceUrl}>{licence || licenceUrl}</a> : licence || t('facts.no-licence'),
          },
          ...(sourceUpdatedAt
            ? [{ term: t('facts.updated'), value: <time dateTime={sourceUpdatedAt}>{format.date(sourceUpdatedAt)}</time> }]
            : []),
          {
            term: t('facts.copied'),
            value: (
              <>
                <time dateTime={data.synchronisedAt}>{format.date(data.synchronisedAt)}</time>{' '}
                {!data.failing && t('facts.checked', { when: format.relative(data.checkedAt, data.now) })}
              </>
            ),
          },
          { term: t('facts.rows'), value: format.number(data.rows) },
        ]}
      />
      <ButtonLink kind="secondary" href={toLocalHref(`/data/${data.slug}.csv`)}>
        {t('download')}
      </ButtonLink>
    </div>
  )
}
