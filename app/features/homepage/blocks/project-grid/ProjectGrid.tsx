import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export function ProjectGrid({ block, page }: BlockProps<'project_grid'>) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { projects, total } = block.data
  return (
    <BlockSection
      id={block.id}
      title={block.title}
      fallback={block.filter === 'chosen' ? t('site.projects') : t(`home.${block.filter}`)}
      link={total > 0 && <Link to="/projects">{t('home.all-projects', { count: total, number: format.number(total) })}</Link>}
    >
      {projects.length === 0 ? (
        <EmptyState
          level={3}
          title={t('home.nothing-open')}
          {...(total > 0 && {
            action: (
              <Link to="/projects" search={{ status: 'results' }} className={getButtonClass({ kind: 'secondary' })}>
                {t('home.results')}
              </Link>
            ),
          })}
        >
          {t(total > 0 ? 'home.nothing-open-text' : 'home.nothing-yet-text')}
        </EmptyState>
      ) : (
        <div className="card-grid">
          {projects.map((project) => (
            <Fragment key={project.id}>{page.renderProject(project, 'grid')}</Fragment>
          ))}
        </div>
      )}
    </BlockSection>
  )
}
