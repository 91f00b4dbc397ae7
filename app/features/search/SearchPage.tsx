import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { Text } from '#app/ui/text.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import type { SearchHit, SearchView } from './search.schema.ts'

export function SearchPage({ result }: { result: SearchView }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { words, hits } = result
  return (
    <div className="page wrap-narrow">
      <PageTitle title={t('search.title')} />
      <search>
        <form method="get" action={toLocalHref('/search')} key={words}>
          <SearchField
            name="q"
            label={t('search.label')}
            placeholder={t('search.placeholder')}
            button={t('site.search')}
            defaultValue={words}
          />
        </form>
      </search>
      {words && hits.length > 0 && (
        <>
          <h2 className="list-count list-summary">
            {t('search.found', { count: hits.length, number: format.number(hits.length), words })}
          </h2>
          <ol className="search-hits">
            {hits.map((hit) => (
              <li key={`${hit.kind} ${hit.projectSlug} ${hit.slug}`}>
                <Hit hit={hit} />
              </li>
            ))}
          </ol>
        </>
      )}
      {words && hits.length === 0 && (
        <EmptyState
          title={t('search.nothing', { words })}
          action={
            <Link to="/projects" className={getButtonClass({ kind: 'secondary' })}>
              {t('projects.show-all')}
            </Link>
          }
        >
          {t('search.nothing-text')}
        </EmptyState>
      )}
    </div>
  )
}

function Hit({ hit }: { hit: SearchHit }) {
  const { t } = useTranslation('participant')
  return (
    <article className="search-hit">
      <Tag>{t(`search.kinds.${hit.kind}`)}</Tag>
      <h3>
        <HitLink hit={hit} />
      </h3>
      <p lang={hit.excerpt.lang} dir={getDirection(hit.excerpt.lang)}>
        {hit.excerpt.text}
      </p>
    </article>
  )
}

function HitLink({ hit }: { hit: SearchHit }) {
  const { slug } = hit
  const title = <Text words={hit.title} />
  switch (hit.kind) {
    case 'project':
      return (
        <Link to="/projects/$slug" params={{ slug }}>
          {title}
        </Link>
      )
    case 'hub':
      return (
        <Link to="/hubs/$slug" params={{ slug }}>
          {title}
        </Link>
      )
    case 'page':
      return (
        <Link to="/pages/$slug" params={{ slug }}>
          {title}
        </Link>
      )
    case 'survey':
      return (
        <Link to="/projects/$slug/surveys/$survey" params={{ slug: hit.projectSlug ?? '', survey: slug }}>
          {title}
        </Link>
      )
    case 'results':
      return (
        <Link to="/projects/$slug/surveys/$survey/results" params={{ slug: hit.projectSlug ?? '', survey: slug }}>
          {title}
        </Link>
      )
    case 'contribution':
      return (
        <Link
          to="/projects/$slug/$activity/$number"
          params={{ slug: hit.projectSlug ?? '', activity: hit.activitySlug ?? '', number: slug }}
        >
          {title}
        </Link>
      )
    case 'event':
      return (
        <Link to="/projects/$slug/events/$event" params={{ slug: hit.projectSlug ?? '', event: slug }}>
          {title}
        </Link>
      )
    case 'update':
      return (
        <Link to="/projects/$slug/updates/$update" params={{ slug: hit.projectSlug ?? '', update: slug }}>
          {title}
        </Link>
      )
  }
}
