import type { PageParts } from '#app/features/homepage/block-parts.tsx'
import { renderBlock } from '#app/features/homepage/block-views.tsx'
import type { HomeBlockView } from '#app/features/homepage/homepage.schema.ts'

/** No block of a report shows cards of projects or departments, or the site. */
const PARTS: PageParts = {
  site: { name: '', tagline: { text: '' } },
  renderProject: () => null,
  renderHub: () => null,
  overlap: false,
  level: 2,
}

/** Draws a block of a report with the component that pages of blocks have for it. */
export const renderReportBlock = (block: HomeBlockView) => renderBlock(block, PARTS)
