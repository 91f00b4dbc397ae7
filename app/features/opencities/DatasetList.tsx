import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Meta } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import type { DatasetTeaser } from './reading.schema.ts'

/** The datasets of a project, on its page. */
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

function DatasetCards({ datasets, level }: { datasets: readonly DatasetTeaser[]; level: 2 | 3 }) {
  const { t } = useTranslation('city-data')
  const format = useFormat()
  const Heading = `h${level}` as const
  return (
    <ul className="stack">
      {datasets.map((data) => (
        <li key={data.slug} className="card">
          <div className="card-body">
            {level === 2 && data.project && (
              <p className="eyebrow">
                <Text words={data.project.title} />
              </p>
            )}
            <Heading>
              <Link to="/data/$slug" params={{ slug: data.slug }}>
                <Text words={data.title} />
              </Link>
            </Heading>
            {data.description.text && <p lang={data.description.lang}>{data.description.text}</p>}
            <Meta
              items={[
                t('rows', { count: data.rows, number: format.number(data.rows) }),
                ...(data.publisher ? [data.publisher] : []),
                ...(data.licence ? [data.licence] : []),
                t('as-of', { date: format.date(data.synchronisedAt) }),
              ]}
            />
          </div>
        </li>
      ))}
    </ul>
  )
}
