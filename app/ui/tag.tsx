import type { ReactNode } from 'react'

export type TagKind = 'plain' | 'open' | 'soon' | 'closed' | 'results' | 'draft'

/** Each state has its own icon beside its text, so that nothing depends on colour. */
const TAG_ICONS: Record<TagKind, ReactNode> = {
  plain: null,
  open: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  soon: (
    <>
      <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor" />
    </>
  ),
  closed: <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  results: <path d="m1.5 6.5 3 3 6-7" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />,
  draft: <path d="M1.5 6h9" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeDasharray="1 3.5" />,
}

/** The state of something: open, closing soon, closed, results published, draft; or a plain label. */
export function Tag({ kind = 'plain', children }: { kind?: TagKind; children: ReactNode }) {
  return (
    <span className={kind === 'plain' ? 'tag' : `tag tag-${kind}`}>
      {TAG_ICONS[kind] && (
        <svg viewBox="0 0 12 12" aria-hidden="true">
          {TAG_ICONS[kind]}
        </svg>
      )}
      {children}
    </span>
  )
}
