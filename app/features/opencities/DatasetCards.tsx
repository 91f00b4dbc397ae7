import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Meta } from '#app/ui/card.tsx'
import { Text } from '#app/ui/text.tsx'
import type { DatasetTeaser } from './dataset-views.schema.ts'

export function DatasetCards({ datasets, level }: { datasets: readonly DatasetTeaser[]; level: 2 | 3 }) {
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
            {data.description.text && (
              <p lang={data.description.lang} dir={getDirection(data.description.lang)}>
                {data.description.text}
              </p>
            )}
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
