import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ListChoice, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { addMonths, type CalendarSearch } from '../calendar-search.ts'
import { calendarQuery } from '../calendar.queries.ts'
import { type CalendarEntry, type CalendarMonth, DATE_KINDS } from '../calendar.schema.ts'
import { CalendarLinkPanel } from './CalendarLinkPanel.tsx'
import { EntryLine } from './EntryLine.tsx'

/** All dates of a month, as a list by day. */
export function CalendarPage({ search }: { search: CalendarSearch }) {
  const { t } = useTranslation('calendar')
  const { t: common } = useTranslation()
  const list = useList<CalendarSearch & ListSearch>(search, (next) => linkOptions({ to: '/admin/calendar', search: next }))
  const { data, isError } = useQuery(calendarQuery(search))
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('title')}
        meta={t('about')}
        actions={
          <Link to="/admin/tasks" className={getButtonClass({ kind: 'secondary' })}>
            {t('tasks')}
          </Link>
        }
      />
      {data && <MonthLinks shown={data} search={search} />}
      <FilterBar>
        <ListRecordChoice list={list} name="project" label={t('filters.project')} any={t('filters.any-project')} source={projectSource()} />
        <ListChoice
          list={list}
          name="kind"
          label={t('filters.kind')}
          any={t('filters.any-kind')}
          options={DATE_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
      </FilterBar>
      {isError && <Notice kind="error" title={t('load-failed')} />}
      {!data && !isError && <Skeleton label={common('loading')} lines={8} />}
      {data && <Days shown={data} hasFilter={search.project !== undefined || search.kind !== undefined} />}
      <CalendarLinkPanel />
    </div>
  )
}

function MonthLinks({ shown, search }: { shown: CalendarMonth; search: CalendarSearch }) {
  const { t } = useTranslation('calendar')
  const format = useFormat()
  const nameMonth = (month: string) => format.month(`${month}-15T12:00:00Z`)
  const { month: _, ...rest } = search
  const toMonth = (month: string) => ({ ...rest, ...(month !== shown.today.slice(0, 7) && { month }) })
  return (
    <nav className="calendar-months" aria-label={t('months')}>
      <h2 aria-live="polite">{nameMonth(shown.month)}</h2>
      <div className="row">
        {([-1, 1] as const).map((step) => {
          const month = addMonths(shown.month, step)
          return (
            <Link
              key={step}
              to="/admin/calendar"
              search={toMonth(month)}
              rel={step < 0 ? 'prev' : 'next'}
              className={getButtonClass({ kind: 'secondary', size: 'small' })}
            >
              {nameMonth(month)}
            </Link>
          )
        })}
        {shown.month !== shown.today.slice(0, 7) && (
          <Link to="/admin/calendar" search={rest} className={getButtonClass({ kind: 'plain', size: 'small' })}>
            {t('this-month')}
          </Link>
        )}
      </div>
    </nav>
  )
}

function Days({ shown, hasFilter }: { shown: CalendarMonth; hasFilter: boolean }) {
  const { t } = useTranslation('calendar')
  const format = useFormat()
  if (shown.entries.length === 0) return <EmptyState title={t(hasFilter ? 'none-match' : 'none')}>{t('none-text')}</EmptyState>
  return (
    <div className="calendar-days">
      {[...groupByDay(shown.entries)].map(([day, entries]) => (
        <section key={day} className="calendar-day" aria-labelledby={`day-${day}`} aria-current={day === shown.today ? 'date' : undefined}>
          <h3 id={`day-${day}`}>
            {format.weekday(`${day}T12:00:00Z`)} {day === shown.today && <Badge tone="info">{t('today')}</Badge>}
          </h3>
          <ul>
            {entries.map((entry) => (
              <li key={entry.id}>
                <EntryLine entry={entry} withProject />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.isCut && <Notice title={t('cut')} />}
    </div>
  )
}

function groupByDay(entries: readonly CalendarEntry[]): Map<string, CalendarEntry[]> {
  const days = new Map<string, CalendarEntry[]>()
  for (const entry of entries) days.set(entry.day, [...(days.get(entry.day) ?? []), entry])
  return days
}
