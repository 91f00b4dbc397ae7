import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { ProjectCard } from '#app/ui/project-card.tsx'
import { Text } from '#app/ui/text.tsx'
import { PhaseTag } from './PhaseTag.tsx'
import type { ProjectCardView } from './projects.schema.ts'

interface ProjectTileProps {
  project: ProjectCardView
  now: string
  level?: 2 | 3
  size?: 'grid' | 'lead'
}

/** A project card that links to its page. */
export function ProjectTile({ project, now, level, size = 'grid' }: ProjectTileProps) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { participants, minutes, topic, phase } = project
  const people = { count: participants, number: format.number(participants) }
  const isLead = size === 'lead'
  return (
    <ProjectCard
      size={size}
      {...(level ? { level } : {})}
      title={
        <Link to="/projects/$slug" params={{ slug: project.slug }} lang={project.title.lang} dir={getDirection(project.title.lang)}>
          {project.title.text}
        </Link>
      }
      picture={project.picture && <img {...project.picture} alt="" width={640} height={360} loading={isLead ? 'eager' : 'lazy'} />}
      tag={<PhaseTag project={project} now={now} />}
      summary={<Text words={project.summary} />}
      meta={[
        ...(participants > 0 ? [isLead ? t('people-answered', people) : t('people', people)] : []),
        ...(topic ? [<Text key="topic" words={topic.title} />] : []),
        ...(isLead && phase === 'open' && minutes ? [t('minutes', { count: minutes })] : []),
        ...(project.membersOnly ? [t('phase.members')] : []),
      ]}
      action={
        isLead && (
          <Link to="/projects/$slug" params={{ slug: project.slug }} className={getButtonClass()}>
            {phase === 'open' ? t('have-your-say') : phase === 'results' ? t('read-results') : t('see-project')}
          </Link>
        )
      }
    />
  )
}
