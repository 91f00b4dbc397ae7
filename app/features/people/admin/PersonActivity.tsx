import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ListChoice, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ACTIVITIES_PER_PAGE, ACTIVITY_KINDS, type PersonActivity as Activity, type PersonSearch } from '../activity.schema.ts'
import { activityQuery } from '../people.queries.ts'

const PROJECTS = projectSource()

/** What one person did here and what was sent to them, newest first. */
export function PersonActivity({ id, search }: { id: string; search: PersonSearch }) {
  const { t } = useTranslation('people')
  const format = useFormat()
  const list = useList(search, (next: PersonSearch) => linkOptions({ to: '/admin/people/$id', params: { id }, search: next }))
  return (
    <section className="admin-stack" aria-labelledby="activity">
      <h2 id="activity">{t('person.activity')}</h2>
      <p>{t('person.secret')}</p>
      <ListScreen
        list={list}
        caption={t('person.activity')}
        query={useQuery(activityQuery(id, search))}
        pageSize={ACTIVITIES_PER_PAGE}
        filters={
          <FilterBar>
            <ListChoice
              list={list}
              name="kind"
              label={t('person.kind')}
              any={t('person.any-kind')}
              options={ACTIVITY_KINDS.map((value) => ({ value, label: t(`person.did.${value}`) }))}
            />
            <ListRecordChoice list={list} name="project" label={t('person.project')} any={t('person.any-project')} source={PROJECTS} />
          </FilterBar>
        }
        none={<EmptyState title={t('person.no-activity')} />}
        noMatch={{ title: t('person.no-match'), all: t('person.all'), filters: ['kind', 'project'] }}
        columns={[
          {
            id: 'did',
            head: t('person.what'),
            names: true,
            cell: (one) => (
              <>
                {t(`person.did.${one.kind}`)}
                {one.title !== null && <> · {linkToTarget(one, one.title)}</>}
              </>
            ),
          },
          {
            id: 'project',
            head: t('person.project'),
            underName: true,
            cell: ({ project }) => (project ? <ProjectLink {...project} /> : '–'),
          },
          {
            id: 'at',
            head: t('person.when'),
            underName: true,
            cell: ({ at }) => <time dateTime={at}>{format.dateTime(at)}</time>,
          },
        ]}
      />
    </section>
  )
}

const ProjectLink = ({ id, title }: { id: string; title: string }) => (
  <Link to="/admin/projects/$id" params={{ id }}>
    {title}
  </Link>
)

function linkToTarget({ kind, target, survey, project }: Activity, title: string): ReactNode {
  if (target === null) return title
  switch (kind) {
    case 'answered':
      return survey === null ? (
        title
      ) : (
        <Link to="/admin/surveys/$survey/responses/$response" params={{ survey, response: target }}>
          {title}
        </Link>
      )
    case 'contributed':
    case 'replied':
    case 'follows-contribution':
      return (
        <Link to="/admin/contributions/$id" params={{ id: target }}>
          {title}
        </Link>
      )
    case 'signed-up':
    case 'attended':
      return project === null ? (
        title
      ) : (
        <Link to="/admin/projects/$id/events/$event" params={{ id: project.id, event: target }}>
          {title}
        </Link>
      )
    case 'mailed':
    case 'returned':
      return (
        <Link to="/admin/newsletters/$id" params={{ id: target }}>
          {title}
        </Link>
      )
    case 'texted':
      return (
        <Link to="/admin/campaigns/$id" params={{ id: target }}>
          {title}
        </Link>
      )
    default:
      return title
  }
}
