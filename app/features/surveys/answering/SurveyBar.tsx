import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getDirection } from '#app/lib/added-languages.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { ProjectView } from '../surveys.views.ts'

/** Link back to the project, at the top of all survey pages. */
export function SurveyBar({ project, children }: { project: ProjectView; children?: ReactNode }) {
  return (
    <div className="survey-bar">
      <Link to="/projects/$slug" params={{ slug: project.slug }}>
        <Icon name="arrow-left" />
        <span lang={project.title.lang} dir={getDirection(project.title.lang)}>
          {project.title.text}
        </span>
      </Link>
      {children}
    </div>
  )
}
