import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { VideoInPlace } from '#app/shell/lazy-video-in-place.ts'
import { ProjectBreadcrumbs } from '#app/shell/project-breadcrumbs.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Icon } from '#app/ui/icon.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import type { UpdateView } from './updates.schema.ts'

export function UpdatePage({ update }: { update: UpdateView }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { project, body } = update
  return (
    <div className="page wrap-narrow">
      <ProjectBreadcrumbs project={project} withProjects current={<Text words={update.title} />} />
      <article>
        <PageTitle
          title={<Text words={update.title} />}
          eyebrow={<time dateTime={update.publishedAt}>{format.date(update.publishedAt)}</time>}
        />
        <RichText
          text={body.text}
          href={toLocalHref}
          renderVideo={(video) => <VideoInPlace video={video} />}
          {...(body.lang ? { lang: body.lang } : {})}
        />
      </article>
      <nav className="update-nav" aria-label={t('update.more')}>
        {update.newer && (
          <UpdateLink project={project.slug} update={update.newer} rel="next">
            {t('update.newer')}
          </UpdateLink>
        )}
        {update.older && (
          <UpdateLink project={project.slug} update={update.older} rel="prev">
            {t('update.older')}
          </UpdateLink>
        )}
        <p>
          <Link to="/projects/$slug" params={{ slug: project.slug }} className="row row-tight">
            <Icon name="arrow-left" />
            {t('update.back')}
          </Link>
        </p>
      </nav>
    </div>
  )
}

interface UpdateLinkProps {
  project: string
  update: { slug: string; title: { text: string; lang?: string } }
  rel: 'prev' | 'next'
  children: string
}

function UpdateLink({ project, update, rel, children }: UpdateLinkProps) {
  return (
    <p>
      <span className="eyebrow">{children}</span>
      <br />
      <Link
        to="/projects/$slug/updates/$update"
        params={{ slug: project, update: update.slug }}
        rel={rel}
        lang={update.title.lang}
        dir={getDirection(update.title.lang)}
      >
        {update.title.text}
      </Link>
    </p>
  )
}
