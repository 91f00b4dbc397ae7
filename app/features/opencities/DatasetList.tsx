import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { DatasetCards } from './DatasetCards.tsx'
import type { DatasetTeaser, OpenResultTeaser } from './dataset-views.schema.ts'

interface OpenDataProps {
  datasets: readonly DatasetTeaser[]
  results: readonly OpenResultTeaser[]
}

/** Every dataset of the site and of the projects the viewer can see, and the results anybody may download. */
export function DatasetListPage({ datasets, results }: OpenDataProps) {
  const { t } = useTranslation('city-data')
  return (
    <div className="page wrap-narrow">
      <PageTitle title={t('list.title')} lead={t('list.lead')} />
      {datasets.length === 0 && results.length === 0 && <EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>}
      {datasets.length > 0 && <DatasetCards datasets={datasets} level={2} />}
      {results.length > 0 && <OpenResults results={results} />}
    </div>
  )
}

function OpenResults({ results }: Pick<OpenDataProps, 'results'>) {
  const { t } = useTranslation('city-data')
  const format = useFormat()
  return (
    <section className="stack open-results" aria-labelledby="results">
      <h2 id="results">{t('results.title')}</h2>
      <p>{t('results.text')}</p>
      <ul>
        {results.map(({ project, survey, title, updatedAt }) => (
          <li key={`${project}/${survey}`}>
            <Link to="/projects/$slug/surveys/$survey/results" params={{ slug: project, survey }}>
              <Text words={title} />
            </Link>
            <span className="meta">
              {updatedAt && <span>{t('as-of', { date: format.date(updatedAt) })}</span>}
              <a href={`/open-data/${project}/${survey}.csv`}>
                CSV<span className="visually-hidden">: {title.text}</span>
              </a>
              <a href={`/open-data/${project}/${survey}.json`}>
                JSON<span className="visually-hidden">: {title.text}</span>
              </a>
            </span>
          </li>
        ))}
      </ul>
      <p className="meta">
        <span>{t('results.portals')}</span>
        <a href="/data.json">DCAT-US</a>
        <a href="/catalog.jsonld">DCAT-AP</a>
        <a href="/open-data.atom">Atom</a>
      </p>
    </section>
  )
}
