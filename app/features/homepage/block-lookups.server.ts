import type { Ctx } from '#app/server/context.ts'
import { lookUpCounters } from './blocks/counters/counters.lookup.server.ts'
import { lookUpEmbed } from './blocks/embed/embed.lookup.server.ts'
import { lookUpFeaturedProject } from './blocks/featured-project/featured-project.lookup.server.ts'
import { lookUpHubGrid } from './blocks/hub-grid/hub-grid.lookup.server.ts'
import { lookUpOpenData } from './blocks/open-data/open-data.lookup.server.ts'
import { lookUpProjectGrid } from './blocks/project-grid/project-grid.lookup.server.ts'
import { lookUpProjectMap } from './blocks/project-map/project-map.lookup.server.ts'
import { lookUpSurveyTeaser } from './blocks/survey-teaser/survey-teaser.lookup.server.ts'
import { lookUpTimeline } from './blocks/timeline/timeline.lookup.server.ts'
import { lookUpUpdates } from './blocks/updates/updates.lookup.server.ts'
import { lookUpVoices } from './blocks/voices/voices.lookup.server.ts'
import type { BlockData, BlockType, DataOf, HomeBlock } from './homepage.schema.ts'

/** What a block may know of the page around it. */
export interface PageFacts {
  /** The hub whose page it is, or null on the site's own. */
  hubId: string | null
  /** Projects shown large on the page: grids by rule leave them out. */
  featured: readonly string[]
}

type LookUp<Type extends BlockType> = (ctx: Ctx, block: HomeBlock<Type>, page: PageFacts) => Promise<DataOf<Type>>

/** What is looked up for each kind of block that shows more than its own words. */
const LOOKUPS: { readonly [Type in BlockType]?: LookUp<Type> } = {
  counters: lookUpCounters,
  embed: lookUpEmbed,
  featured_project: lookUpFeaturedProject,
  hub_grid: lookUpHubGrid,
  open_data: lookUpOpenData,
  project_grid: lookUpProjectGrid,
  project_map: lookUpProjectMap,
  survey_teaser: lookUpSurveyTeaser,
  timeline: lookUpTimeline,
  updates: lookUpUpdates,
  voices: lookUpVoices,
}

/** What a block shows besides its own words, as far as the viewer may see it. */
export async function lookUpBlock(ctx: Ctx, block: HomeBlock, page: PageFacts): Promise<BlockData> {
  const find = LOOKUPS[block.type] as LookUp<BlockType> | undefined
  return find ? find(ctx, block, page) : null
}

export const listFeatured = (blocks: readonly HomeBlock[]): string[] =>
  blocks.flatMap((block) => (block.type === 'featured_project' && block.projectId ? [block.projectId] : []))
