import type { ReactNode } from 'react'

interface WideTableProps {
  /** Names the region for people who cannot see it. */
  label: string
  isPanel?: boolean
  children: ReactNode
}

/** Around a table that may be wider than the screen: it scrolls sideways, by keyboard too. */
export const WideTable = ({ label, isPanel = false, children }: WideTableProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without a stop, the keyboard could not scroll it
  <section className={isPanel ? 'panel data-scroll' : 'data-scroll'} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
