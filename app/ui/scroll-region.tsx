import type { ReactNode } from 'react'

interface ScrollRegionProps {
  /** Names the region for people who cannot see it. */
  label?: string | undefined
  /** Id of the heading that names it. */
  labelledBy?: string
  className?: string
  children: ReactNode
}

/** What may be wider than the page, such as a table: it scrolls sideways, by keyboard too. */
export const ScrollRegion = ({ label, labelledBy, className = 'table-scroll', children }: ScrollRegionProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without a stop, the keyboard could not scroll it
  <section className={className} aria-label={label} aria-labelledby={labelledBy} tabIndex={0}>
    {children}
  </section>
)
