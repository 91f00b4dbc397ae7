import type { ReactNode } from 'react'
import { ScrollRegion } from '../scroll-region.tsx'

interface WideTableProps {
  /** Names the region for people who cannot see it. */
  label: string
  isPanel?: boolean
  children: ReactNode
}

/** Around a table of the administration that may be wider than the screen. */
export const WideTable = ({ label, isPanel = false, children }: WideTableProps) => (
  <ScrollRegion label={label} className={isPanel ? 'panel data-scroll' : 'data-scroll'}>
    {children}
  </ScrollRegion>
)
