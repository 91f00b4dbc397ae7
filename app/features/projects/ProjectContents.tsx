import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Faq } from '#app/ui/faq.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Text } from '#app/ui/text.tsx'
import type { ProjectDocumentView, ProjectView, UpdateTeaser } from './projects.schema.ts'

export function ProjectDocuments({ documents }: { documents: readonly ProjectDocumentView[] }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { languageNames } = useSite()
  if (documents.length === 0) return null
  return (
    <section aria-labelledby="documents">
      <h2 id="documents">{t('project.documents')}</h2>
      <ul className="document-list">
        {documents.map((document) => (
          <li key={document.id}>
            <Icon name="document" />
            <a
              href={document.href}
              type={document.mediaType}
              hrefLang={document.language ?? undefined}
              lang={document.title.lang}
              dir={getDirection(document.title.lang)}
            >
              {document.title.text}
            </a>
            <span className="document-facts">
              {[
                /\.(\w+)(?:\?|$)/.exec(document.href)?.[1]?.toUpperCase(),
                document.pages && t('project.pages', { count: document.pages, number: format.number(document.pages) }),
                format.bytes(document.bytes),
              ]
                .filter(Boolean)
                .join(', ')}
              {document.language && (
                <>
                  {', '}
                  <span lang={document.language} dir={getDirection(document.language)}>
                    {languageNames[document.language] ?? document.language}
                  </span>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function ProjectFaqs({ faqs }: { faqs: ProjectView['faqs'] }) {
  const { t } = useTranslation('participant')
  if (faqs.length === 0) return null
  return (
    <section aria-labelledby="faqs">
      <h2 id="faqs">{t('home.faq')}</h2>
      <Faq items={faqs} href={toLocalHref} />
    </section>
  )
}

export function ProjectUpdates({ project }: { project: ProjectView }) {
  const { t } = useTranslation('participant')
  if (project.updates.length === 0) return null
  return (
    <section aria-labelledby="updates">
      <h2 id="updates">{t('project.updates')}</h2>
      <ol className="update-list">
        {project.updates.map((update) => (
          <li key={update.slug}>
            <Teaser update={update} />
          </li>
        ))}
      </ol>
      <p className="no-print">
        <a href={toLocalHref('/feed.atom')}>{t('site.feed')}</a>
      </p>
    </section>
  )
}

function Teaser({ update }: { update: UpdateTeaser }) {
  const format = useFormat()
  return (
    <article>
      <time dateTime={update.publishedAt}>{format.date(update.publishedAt)}</time>
      <h3>
        <Link to="/projects/$slug/updates/$update" params={{ slug: update.project.slug, update: update.slug }}>
          <Text words={update.title} />
        </Link>
      </h3>
      <p lang={update.title.lang} dir={getDirection(update.title.lang)}>
        {update.excerpt}
      </p>
    </article>
  )
}
