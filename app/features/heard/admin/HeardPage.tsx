import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { textSourcesQuery } from '../heard.queries.ts'
import { DecisionList } from './DecisionList.tsx'
import { ThemeTable } from './ThemeTable.tsx'

export interface HeardPageProps {
  project: { id: string; slug: string; title: string }
  may: { edit: boolean; publish: boolean }
  /** Its report, below the decisions. */
  report: ReactNode
}

/** What people said in a project, the themes it became, and what was decided. */
export function HeardPage({ project, may, report }: HeardPageProps) {
  const { t } = useTranslation('heard-admin')
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('title')}
        meta={
          <Link to="/admin/projects/$id" params={{ id: project.id }}>
            {project.title}
          </Link>
        }
        actions={
          <>
            <a href={`/admin/projects/${project.id}/codes.xlsx`} className={getButtonClass({ kind: 'secondary' })}>
              {t('codes')}
            </a>
            <a href={`/admin/projects/${project.id}/codes.qdc`} className={getButtonClass({ kind: 'secondary' })} download>
              {t('codebook')}
            </a>
            <Link to="/admin/projects/$id/heard/read" params={{ id: project.id }} className={getButtonClass()}>
              {t('sources.read')}
            </Link>
          </>
        }
      />
      <Sources project={project.id} />
      <ThemeTable project={project.id} />
      <DecisionList project={project} may={may} />
      {report}
    </div>
  )
}

function Sources({ project }: { project: string }) {
  const { t } = useTranslation('heard-admin')
  const { data: sources } = useSuspenseQuery(textSourcesQuery(project))
  return (
    <section className="admin-stack" aria-labelledby="sources-heading">
      <h2 id="sources-heading">{t('sources.title')}</h2>
      {sources.length === 0 ? (
        <EmptyState title={t('sources.none')} level={3}>
          {t('sources.none-text')}
        </EmptyState>
      ) : (
        <ul className="heard-sources">
          {sources.map(({ key, kind, title, within }) => (
            <li key={key}>
              <Link to="/admin/projects/$id/heard/read" params={{ id: project }} search={{ source: key }}>
                {kind === 'question' ? title : t(`sources.${kind}`, { title })}
              </Link>
              {kind === 'question' && <small>{within}</small>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
