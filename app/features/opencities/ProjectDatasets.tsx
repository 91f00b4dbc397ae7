import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DatasetCards } from './DatasetCards.tsx'
import type { DatasetTeaser } from './dataset-views.schema.ts'

export function ProjectDatasets({ project, datasets }: { project: string; datasets: readonly DatasetTeaser[] }) {
  const { t } = useTranslation('city-data')
  if (datasets.length === 0) return null
  return (
    <section aria-labelledby="city-data">
      <h2 id="city-data">{t('project.title')}</h2>
      <DatasetCards datasets={datasets} level={3} />
      <p>
        <Link to="/projects/$slug/data" params={{ slug: project }}>
          {t('project.all')}
        </Link>
      </p>
    </section>
  )
}
