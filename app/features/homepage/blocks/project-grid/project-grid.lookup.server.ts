import { countListedProjects, loadProjectCards } from '#app/features/projects/projects.list.server.ts'
import type { Phase, ProjectCardView } from '#app/features/projects/projects.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { PageFacts } from '../../block-lookups.server.ts'
import type { GridFilter, ProjectGridData } from './project-grid.block.ts'

const PHASE_BY_FILTER: Record<Exclude<GridFilter, 'chosen'>, Phase | undefined> = {
  open: 'open',
  upcoming: 'upcoming',
  results: 'results',
  newest: undefined,
}

export async function lookUpProjectGrid(ctx: Ctx, block: HomeBlock<'project_grid'>, page: PageFacts): Promise<ProjectGridData> {
  return { projects: await loadProjects(ctx, block, page), total: await countListedProjects(ctx, page.hubId) }
}

async function loadProjects(
  ctx: Ctx,
  { filter, limit, projectIds }: HomeBlock<'project_grid'>,
  page: PageFacts,
): Promise<ProjectCardView[]> {
  if (filter === 'chosen') {
    const cards = await loadProjectCards(ctx, { ids: projectIds, limit: projectIds.length })
    return projectIds.flatMap((id) => cards.find((card) => card.id === id) ?? [])
  }
  const phase = PHASE_BY_FILTER[filter]
  const wanted = { limit, newest: filter === 'newest', without: page.featured, ...(phase ? { phase } : {}) }
  return trimToWholeRows(await loadProjectCards(ctx, page.hubId ? { ...wanted, hubId: page.hubId } : wanted))
}

/** A wide row holds three cards: drop the ones that would not fill the last row. */
const trimToWholeRows = <T>(cards: readonly T[]): T[] => (cards.length > 3 ? cards.slice(0, cards.length - (cards.length % 3)) : [...cards])
