import {
  describeDecisions,
  describeMethod,
  describeNext,
  describePeople,
  describeQuestion,
  describeTheme,
} from '#app/features/heard/report-parts.server.ts'
import type { ReportPart } from '#app/features/heard/report-part.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { PageFacts } from '../../block-lookups.server.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { ReportPartData } from './report.blocks.ts'

type Describe = (ctx: Ctx, tx: Tx, projectId: string) => Promise<ReportPart | null>

async function describe(ctx: Ctx, { projectId }: PageFacts, describePart: Describe): Promise<ReportPartData> {
  return { part: projectId ? await ctx.db.read((tx) => describePart(ctx, tx, projectId)) : null }
}

export const lookUpReportFigure = (ctx: Ctx, { question }: HomeBlock<'report_figure'>, page: PageFacts): Promise<ReportPartData> =>
  describe(ctx, page, (inside, tx, projectId) => (question ? describeQuestion(inside, tx, projectId, question) : Promise.resolve(null)))

export const lookUpReportTheme = (ctx: Ctx, { chosen }: HomeBlock<'report_theme'>, page: PageFacts): Promise<ReportPartData> =>
  describe(ctx, page, (inside, tx, projectId) => (chosen ? describeTheme(inside, tx, projectId, chosen) : Promise.resolve(null)))

type LookUpPart = (ctx: Ctx, block: unknown, page: PageFacts) => Promise<ReportPartData>
export const lookUpReportPeople: LookUpPart = (ctx, _, page) => describe(ctx, page, describePeople)
export const lookUpReportMethod: LookUpPart = (ctx, _, page) => describe(ctx, page, describeMethod)
export const lookUpReportDecisions: LookUpPart = (ctx, _, page) => describe(ctx, page, describeDecisions)
export const lookUpReportNext: LookUpPart = (ctx, _, page) => describe(ctx, page, describeNext)
