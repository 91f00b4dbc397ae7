import { loadProjectCards } from '#app/features/projects/projects.list.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { VoicesData } from './voices.block.ts'

/** A quote about a project that the viewer may not see is shown without the project's name. */
export async function lookUpVoices(ctx: Ctx, { quotes }: HomeBlock<'voices'>): Promise<VoicesData> {
  const ids = [...new Set(quotes.flatMap(({ projectId }) => projectId ?? []))]
  const cards = await loadProjectCards(ctx, { ids, limit: ids.length })
  return { projects: cards.map(({ id, slug, title }) => ({ id, slug, title })) }
}
