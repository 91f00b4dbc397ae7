import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ProjectCard } from '#app/ui/project-card.tsx'
import { Text } from '#app/ui/text.tsx'
import type { HubCardView } from './hubs.schema.ts'

export function HubTile({ hub, level }: { hub: HubCardView; level?: 2 | 3 }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  return (
    <ProjectCard
      {...(level ? { level } : {})}
      title={
        <Link to="/hubs/$slug" params={{ slug: hub.slug }} lang={hub.title.lang} dir={getDirection(hub.title.lang)}>
          {hub.title.text}
        </Link>
      }
      picture={hub.picture && <img {...hub.picture} alt="" width={640} height={360} loading="lazy" />}
      summary={<Text words={hub.summary} />}
      meta={[
        hub.openProjects > 0
          ? t('hubs.open', { count: hub.openProjects, number: format.number(hub.openProjects) })
          : hub.projects > 0
            ? t('hubs.projects', { count: hub.projects, number: format.number(hub.projects) })
            : t('hubs.no-projects'),
      ]}
    />
  )
}
