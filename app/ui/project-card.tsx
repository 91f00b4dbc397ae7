import type { ReactNode } from 'react'
import { Meta } from './card.tsx'

interface ProjectCardProps {
  /** A link to the project with its title; the whole card is clickable. */
  title: ReactNode
  /** Heading level to use on this page. */
  level?: 2 | 3
  /** An `img` with an empty `alt`, or a drawing: purely decorative. */
  picture?: ReactNode
  tag?: ReactNode
  summary?: ReactNode
  meta?: readonly ReactNode[]
  /** One link styled as a button, on a `lead` card. */
  action?: ReactNode
  /** `lead` is the single featured card: picture beside text on wide screens. */
  size?: 'grid' | 'lead'
}

export function ProjectCard({ title, level = 3, picture, tag, summary, meta, action, size = 'grid' }: ProjectCardProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article className={size === 'lead' ? 'card project-card project-card-lead' : 'card project-card'}>
      <div className="project-card-body">
        <Heading>{title}</Heading>
        {tag}
        {summary && <p>{summary}</p>}
        {meta && meta.length > 0 && <Meta items={meta} />}
        {action && <div className="project-card-action">{action}</div>}
      </div>
      {picture && <div className="card-picture">{picture}</div>}
    </article>
  )
}
