import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { type Definition, DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'

interface ReadOnlyProps {
  title: string
  status?: ReactNode
  /** Whose it is, and who may change it. */
  text: string
  /** What everybody may know of it. */
  facts: readonly Definition[]
  /** Links to where it can be read. */
  actions: ReactNode
}

/** What the viewer can see and not change: whose it is and why, instead of an editor whose fields and figures would look empty. */
export function ReadOnly({ title, status, text, facts, actions }: ReadOnlyProps) {
  const { t } = useTranslation('admin')
  return (
    <div className="admin-stack">
      <PageHeader title={title} status={status} actions={actions} />
      <Notice kind="info" title={t('read-only.title')}>
        {text}
      </Notice>
      {facts.length > 0 && (
        <section className="admin-panel">
          <DefinitionList items={facts} />
        </section>
      )}
    </div>
  )
}
