import type { ReportPart } from '#app/features/heard/report-part.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import { lookUpCounters } from './blocks/counters/counters.lookup.server.ts'
import { lookUpEmbed } from './blocks/embed/embed.lookup.server.ts'
import { lookUpFeaturedProject } from './blocks/featured-project/featured-project.lookup.server.ts'
import { lookUpHubGrid } from './blocks/hub-grid/hub-grid.lookup.server.ts'
import { lookUpOpenData } from './blocks/open-data/open-data.lookup.server.ts'
import { lookUpProjectGrid } from './blocks/project-grid/project-grid.lookup.server.ts'
import { lookUpProjectMap } from './blocks/project-map/project-map.lookup.server.ts'
import { lookUpQuickPoll } from './blocks/quick-poll/quick-poll.lookup.server.ts'
import { lookUpReportPart } from './blocks/report/report.lookup.server.ts'
import { lookUpSurveyTeaser } from './blocks/survey-teaser/survey-teaser.lookup.server.ts'
import { lookUpTimeline } from './blocks/timeline/timeline.lookup.server.ts'
import { lookUpUpdates } from './blocks/updates/updates.lookup.server.ts'
import { lookUpVoices } from './blocks/voices/voices.lookup.server.ts'
import type { BlockData, BlockType, DataOf, HomeBlock } from './homepage.schema.ts'

/** What a block's lookup may know about the page. */
export interface PageFacts {
  /** The hub that the page belongs to, or null for the site's homepage. */
  hubId: string | null
  /** Projects featured on the page; automatic grids leave them out. */
  featured: readonly string[]
  /** Of a report: what a block shows of its project, null if there is nothing. */
  describePart?: ((ctx: Ctx, block: HomeBlock) => Promise<ReportPart | null>) | undefined
}

type LookUp<Type extends BlockType> = (ctx: Ctx, block: HomeBlock<Type>, page: PageFacts) => Promise<DataOf<Type>>

/** Lookups of the blocks that show more than their own text. */
const LOOKUPS: { readonly [Type in BlockType]?: LookUp<Type> } = {
  counters: lookUpCounters,
  embed: lookUpEmbed,
  featured_project: lookUpFeaturedProject,
  hub_grid: lookUpHubGrid,
  open_data: lookUpOpenData,
  project_grid: lookUpProjectGrid,
  project_map: lookUpProjectMap,
  quick_poll: lookUpQuickPoll,
  report_decisions: lookUpReportPart,
  report_figure: lookUpReportPart,
  report_method: lookUpReportPart,
  report_next: lookUpReportPart,
  report_people: lookUpReportPart,
  report_theme: lookUpReportPart,
  survey_teaser: lookUpSurveyTeaser,
  timeline: lookUpTimeline,
  updates: lookUpUpdates,
  voices: lookUpVoices,
}

/** Loads a block's data, limited to what the viewer may see. */
export async function lookUpBlock(ctx: Ctx, block: HomeBlock, page: PageFacts): Promise<BlockData> {
  const find = LOOKUPS[block.type] as LookUp<BlockType> | undefined
  return find ? find(ctx, block, page) : null
}

export const listFeatured = (blocks: readonly HomeBlock[]): string[] =>
  blocks.flatMap((block) => (block.type === 'featured_project' && block.projectId ? [block.projectId] : []))
