import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { embedSettingsQuery } from '../embeds.queries.ts'
import { DomainForm } from './DomainForm.tsx'
import { DomainList } from './DomainList.tsx'
import { Snippet } from './Snippet.tsx'

/** Settings for embedding: allowed domains, and the code to embed surveys and projects. */
export function EmbedSettings() {
  const { t } = useTranslation('embeds')
  const { domains, embeddables, origin } = useSuspenseQuery(embedSettingsQuery).data
  return (
    <div className="admin-stack">
      <PageHeader title={t('title')} meta={t('lead')} />
      <section className="admin-panel" aria-labelledby="domains">
        <h2 id="domains">{t('domains')}</h2>
        <DomainList domains={domains} />
        <DomainForm />
      </section>
      <Snippet embeddables={embeddables} origin={origin} />
    </div>
  )
}
