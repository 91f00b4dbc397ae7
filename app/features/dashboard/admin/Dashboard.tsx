import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Formatter, getFormatter } from '#app/lib/format.ts'
import { FigureCard } from '#app/shell/admin/figure-card.tsx'
import { useFigures } from '#app/shell/admin/use-figures.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { ColumnChart } from '#app/ui/admin/column-chart.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { dashboardQuery } from '../dashboard.queries.ts'
import type { AwaitedReview, Dashboard as Figures } from '../dashboard.schema.ts'
import { FirstSteps } from './FirstSteps.tsx'

/** An administrator's start page: current figures, and what is waiting for them. */
export function Dashboard({ reach }: { reach: ReactNode }) {
  const { t } = useTranslation('admin')
  const answers = useFigures()('answers')
  const site = useSite()
  const viewer = useViewer()
  const language = useLanguage()
  const { data, dataUpdatedAt } = useSuspenseQuery(dashboardQuery)
  const now = new Date(dataUpdatedAt)
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const days = data.daily.map(({ day }) => format.day(`${day}T12:00:00Z`, now))
  return (
    <div className="admin-stack">
      <PageHeader title={t('dashboard.title')} meta={t('dashboard.greeting', { name: viewer?.login ?? '', site: site.name })} />
      <FirstSteps />
      <div className="stat-cards">
        <FigureCard
          figure="answers"
          value={format.number(data.responses)}
          link={
            data.publicResponses === data.responses
              ? undefined
              : t('dashboard.public-part', { number: format.number(data.publicResponses) })
          }
          change={{
            direction: toTrend(data),
            text: t('dashboard.this-week', { count: data.responsesThisWeek, number: format.number(data.responsesThisWeek) }),
          }}
        />
        <FigureCard figure="participants" value={format.number(data.participants)} />
        <FigureCard
          figure="openProjects"
          value={format.number(data.openProjects)}
          link={
            <Link to="/admin/projects" search={{ status: 'published' }}>
              {t('dashboard.see-projects')}
            </Link>
          }
        />
        {data.moderation.waiting + data.moderation.appeals > 0 && <ModerationCard moderation={data.moderation} format={format} />}
      </div>
      {reach}
      <ColumnChart
        title={t('dashboard.daily')}
        note={t('dashboard.daily-note')}
        pointHead={t('dashboard.day')}
        points={days}
        marks={days.filter((_, index) => (days.length - 1 - index) % 7 === 0)}
        series={[{ name: answers.name, values: data.daily.map((day) => day.responses) }]}
        format={(value) => format.number(value)}
        words={{ view: t('chart.view'), chart: t('chart.chart'), table: t('chart.table') }}
      />
      <div className="admin-columns">
        <ProjectList title={t('dashboard.waiting')} empty={t('dashboard.nothing-waits')} projects={data.awaitingReview} />
        <ProjectList
          title={t('dashboard.closing')}
          empty={t('dashboard.nothing-closes')}
          projects={data.closingSoon.map((project) => ({ ...project, note: format.relative(project.closesAt, now) }))}
        />
        <ProjectList
          title={t('dashboard.busiest')}
          empty={t('dashboard.nothing-yet')}
          projects={data.busiest.map((project) => ({
            ...project,
            note: t('dashboard.answers', { count: project.responses, number: format.number(project.responses) }),
          }))}
        />
      </div>
    </div>
  )
}

function ModerationCard({ moderation: { waiting, late, appeals }, format }: { moderation: Figures['moderation']; format: Formatter }) {
  const { t } = useTranslation('admin')
  const notes = [
    ...(late > 0 ? [t('dashboard.moderation-late', { count: late, number: format.number(late) })] : []),
    ...(appeals > 0 ? [t('dashboard.moderation-appeals', { count: appeals, number: format.number(appeals) })] : []),
  ]
  return (
    <FigureCard
      figure="moderation"
      value={format.number(waiting)}
      {...(notes.length > 0 && { change: { direction: 'level' as const, text: notes.join(' · ') } })}
      link={<Link to={waiting > 0 ? '/admin/moderation' : '/admin/moderation/waiting'}>{t('dashboard.moderation-see')}</Link>}
    />
  )
}

function ProjectList({
  title,
  empty,
  projects,
}: {
  title: string
  empty: string
  projects: { projectId: string; title: string; note?: string; what?: AwaitedReview['what']; id?: string }[]
}) {
  return (
    <section className="admin-panel">
      <h2>{title}</h2>
      {projects.length === 0 ? (
        <p className="meta">{empty}</p>
      ) : (
        <ul className="admin-list">
          {projects.map((project) => (
            <li key={`${project.what ?? ''} ${project.id ?? project.projectId}`}>
              <ReviewLink {...project} />
              {project.note && <Tag>{project.note}</Tag>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function toTrend({ responsesThisWeek, responsesLastWeek }: Figures): 'up' | 'down' | 'level' {
  if (responsesThisWeek === responsesLastWeek) return 'level'
  return responsesThisWeek > responsesLastWeek ? 'up' : 'down'
}

/** Leads to a project, or to what of it waits for a review. */
function ReviewLink({ what, id = '', projectId, title }: Omit<AwaitedReview, 'what' | 'id'> & Partial<AwaitedReview>) {
  const { t } = useTranslation('admin')
  const params = { id: projectId }
  switch (what) {
    case 'survey':
      return (
        <Link to="/admin/surveys/$survey" params={{ survey: id }}>
          {t('dashboard.survey', { title })}
        </Link>
      )
    case 'activity':
      return (
        <Link to="/admin/projects/$id/activities/$activity" params={{ ...params, activity: id }}>
          {t('dashboard.activity', { title })}
        </Link>
      )
    case 'report':
      return (
        <Link to="/admin/projects/$id/heard/report" params={params}>
          {t('dashboard.report', { project: title })}
        </Link>
      )
    default:
      return (
        <Link to="/admin/projects/$id" params={params}>
          {title}
        </Link>
      )
  }
}
