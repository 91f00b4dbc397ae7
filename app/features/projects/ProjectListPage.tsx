import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { FilterChips, ProjectFilters } from './ProjectFilters.tsx'
import { type ProjectListView, PROJECTS_PER_PAGE } from './projects.schema.ts'
import { ProjectTile } from './ProjectTile.tsx'

/** The projects listed for the viewer; search, filters, order and page are all in the address. */
export function ProjectListPage({ list }: { list: ProjectListView }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { search, total, page, pages } = list
  const { page: _, ...unpaged } = search
  const pageLink: ComponentProps<typeof Pagination>['link'] = (number, children, attributes) => (
    <Link to="/projects" search={number > 1 ? { ...unpaged, page: number } : unpaged} {...attributes}>
      {children}
    </Link>
  )
  const first = (page - 1) * PROJECTS_PER_PAGE + 1
  return (
    <div className="page wrap">
      <PageTitle title={t('projects.title')} lead={t('projects.lead')} />
      <ProjectFilters list={list} />
      <div className="list-summary">
        <h2 className="list-count" aria-live="polite">
          {t('projects.found', { count: total, number: format.number(total) })}
        </h2>
        <FilterChips list={list} />
      </div>
      {total === 0 ? (
        <NothingFound list={list} />
      ) : (
        <div className="card-grid">
          {list.projects.map((project) => (
            <ProjectTile key={project.id} project={project} now={list.now} />
          ))}
        </div>
      )}
      <Pagination
        label={t('pages.label')}
        page={page}
        pages={pages}
        previous={t('pages.previous')}
        next={t('pages.next')}
        pageLabel={(number) => t('pages.page', { number: format.number(number) })}
        count={t('pages.range', {
          first: format.number(first),
          last: format.number(Math.min(total, first + PROJECTS_PER_PAGE - 1)),
          total: format.number(total),
        })}
        link={pageLink}
      />
    </div>
  )
}

function NothingFound({ list: { search } }: { list: ProjectListView }) {
  const { t } = useTranslation('participant')
  const isNarrowed = Boolean(search.q ?? search.status ?? search.topic ?? search.hub)
  if (!isNarrowed) return <EmptyState title={t('projects.none')}>{t('projects.none-text')}</EmptyState>
  return (
    <EmptyState
      title={search.q ? t('projects.no-match', { words: search.q.trim() }) : t('projects.no-match-filters')}
      action={
        <div className="row row-centre">
          {search.q && (search.status ?? search.topic ?? search.hub) && (
            <Link to="/projects" search={{ q: search.q }} className={getButtonClass()}>
              {t('projects.search-everywhere')}
            </Link>
          )}
          <Link to="/projects" className={getButtonClass({ kind: 'secondary' })}>
            {t('projects.show-all')}
          </Link>
          <Link to="/projects" search={{ status: 'open' }} className={getButtonClass({ kind: 'secondary' })}>
            {t('home.see-open')}
          </Link>
        </div>
      }
    >
      {t('projects.no-match-text')}
    </EmptyState>
  )
}
