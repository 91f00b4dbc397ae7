import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

export type NoticeKind = 'info' | 'success' | 'warning' | 'error'

/** An error is announced at once, a success politely; other notices are simply part of the page. */
const ROLES = { info: 'note', success: 'status', warning: 'note', error: 'alert' } as const

export function Notice({ kind = 'info', title, children }: { kind?: NoticeKind; title?: ReactNode; children?: ReactNode }) {
  return (
    <div className={kind === 'info' ? 'notice' : `notice notice-${kind}`} role={ROLES[kind]}>
      <Icon name={kind} />
      <div className="notice-body">
        {title && <p className="notice-title">{title}</p>}
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}
