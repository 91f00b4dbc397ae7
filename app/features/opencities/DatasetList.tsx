import { useTranslation } from 'react-i18next'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { DatasetCards } from './DatasetCards.tsx'
import type { DatasetTeaser } from './reading.schema.ts'

/** Every dataset of the site and of the projects that the viewer sees. */
export function DatasetListPage({ datasets }: { datasets: readonly DatasetTeaser[] }) {
  const { t } = useTranslation('city-data')
  return (
    <div className="page wrap-narrow">
      <PageTitle title={t('list.title')} lead={t('list.lead')} />
      {datasets.length === 0 ? (
        <EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>
      ) : (
        <DatasetCards datasets={datasets} level={2} />
      )}
    </div>
  )
}
