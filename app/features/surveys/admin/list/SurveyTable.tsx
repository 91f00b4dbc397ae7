import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Formatter } from '#app/lib/format.ts'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { SURVEY_STATUSES } from '#app/lib/vocabulary/surveys.ts'
import { FigureNotes } from '#app/shell/admin/figure-notes.tsx'
import { useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { useFigures } from '#app/shell/admin/use-figures.ts'
import { ListChoice, ListFind, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { SurveyTableSearch } from '../../managing/survey-table-search.ts'
import { SURVEYS_PER_TABLE, surveyTableQuery } from '../../surveys.queries.ts'
import { OWN_PROJECTS } from './use-project-choice.ts'
import { SurveyStatus } from '../SurveyStatus.tsx'

type SurveyList = Awaited<ReturnType<NonNullable<ReturnType<typeof surveyTableQuery>['queryFn']>>>
type Row = SurveyList['data'][number]

/** The surveys the viewer may edit, of one project or all. */
export function SurveyTable({ search }: { search: SurveyTableSearch }) {
  const { t } = useTranslation('survey-admin')
  const { t: importing } = useTranslation('survey-data')
  const answers = useFigures()('answers').name
  const format = useFormat()
  const list = useList(search, (next: SurveyTableSearch) => linkOptions({ to: '/admin/surveys', search: next }))
  const query = useQuery(surveyTableQuery(search))
  const hasProjects = (useFirstRecord(OWN_PROJECTS).total ?? 0) > 0
  const filtered = useQuery({ ...projectQuery(search.project ?? ''), enabled: search.project !== undefined })
  // Someone else's project: its surveys are left out, which must not look as if there were none.
  const isForeign = search.project !== undefined && (filtered.isError || filtered.data?.data.meta.can.update === false)
  return (
    <>
      <PageHeader
        title={t('list.title')}
        actions={
          hasProjects && (
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
      <ListScreen
        list={list}
        caption={t('list.title')}
        columns={buildSurveyColumns(t, format, answers, query.data)}
        query={query}
        pageSize={SURVEYS_PER_TABLE}
        sort="-updatedAt"
        filters={
          <FilterBar>
            <ListFind list={list} name="q" label={t('list.search')} button={t('list.find')} />
            <ListChoice
              list={list}
              name="status"
              label={t('list.status')}
              any={t('list.any-status')}
              options={SURVEY_STATUSES.map((status) => ({ value: status, label: t(`list.statuses.${status}`) }))}
            />
            <ListRecordChoice list={list} name="project" label={t('list.project')} any={t('list.any-project')} source={OWN_PROJECTS} />
          </FilterBar>
        }
        noMatch={{
          title: t(isForeign ? 'list.foreign' : 'list.none-match'),
          all: t('list.all'),
          filters: ['q', 'status', 'project'],
          ...(isForeign ? { text: t('list.foreign-text') } : {}),
        }}
        none={<EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>}
      />
      <FigureNotes figures={['answers']} />
    </>
  )
}

type Translate = ReturnType<typeof useTranslation<'survey-admin'>>['t']

function buildSurveyColumns(t: Translate, format: Formatter, answers: string, data: SurveyList | undefined): readonly Column<Row>[] {
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
      underName: true,
      cell: (row) => <SurveyStatus survey={row} hasChanges={row.hasChanges === true} />,
    },
    {
      id: 'responses',
      head: answers,
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
