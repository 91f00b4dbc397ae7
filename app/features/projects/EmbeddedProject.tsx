import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toPathInLanguage } from '#app/shell/language.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useContentLanguage } from '#app/shell/use-content-language.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { ProjectCard } from '#app/ui/project-card.tsx'
import { Text } from '#app/ui/text.tsx'
import { PhaseTag } from './PhaseTag.tsx'
import type { ProjectView } from './projects.schema.ts'

/** A project card embedded in another website; it opens the project in a new tab. */
export function EmbeddedProject({ project }: { project: ProjectView }) {
  const { t } = useTranslation('embeds')
  const site = useSite()
  const href = toPathInLanguage(`/projects/${project.slug}`, useContentLanguage())
  const { phase } = project
  return (
    <ProjectCard
      size="lead"
      level={2}
      title={
        <a href={href} target="_blank" rel="noopener" lang={project.title.lang} dir={getDirection(project.title.lang)}>
          {project.title.text}
        </a>
      }
      picture={project.picture && <img {...project.picture} alt="" width={640} height={360} />}
      tag={<PhaseTag project={project} now={project.now} />}
      summary={<Text words={project.summary} />}
      meta={[t('from', { site: site.name })]}
      action={
        <a href={href} target="_blank" rel="noopener" className={getButtonClass()}>
          {phase === 'open' ? t('card.open') : phase === 'results' ? t('card.results') : t('card.see')}
        </a>
      }
    />
  )
}
