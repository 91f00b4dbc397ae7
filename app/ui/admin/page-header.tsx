import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: ReactNode
  /** A `Badge` beside the title. */
  status?: ReactNode
  /** One line below it: when it was changed, where it belongs. */
  meta?: ReactNode
  /** Buttons; the primary one last. */
  actions?: ReactNode
  /** `TabLinks` between views of the same thing. */
  tabs?: ReactNode
}

export function PageHeader({ title, status, meta, actions, tabs }: PageHeaderProps) {
  return (
    <header className="page-header">
      <div className="page-header-row">
        <div className="page-header-title">
          <h1>
            {title} {status}
          </h1>
          {meta && <p>{meta}</p>}
        </div>
        {actions && <div className="page-header-actions">{actions}</div>}
      </div>
      {tabs}
    </header>
  )
}
