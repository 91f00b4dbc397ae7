import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { VideoInPlace } from '#app/shell/lazy-video-in-place.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import type { PageView } from './pages.schema.ts'

function Processors({ title, text, processors }: NonNullable<PageView['processors']>) {
  return (
    <section className="prose" aria-labelledby="processors">
      <h2 id="processors">{title}</h2>
      <p>{text}</p>
      <dl>
        {processors.map(({ name, receives }, index) => (
          <div key={index}>
            <dt>
              <strong>{name}</strong>
            </dt>
            {receives.map((what) => (
              <dd key={what}>{what}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}

export function FreePage({ page }: { page: PageView }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  return (
    <div className="page wrap-narrow">
      <Breadcrumbs
        label={t('site.breadcrumbs')}
        links={[
          <Link key="home" to="/">
            {t('site.home')}
          </Link>,
        ]}
        current={<Text words={page.title} />}
      />
      <PageTitle title={<Text words={page.title} />} />
      <RichText
        text={page.body.text}
        href={toLocalHref}
        renderVideo={(video) => <VideoInPlace video={video} />}
        {...(page.body.lang ? { lang: page.body.lang } : {})}
      />
      {page.processors && <Processors {...page.processors} />}
      <p className="page-updated">{t('page.updated', { date: format.date(page.updatedAt) })}</p>
    </div>
  )
}
