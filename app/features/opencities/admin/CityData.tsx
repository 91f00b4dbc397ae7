import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { connectorsQuery, datasetsQuery } from '../connectors.queries.ts'
import { SynchronisationBadge } from './SynchronisationBadge.tsx'

type Datasets = Awaited<ReturnType<NonNullable<(typeof datasetsQuery)['queryFn']>>>
type Dataset = Datasets['data'][number]
type Connector = Awaited<ReturnType<NonNullable<(typeof connectorsQuery)['queryFn']>>>['data'][number]

/** The portals a site copies data from, and its datasets. */
export function CityData() {
  const { t } = useTranslation('city-admin')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const connectors = useQuery(connectorsQuery)
  const datasets = useQuery(datasetsQuery)
  const toTableState = ({ isError, isPending }: { isError: boolean; isPending: boolean }) =>
    isError ? 'error' : isPending ? 'loading' : 'ready'
  const failed = <Notice kind="error" title={admin('load-failed')} />
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('title')}
        meta={t('text')}
        actions={
          <Link to="/admin/city-data/new" className={getButtonClass()}>
            {t('new.title')}
          </Link>
        }
      />
      <h2>{t('datasets.title')}</h2>
      <DataTable
        caption={t('datasets.title')}
        columns={useDatasetColumns(datasets.data)}
        rows={datasets.data?.data ?? []}
        rowKey={(row) => row.id}
        state={toTableState(datasets)}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('datasets.none')}>{t('datasets.none-text')}</EmptyState>}
        error={failed}
      />
      <h2>{t('connectors.title')}</h2>
      <DataTable
        caption={t('connectors.title')}
        columns={useConnectorColumns()}
        rows={connectors.data?.data ?? []}
        rowKey={(row) => row.id}
        state={toTableState(connectors)}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('connectors.none')}>{t('connectors.none-text')}</EmptyState>}
        error={failed}
      />
    </div>
  )
}

function useDatasetColumns(data: Datasets | undefined): readonly Column<Dataset>[] {
  const { t } = useTranslation('city-admin')
  const format = useFormat()
  return [
    {
      id: 'title',
      head: t('datasets.name'),
      names: true,
      cell: (row) => (
        <Link to="/admin/city-data/datasets/$id" params={{ id: row.id }}>
          {row.title}
        </Link>
      ),
    },
    {
      id: 'published',
      head: t('datasets.shown'),
      cell: (row) =>
        row.published ? (
          <Badge tone="ok">{(data && findLinked(data, row.relationships.project)?.title) ?? t('datasets.on-site')}</Badge>
        ) : (
          <Badge hollow>{t('datasets.hidden')}</Badge>
        ),
    },
    { id: 'rows', head: t('datasets.rows'), align: 'end', secondary: true, cell: (row) => format.number(row.rows) },
    {
      id: 'state',
      head: t('datasets.state'),
      underName: true,
      cell: (row) => <SynchronisationBadge dataset={row} running={data && findLinked(data, row.relationships.synchronisation)} />,
    },
    {
      id: 'copied',
      head: t('datasets.copied'),
      secondary: true,
      cell: (row) => (row.synchronisedAt ? format.dateTime(row.synchronisedAt) : '–'),
    },
  ]
}

function useConnectorColumns(): readonly Column<Connector>[] {
  const { t } = useTranslation('city-admin')
  return [
    {
      id: 'name',
      head: t('connectors.name'),
      names: true,
      cell: (row) => (
        <Link to="/admin/city-data/$id" params={{ id: row.id }}>
          {row.name}
        </Link>
      ),
    },
    { id: 'kind', head: t('connectors.kind'), secondary: true, cell: (row) => t(`kinds.${row.kind}`) },
    { id: 'address', head: t('connectors.address'), secondary: true, cell: (row) => row.portalUrl },
    {
      id: 'state',
      head: t('datasets.state'),
      underName: true,
      cell: (row) =>
        row.pausedUntil ? <Badge tone="bad">{t('connectors.paused')}</Badge> : <Badge tone="ok">{t('connectors.works')}</Badge>,
    },
  ]
}
