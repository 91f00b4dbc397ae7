import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export default function Updates({ block }: BlockProps<'updates'>) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('home.updates')}>
      <ul className="card-grid">
        {block.data.updates.map((update) => (
          <li key={update.id} className="card card-body">
            <p className="eyebrow">
              <time dateTime={update.publishedAt}>{format.date(update.publishedAt)}</time>
            </p>
            <h3>
              <Link
                to="/projects/$slug/updates/$update"
                params={{ slug: update.project.slug, update: update.slug }}
                lang={update.title.lang}
                dir={getDirection(update.title.lang)}
              >
                {update.title.text}
              </Link>
            </h3>
            {update.text && (
              <p lang={update.title.lang} dir={getDirection(update.title.lang)}>
                {update.text}
              </p>
            )}
            <p className="meta">
              <Text words={update.project.title} />
            </p>
          </li>
        ))}
      </ul>
    </BlockSection>
  )
}
