import type { Ctx } from '#app/server/context.ts'
import type { PageFacts } from '../../block-lookups.server.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { ReportPartData } from './report.blocks.ts'

/** What the page reports on fills its blocks; other pages have none. */
export const lookUpReportPart = async (ctx: Ctx, block: HomeBlock, { describePart }: PageFacts): Promise<ReportPartData> => ({
  part: describePart ? await describePart(ctx, block) : null,
})
