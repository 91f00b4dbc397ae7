import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CalendarEntry } from '#app/features/calendar/calendar.schema.ts'
import { FigureCard } from '#app/shell/admin/figure-card.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { cockpitQuery } from '../cockpit.queries.ts'
import type { Cockpit } from '../cockpit.schema.ts'
import { FailedPanel } from './FailedPanel.tsx'
import { ToolTable, type ToolTableProps } from './ToolTable.tsx'
import { WaitingPanel } from './WaitingPanel.tsx'

interface ProjectCockpitProps extends ToolTableProps {
  renderEntry: (entry: CalendarEntry) => ReactNode
}

/** The first tab of a project: figures over all its tools, what waits, what is due and what failed. */
export function ProjectCockpit({ project, renderEntry, renderSurveyStatus }: ProjectCockpitProps) {
  const { t } = useTranslation('cockpit')
  const { t: common } = useTranslation()
  const { data, isError } = useQuery(cockpitQuery(project))
  if (isError) return <Notice kind="error" title={t('load-failed')} />
  if (!data) return <Skeleton label={common('loading')} lines={8} />
  return (
    <div className="admin-stack">
      <FigureCards project={project} cockpit={data} />
      <div className="admin-columns">
        <WaitingPanel project={project} waiting={data.waiting} reportInReview={data.reportInReview} tasks={data.tasks} />
        <DuePanel project={project} due={data.due} renderEntry={renderEntry} />
        <FailedPanel failed={data.failed} />
      </div>
      <ToolTable project={project} renderSurveyStatus={renderSurveyStatus} />
    </div>
  )
}

/** Every card leads to a report on the same days, which shows the same figures. */
function FigureCards({ project, cockpit }: { project: string; cockpit: Cockpit }) {
  const { t } = useTranslation('cockpit')
  const format = useFormat()
  const { figures, week, held, period, asOf } = cockpit
  const report = period && (
    <Link to="/admin/reports" search={{ projects: [project], ...period }}>
      {t('figures.report')}
    </Link>
  )
  const toChange = (number: number) => ({
    direction: number > 0 ? ('up' as const) : ('level' as const),
    text: t('figures.week', { count: number, number: format.number(number) }),
  })
  return (
    <section className="admin-stack" aria-labelledby="cockpit-figures">
      <h2 id="cockpit-figures" className="visually-hidden">
        {t('figures.title')}
      </h2>
      <div className="stat-cards cockpit-figures">
        <FigureCard figure="engaged" value={format.number(figures.engaged)} change={toChange(week.engaged)} />
        <FigureCard figure="answers" value={format.number(figures.answers)} change={toChange(week.answers)} />
        <FigureCard
          figure="contributions"
          value={format.number(figures.contributions)}
          change={toChange(week.contributions)}
          link={
            held > 0 && (
              <Link to="/admin/contributions" search={{ project, state: 'held' }}>
                {t('figures.held', { count: held, number: format.number(held) })}
              </Link>
            )
          }
        />
        <FigureCard figure="supports" value={format.number(figures.supports)} />
        <FigureCard
          figure="aware"
          value={format.number(figures.aware)}
          {...(figures.aware > 0 && {
            change: {
              direction: 'level',
              text: t('figures.shares', {
                informed: format.percent(figures.informed / figures.aware),
                engaged: format.percent(figures.engaged / figures.aware),
              }),
            },
          })}
        />
      </div>
      <p className="meta">
        {period ? t('figures.as-of', { when: format.dateTime(asOf) }) : t('figures.none')} {report}
      </p>
    </section>
  )
}

function DuePanel({
  project,
  due,
  renderEntry,
}: {
  project: string
  due: readonly CalendarEntry[]
  renderEntry: ProjectCockpitProps['renderEntry']
}) {
  const { t } = useTranslation('cockpit')
  return (
    <section className="admin-panel" aria-labelledby="cockpit-due">
      <h2 id="cockpit-due">{t('due.title')}</h2>
      {due.length === 0 ? (
        <p className="meta">{t('due.none')}</p>
      ) : (
        <ul className="cockpit-list">
          {due.map((entry) => (
            <li key={entry.id}>{renderEntry(entry)}</li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/admin/calendar" search={{ project }}>
          {t('due.calendar')}
        </Link>
      </p>
    </section>
  )
}
