import type { ReactNode } from 'react'

export type BadgeTone = 'neutral' | 'info' | 'ok' | 'warn' | 'bad'

/** A status in one or two words. The dot is hollow for a pending state and filled for a current one. */
export function Badge({ tone = 'neutral', hollow = false, children }: { tone?: BadgeTone; hollow?: boolean; children: ReactNode }) {
  return (
    <span className={`badge badge-${tone}`} data-hollow={hollow || undefined}>
      {children}
    </span>
  )
}
