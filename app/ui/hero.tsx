import type { ReactNode } from 'react'
import { Bubbles } from './bubbles.tsx'

interface HeroProps {
  title: ReactNode
  eyebrow?: ReactNode
  lead?: ReactNode
  /** Links with `getButtonClass({ kind: 'light' })`, then `outline-light`. */
  actions?: ReactNode
  /** An `svg` (with `preserveAspectRatio="xMidYMax slice"`) or an `img` with an empty `alt`. Without one, speech bubbles. */
  scene?: ReactNode
  /** Leaves room at the bottom for content with the class `overlap`. */
  overlap?: boolean
  /** 2 if the page already has its title. */
  level?: 1 | 2
}

export function Hero({ title, eyebrow, lead, actions, scene, overlap = false, level = 1 }: HeroProps) {
  const Heading = `h${level}` as const
  return (
    <div className="hero" data-overlap={overlap || undefined}>
      {scene ? <div className="hero-scene">{scene}</div> : <Bubbles spoken />}
      <div className="wrap hero-body">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <Heading>{title}</Heading>
        {lead && <p className="hero-lead">{lead}</p>}
        {actions && <div className="hero-actions">{actions}</div>}
      </div>
    </div>
  )
}
