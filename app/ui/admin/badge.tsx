import type { ReactNode } from 'react'

export type BadgeTone = 'neutral' | 'info' | 'ok' | 'warn' | 'bad'

/** A state in one or two words. The dot is hollow while something is yet to come, filled once it is so. */
export function Badge({ tone = 'neutral', hollow = false, children }: { tone?: BadgeTone; hollow?: boolean; children: ReactNode }) {
  return (
    <span className={`badge badge-${tone}`} data-hollow={hollow || undefined}>
      {children}
    </span>
  )
}
