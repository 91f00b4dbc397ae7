import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { Formatter } from '#app/lib/format.ts'
import { CASE_OPENINGS } from '#app/lib/vocabulary/moderation.ts'
import { ListChoice, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { type Selection, useChosenRows } from '#app/ui/admin/row-selection.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PAST_STATES, QUEUE_ASSIGNEES, type QueueSearch } from '../moderation/queue-search.ts'
import { CASES_PER_PAGE, isOverdue, moderationQueueQuery, type QueuedCase } from '../contributions.queries.ts'
import { ModerationLinks } from './ModerationLinks.tsx'
import { useCaseAssignment } from './use-case-assignment.tsx'
import { useCaseBulk } from './use-case-bulk.tsx'

const EXCERPT = 200

/** What somebody should look at, the first due on top. Several can be decided at once, for one reason. */
export function ModerationQueue({ search }: { search: QueueSearch }) {
  const { t } = useTranslation('moderation-admin')
  const { t: desk } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const list = useList(search, (next: QueueSearch) => linkOptions({ to: '/admin/moderation', search: next }))
  const viewer = useViewer()
  const query = useQuery(moderationQueueQuery(search, viewer?.id ?? ''))
  const chosen = useChosenRows(query.data?.data ?? [], (row) => row.id)
  const bulk = useCaseBulk(chosen)
  const assignment = useCaseAssignment(chosen)
  const selection: Selection<QueuedCase> = {
    selected: chosen.ids,
    onChange: chosen.onChange,
    allLabel: admin('bulk.select-all'),
    rowLabel: (row) => admin('bulk.select', { name: row.name }),
    summary: (count) => admin('bulk.selected', { count, number: format.number(count) }),
    clearLabel: admin('bulk.clear'),
    actions: (
      <>
        {bulk.actions}
        {assignment.action}
      </>
    ),
  }
  return (
    <>
      <PageHeader
        title={t('cases.title')}
        meta={t('cases.about')}
        actions={
          <>
            <ModerationLinks />
            <a className={getButtonClass({ kind: 'secondary' })} href="/admin/moderation-log.csv" download>
              {t('cases.log-csv')}
            </a>
            <a className={getButtonClass({ kind: 'secondary' })} href="/admin/moderation-log.xlsx" download>
              {t('cases.log-xlsx')}
            </a>
          </>
        }
      />
      <ListScreen
        list={list}
        caption={t('cases.caption')}
        columns={buildColumns(t, format)}
        query={query}
        pageSize={CASES_PER_PAGE}
        sort="dueAt"
        filters={
          <FilterBar>
            <ListRecordChoice
              list={list}
              name="project"
              label={desk('desk.project')}
              any={desk('desk.any-project')}
              source={projectSource({ managed: true })}
            />
            <ListChoice
              list={list}
              name="state"
              label={t('cases.state')}
              any={t('cases.states.open')}
              options={PAST_STATES.map((value) => ({ value, label: t(`cases.states.${value}`) }))}
            />
            <ListChoice
              list={list}
              name="openedBy"
              label={t('cases.why')}
              any={t('cases.any-why')}
              options={CASE_OPENINGS.map((value) => ({ value, label: t(`cases.openings.${value}`) }))}
            />
            <ListChoice
              list={list}
              name="assignee"
              label={t('cases.assignee')}
              any={t('cases.assignees.any')}
              options={QUEUE_ASSIGNEES.map((value) => ({ value, label: t(`cases.assignees.${value}`) }))}
            />
          </FilterBar>
        }
        {...(search.state ? {} : { selection })}
        noMatch={{ title: t('cases.none-match'), all: t('cases.all'), filters: ['project', 'state', 'openedBy', 'assignee'] }}
        none={<EmptyState title={t('cases.none')} />}
      />
      {bulk.dialog}
      {assignment.dialog}
    </>
  )
}

type Translate = ReturnType<typeof useTranslation<'moderation-admin'>>['t']

function buildColumns(t: Translate, format: Formatter): readonly Column<QueuedCase>[] {
  return [
    {
      id: 'text',
      head: t('cases.text'),
      names: true,
      cell: ({ name, text, isReply, contribution }) => (
        <>
          <Link
            to="/admin/contributions/$id"
            params={{ id: contribution?.id ?? '' }}
            lang={contribution?.language}
            dir={getDirection(contribution?.language)}
          >
            {name}
          </Link>
          {isReply && ` (${t('reports.reply')})`}
          <p className="meta" lang={text?.language} dir={getDirection(text?.language)}>
            {shortenBody(text?.body ?? '')}
          </p>
        </>
      ),
    },
    {
      id: 'openedBy',
      head: t('cases.why'),
      underName: true,
      cell: ({ openedBy, reports, heldUntil }) => (
        <>
          <Badge tone={openedBy === 'before' ? 'neutral' : 'warn'}>{t(`cases.openings.${openedBy}`)}</Badge>
          {reports > 0 && <p className="meta">{t('reports.count', { count: reports, number: format.number(reports) })}</p>}
          {heldUntil && <p className="meta">{t('reports.held', { date: format.dateTime(heldUntil) })}</p>}
        </>
      ),
    },
    {
      id: 'dueAt',
      head: t('cases.due'),
      sortable: true,
      underName: (row) => (
        <>
          {t('reports.due', { date: format.dateTime(row.dueAt) })} {isOverdue(row) && <Badge tone="bad">{t('cases.overdue')}</Badge>}
        </>
      ),
      cell: (row) => (
        <>
          {format.dateTime(row.dueAt)} {isOverdue(row) && <Badge tone="bad">{t('cases.overdue')}</Badge>}
        </>
      ),
    },
    {
      id: 'assignee',
      head: t('cases.assignee'),
      underName: ({ assigneeName }) => assigneeName && t('cases.assigned', { name: assigneeName }),
      cell: ({ assigneeName }) => assigneeName ?? t('cases.nobody'),
    },
    { id: 'openedAt', head: t('cases.opened'), sortable: true, secondary: true, cell: ({ openedAt }) => format.shortDate(openedAt) },
  ]
}

const shortenBody = (body: string): string => (body.length > EXCERPT ? `${body.slice(0, EXCERPT).trimEnd()}…` : body)
