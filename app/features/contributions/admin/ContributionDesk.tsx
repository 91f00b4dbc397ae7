import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { Formatter } from '#app/lib/format.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { type List, useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { type Selection, useChosenRows } from '#app/ui/admin/row-selection.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { deskFrameQuery, deskQuery } from '../contributions.queries.ts'
import { type ChosenOnDesk, DESK_PAGE_SIZE, type DeskSearch } from '../desk/desk-search.ts'
import { AnswerSets } from './AnswerSets.tsx'
import { DeskFilters } from './DeskFilters.tsx'
import { ModerationLinks } from './ModerationLinks.tsx'
import { useDeskAnswer } from './use-desk-answer.tsx'
import { useDeskAssignment } from './use-desk-assignment.tsx'
import { useDeskBulk } from './use-desk-bulk.tsx'

type DeskPage = Awaited<ReturnType<NonNullable<ReturnType<typeof deskQuery>['queryFn']>>>
type DeskRow = DeskPage['data'][number]

const DAY_MS = 86_400_000

interface ContributionDeskProps {
  search: DeskSearch
  /** The `SavedViews` of this table. */
  views: ReactNode
}

/** Everything that people sent to activities, with what waits. */
export function ContributionDesk({ search, views }: ContributionDeskProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const list = useList(search, (next: DeskSearch) => linkOptions({ to: '/admin/contributions', search: next }))
  const query = useQuery(deskQuery(search))
  const { counts, hasActivities } = useSuspenseQuery(deskFrameQuery(search.activity)).data
  const total = query.data?.meta.total ?? 0
  const rows = useChosenRows(query.data?.data ?? [], (row) => row.id)
  // Of other filters, nothing is chosen.
  const [allOf, setAllOf] = useState<string>()
  const { page: _, sort: __, hide: ___, ...filters } = search
  const hasAll = allOf === JSON.stringify(filters)
  const choose = (ids: ReadonlySet<string>) => {
    setAllOf(undefined)
    rows.onChange(ids)
  }
  const chosen: ChosenOnDesk = hasAll ? { search: filters } : { ids: [...rows.ids] }
  const bulk = useDeskBulk(chosen, () => choose(new Set()))
  const answer = useDeskAnswer(chosen, () => choose(new Set()))
  const assignment = useDeskAssignment(chosen, () => choose(new Set()))
  const selection: Selection<DeskRow> = {
    selected: rows.ids,
    onChange: choose,
    allLabel: admin('bulk.select-all'),
    rowLabel: (row) => admin('bulk.select', { name: row.title || t('desk.untitled') }),
    summary: (count) =>
      hasAll
        ? t('desk.bulk.all-chosen', { count: total, number: format.number(total) })
        : admin('bulk.selected', { count, number: format.number(count) }),
    clearLabel: admin('bulk.clear'),
    actions: (
      <>
        {!hasAll && total > rows.ids.size && (
          <Button kind="secondary" size="small" onClick={() => setAllOf(JSON.stringify(filters))}>
            {t('desk.bulk.choose-all', { count: total, number: format.number(total) })}
          </Button>
        )}
        {answer.action}
        {assignment.action}
        {bulk.actions}
      </>
    ),
  }
  return (
    <>
      <PageHeader
        title={t('queue.title')}
        meta={
          total === counts.all
            ? t('desk.count', { count: total, number: format.number(total) })
            : t('desk.matching', { number: format.number(total), all: format.number(counts.all) })
        }
        actions={<ModerationLinks />}
      />
      <AnswerSets />
      <CountedViews list={list} counts={counts} />
      <ListScreen
        list={list}
        caption={t('queue.title')}
        columns={buildColumns(t, format, search)}
        query={query}
        pageSize={DESK_PAGE_SIZE}
        sort="-submittedAt"
        hides
        filters={<DeskFilters list={list} />}
        views={views}
        selection={selection}
        noMatch={{
          title: t('desk.none-match'),
          all: t('desk.show-all'),
          filters: [
            'q',
            'project',
            'activity',
            'state',
            'status',
            'category',
            'area',
            'assignee',
            'language',
            'profile',
            'waits',
            'longer',
          ],
        }}
        none={<EmptyState title={t('queue.nothing')}>{!hasActivities && t('desk.no-activity')}</EmptyState>}
      />
      {bulk.dialog}
      {answer.dialog}
      {assignment.dialog}
    </>
  )
}

/** The lists that everybody needs, each with its number. */
function CountedViews({
  list,
  counts,
}: {
  list: List<DeskSearch>
  counts: Record<'all' | 'waiting' | 'mine' | 'questions' | 'week' | 'agreement', number>
}) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const views: readonly { name: keyof typeof counts; search: DeskSearch }[] = [
    { name: 'all', search: {} },
    { name: 'waiting', search: { waits: 'any', sort: '-waiting' } },
    { name: 'mine', search: { waits: 'any', assignee: 'me', sort: '-waiting' } },
    { name: 'questions', search: { waits: 'question', sort: '-waiting' } },
    { name: 'week', search: { longer: '7', sort: '-waiting' } },
    ...(counts.agreement > 0 ? [{ name: 'agreement', search: { waits: 'agreement' } } as const] : []),
  ]
  const { hide: _, page: __, ...shown } = list.search
  return (
    <nav aria-label={t('desk.views')}>
      <ul className="desk-views">
        {views.map(({ name, search }) => (
          <li key={name}>
            <Link
              to="/admin/contributions"
              search={{ ...search, ...(list.search.hide && { hide: list.search.hide }) }}
              {...(isSame(shown, search) && { 'aria-current': 'true' as const })}
            >
              {t(`desk.counted.${name}`)} <b>{format.number(counts[name])}</b>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const isSame = (one: DeskSearch, other: DeskSearch): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof DeskSearch>
  return [...names].every((name) => one[name] === other[name])
}

type Translate = ReturnType<typeof useTranslation<'contributions-admin'>>['t']

function buildColumns(t: Translate, format: Formatter, search: DeskSearch): readonly Column<DeskRow>[] {
  const { hide: _, ...from } = search
  return [
    {
      id: 'title',
      head: t('queue.contribution'),
      names: true,
      cell: (row) => (
        <>
          <Link to="/admin/contributions/$id" params={{ id: row.id }} search={from} lang={row.language} dir={getDirection(row.language)}>
            {row.title || t('desk.untitled')}
          </Link>
          <p className="meta">{t('queue.in', { activity: row.activity, number: row.number })}</p>
        </>
      ),
    },
    {
      id: 'state',
      head: t('queue.state'),
      underName: true,
      cell: (row) => <Badge hollow={row.state === 'held'}>{t(`states.${row.state}`)}</Badge>,
    },
    { id: 'status', head: t('desk.status'), underName: ({ status }) => status, cell: ({ status }) => status ?? '–' },
    { id: 'area', head: t('desk.area'), secondary: true, cell: ({ area }) => area ?? '–' },
    { id: 'supports', head: t('queue.supports'), align: 'end', sortable: true, cell: ({ supports }) => format.number(supports) },
    {
      id: 'submittedAt',
      head: t('queue.sent'),
      sortable: true,
      secondary: true,
      cell: ({ submittedAt, language }) => (
        <>
          {format.shortDate(submittedAt)} <span className="meta">{getLanguageName(language)}</span>
        </>
      ),
    },
    {
      id: 'waiting',
      head: t('desk.waiting'),
      sortable: true,
      underName: (row) => row.isWaiting && describeWait(t, format, row),
      cell: (row) => (row.isWaiting ? describeWait(t, format, row) : '–'),
    },
    {
      id: 'assignee',
      head: t('desk.assignee'),
      secondary: true,
      cell: ({ assignee, isWaiting }) => assignee ?? (isWaiting ? t('desk.nobody') : '–'),
    },
  ]
}

function describeWait(t: Translate, format: Formatter, { submittedAt, isOverdue }: DeskRow): ReactNode {
  const count = Math.max(0, Math.floor((Date.now() - Date.parse(submittedAt)) / DAY_MS))
  return (
    <>
      {count === 0 ? t('desk.today') : t('desk.days', { count, number: format.number(count) })}{' '}
      {isOverdue && <Badge tone="bad">{t('question.overdue')}</Badge>}
    </>
  )
}
