import { loadProjectCards } from '#app/features/projects/projects.list.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { FeaturedProjectData } from './featured-project.block.ts'

export async function lookUpFeaturedProject(ctx: Ctx, { projectId }: HomeBlock<'featured_project'>): Promise<FeaturedProjectData> {
  const [project] = projectId ? await loadProjectCards(ctx, { ids: [projectId], limit: 1 }) : []
  return { project: project ?? null }
}
