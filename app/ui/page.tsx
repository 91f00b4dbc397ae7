import type { ReactNode } from 'react'

/** First element in the body: skips the header for keyboard users, to `<main id="main" tabIndex={-1}>`. */
export function SkipLink({ children }: { children: ReactNode }) {
  return (
    <a className="skip-link" href="#main">
      {children}
    </a>
  )
}

/** The head of a page without a hero. */
export function PageTitle({
  title,
  eyebrow,
  lead,
  children,
}: {
  title: ReactNode
  eyebrow?: ReactNode
  lead?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className="page-title">
      {eyebrow && <p className="eyebrow">{eyebrow}</p>}
      <h1>{title}</h1>
      {lead && <p className="lead">{lead}</p>}
      {children}
    </header>
  )
}

/** The head of a section: its title, one link and an introductory line. */
export function SectionHead({ title, id, link, children }: { title: ReactNode; id?: string; link?: ReactNode; children?: ReactNode }) {
  return (
    <div className="section-head">
      <h2 id={id}>{title}</h2>
      {link}
      {children && <p>{children}</p>}
    </div>
  )
}
