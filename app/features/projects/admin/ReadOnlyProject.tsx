import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { useFigures } from '#app/shell/admin/use-figures.ts'
import { ReadOnly } from '#app/shell/read-only.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import type { ProjectDocument } from './project-draft.ts'
import { StatusBadge } from './StatusBadge.tsx'

/** A project that somebody else administers, limited to what is public. */
export function ReadOnlyProject({ document }: { document: ProjectDocument }) {
  const { t } = useTranslation('admin')
  const people = useFigures()('participants')
  const format = useFormat()
  const project = document.data
  const hub = findLinked(document, project.relationships.hub)
  // Leave out what is not known yet: a dash would look like something hidden from the viewer.
  const facts = [
    { term: t('fields.summaryTranslations'), value: project.summary },
    { term: t('fields.opensAt'), value: project.opensAt && format.dateTime(project.opensAt) },
    { term: t('fields.closesAt'), value: project.closesAt && format.dateTime(project.closesAt) },
    { term: people.name, value: `${format.number(project.participants)} (${people.means})` },
  ].filter(({ value }) => value)
  return (
    <ReadOnly
      title={project.title}
      status={<StatusBadge status={project.status} />}
      text={hub ? t('read-only.of-hub', { hub: hub.title }) : t('read-only.of-site')}
      facts={facts}
      actions={
        <>
          <Link to="/admin/projects/$id/updates" params={{ id: project.id }} className={getButtonClass({ kind: 'secondary' })}>
            {t('editor.updates')}
          </Link>
          <Link to="/projects/$slug" params={{ slug: project.slug }} target="_blank" className={getButtonClass({ kind: 'secondary' })}>
            {t('editor.see')}
          </Link>
        </>
      }
    />
  )
}
