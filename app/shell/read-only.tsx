import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { type Definition, DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'

interface ReadOnlyProps {
  title: string
  status?: ReactNode
  /** Who owns it and who may change it. */
  text: string
  /** Facts that everybody may see. */
  facts: readonly Definition[]
  /** Links to where it can be read. */
  actions: ReactNode
}

/** Shown instead of an editor, which would look empty, to a viewer who may only see something: who owns it and why. */
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
