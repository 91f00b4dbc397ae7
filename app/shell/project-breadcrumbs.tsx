import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { Text } from '#app/ui/text.tsx'

interface ProjectBreadcrumbsProps {
  project: { slug: string; title: LocalisedText }
  /** The list of all projects comes between the home page and the project. */
  withProjects?: boolean
  /** Pages between the project and this one, each with a key. */
  links?: readonly ReactElement[]
  current: ReactNode
}

/** Above a page that belongs to a project: home, the project, and what lies between it and the page. */
export function ProjectBreadcrumbs({ project, withProjects = false, links = [], current }: ProjectBreadcrumbsProps) {
  const { t } = useTranslation('participant')
  return (
    <Breadcrumbs
      label={t('site.breadcrumbs')}
      links={[
        <Link key="home" to="/">
          {t('site.home')}
        </Link>,
        ...(withProjects
          ? [
              <Link key="projects" to="/projects" activeOptions={{ exact: true }}>
                {t('site.projects')}
              </Link>,
            ]
          : []),
        <Link key="project" to="/projects/$slug" params={{ slug: project.slug }} activeOptions={{ exact: true }}>
          <Text words={project.title} />
        </Link>,
        ...links,
      ]}
      current={current}
    />
  )
}
