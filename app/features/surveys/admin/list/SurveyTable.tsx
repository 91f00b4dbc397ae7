import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Formatter } from '#app/lib/format.ts'
import { SURVEY_STATUSES } from '#app/lib/vocabulary/surveys.ts'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { type Column, DataTable, type SortDirection } from '#app/ui/admin/data-table.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { SURVEY_TABLE_SORTS, type SurveyTableSearch } from '../../managing/survey-table-search.ts'
import { SURVEYS_PER_TABLE, surveyProjectsQuery, surveyTableQuery } from '../../surveys.queries.ts'
import { SurveyStatus } from '../SurveyStatus.tsx'

type SurveyList = Awaited<ReturnType<NonNullable<ReturnType<typeof surveyTableQuery>['queryFn']>>>
type Row = SurveyList['data'][number]

/** The surveys the viewer may edit, for one project or all: search, filters, sorting and paging run on the server. */
export function SurveyTable({ search }: { search: SurveyTableSearch }) {
  const { t } = useTranslation('survey-admin')
  const { t: importing } = useTranslation('survey-data')
  const { t: common } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const ownProjects = useQuery(surveyProjectsQuery).data
  const projects = ownProjects ?? []
  const { data, isError, isPlaceholderData, isPending, refetch } = useQuery(surveyTableQuery(search))
  const change = (next: { [K in keyof SurveyTableSearch]?: SurveyTableSearch[K] | undefined }) =>
    void navigate({ to: '/admin/surveys', search: omitUnset({ ...search, page: undefined, ...next }) })
  const sort = search.sort ?? '-updatedAt'
  const sortLink = (column: string, direction: SortDirection, children: ReactNode) => {
    const by = SURVEY_TABLE_SORTS.find((name) => name === column)
    return (
      <Link
        to="/admin/surveys"
        search={omitUnset({ ...search, page: undefined, ...(by ? { sort: direction === 'descending' ? (`-${by}` as const) : by } : {}) })}
      >
        {children}
      </Link>
    )
  }
  // Someone else's project: its surveys are left out, which must not look as if there were none.
  const isForeign = search.project !== undefined && ownProjects?.every(({ id }) => id !== search.project)
  const filtered = Boolean(search.q || search.status || search.project)
  return (
    <>
      <PageHeader
        title={t('list.title')}
        actions={
          projects.length > 0 && (
            <>
              <Link
                to="/admin/surveys/import"
                search={search.project ? { project: search.project } : {}}
                className={getButtonClass({ kind: 'secondary' })}
              >
                {importing('import.open')}
              </Link>
              <Link to="/admin/surveys/new" search={search.project ? { project: search.project } : {}} className={getButtonClass()}>
                {t('list.new')}
              </Link>
            </>
          )
        }
      />
      <FilterBar>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const q = new FormData(event.currentTarget).get('q')
              change({ q: typeof q === 'string' ? q.trim() : '' })
            }}
          >
            <SearchField key={search.q ?? ''} name="q" label={t('list.search')} button={t('list.find')} defaultValue={search.q ?? ''} />
          </form>
        </search>
        <SelectInput
          name="status"
          label={t('list.status')}
          value={search.status ?? 'any'}
          onChange={(status) => change({ status: status === 'any' ? undefined : status })}
          options={[
            { value: 'any' as const, label: t('list.any-status') },
            ...SURVEY_STATUSES.map((status) => ({ value: status, label: t(`list.statuses.${status}`) })),
          ]}
        />
        <SelectInput
          name="project"
          label={t('list.project')}
          value={search.project ?? 'any'}
          onChange={(project) => change({ project: project === 'any' ? undefined : project })}
          options={[{ value: 'any', label: t('list.any-project') }, ...projects.map(({ id, title }) => ({ value: id, label: title }))]}
        />
      </FilterBar>
      <DataTable
        caption={t('list.title')}
        columns={surveyColumns(t, format, data)}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        sort={{ column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 'descending' : 'ascending' }}
        sortLink={sortLink}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          isForeign ? (
            <EmptyState title={t('list.foreign')} action={<Link to="/admin/surveys">{t('list.all')}</Link>}>
              {t('list.foreign-text')}
            </EmptyState>
          ) : filtered ? (
            <EmptyState title={t('list.none-match')} action={<Link to="/admin/surveys">{t('list.all')}</Link>} />
          ) : (
            <EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>
          )
        }
        error={
          <Notice kind="error" title={t('load-failed')}>
            <Button kind="secondary" size="small" onClick={() => void refetch()}>
              {common('try-again')}
            </Button>
          </Notice>
        }
        foot={
          <TableFoot
            total={data?.meta.total ?? 0}
            page={search.page ?? 1}
            size={SURVEYS_PER_TABLE}
            link={(page, children, attributes) => (
              <Link to="/admin/surveys" search={omitUnset({ ...search, page })} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
    </>
  )
}

type Translate = ReturnType<typeof useTranslation<'survey-admin'>>['t']

function surveyColumns(t: Translate, format: Formatter, data: SurveyList | undefined): readonly Column<Row>[] {
  const formatDate = (at: string | undefined) => (at ? format.shortDate(at) : '–')
  /** The survey's own closing time or its project's, whichever comes first. */
  const findClosingTime = (row: Row) =>
    [row.closesAt, data && findLinked(data, row.relationships.project)?.closesAt].flatMap((at) => at ?? []).toSorted()[0]
  return [
    {
      id: 'title',
      head: t('list.name'),
      names: true,
      sortable: true,
      cell: (row) => (
        <>
          <Link to="/admin/surveys/$survey" params={{ survey: row.id }}>
            {row.title || t('list.untitled')}
          </Link>
          <small>{data && findLinked(data, row.relationships.project)?.title}</small>
        </>
      ),
    },
    {
      id: 'status',
      head: t('list.status'),
      cell: (row) => <SurveyStatus status={row.status} state={row.state} hasChanges={row.hasChanges === true} />,
    },
    {
      id: 'responses',
      head: t('list.answers'),
      align: 'end',
      sortable: true,
      cell: (row) =>
        row.responses > 0 && row.meta.can.seeResponses ? (
          <Link to="/admin/surveys/$survey/results" params={{ survey: row.id }}>
            {format.number(row.responses)}
          </Link>
        ) : (
          format.number(row.responses)
        ),
    },
    { id: 'closesAt', head: t('list.closes'), sortable: true, secondary: true, cell: (row) => formatDate(findClosingTime(row)) },
    { id: 'updatedAt', head: t('list.changed'), sortable: true, secondary: true, cell: (row) => formatDate(row.updatedAt) },
  ]
}

/** Omits unset values to keep the URL short. */
function omitUnset(search: { [K in keyof SurveyTableSearch]?: SurveyTableSearch[K] | undefined }): SurveyTableSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1)),
  )
}
