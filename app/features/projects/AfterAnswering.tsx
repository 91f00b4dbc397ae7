import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Text } from '#app/ui/text.tsx'
import { ShareProject } from './ProjectSide.tsx'

interface AfterAnsweringProps {
  project: { slug: string; title: LocalisedText }
  /** The project's full URL, for sharing. */
  address: string
  /** Other projects that are open. */
  others: readonly { slug: string; title: LocalisedText }[]
}

/** What somebody can do once they have answered: follow the project, share it, take part elsewhere. */
export function AfterAnswering({ project, address, others }: AfterAnsweringProps) {
  const { t } = useTranslation('participant')
  return (
    <div className="stack receipt-onward no-print">
      <section className="stack" aria-labelledby="follow-project">
        <h2 id="follow-project">{t('follow.title')}</h2>
        <p>{t('follow.text')}</p>
        <p>
          <Link reloadDocument to="/follow" search={{ project: project.slug }} className={getButtonClass()}>
            <Icon name="bell" />
            {t('follow.follow')}
          </Link>
        </p>
      </section>
      <ShareProject title={project.title.text} address={address} />
      {others.length > 0 && (
        <section className="stack" aria-labelledby="others">
          <h2 id="others">{t('follow.others')}</h2>
          <ul className="link-list">
            {others.map(({ slug, title }) => (
              <li key={slug}>
                <Link to="/projects/$slug" params={{ slug }}>
                  <Text words={title} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
