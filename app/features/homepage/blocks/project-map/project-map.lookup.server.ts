import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { phaseSql } from '#app/features/projects/project-cards.server.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { PageFacts } from '../../block-lookups.server.ts'
import type { ProjectMapData } from './project-map.block.ts'

interface Place {
  address?: Translated
  lat?: number
  lng?: number
}

export async function lookUpProjectMap(
  ctx: Ctx,
  { filter, limit }: HomeBlock<'project_map'>,
  { hubId }: PageFacts,
): Promise<ProjectMapData> {
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ id: projects.id, slug: projects.slug, title: projects.title, place: projects.place })
      .from(projects)
      .where(
        and(
          listedWhere(ctx),
          isNotNull(projects.place),
          filter === 'open' ? eq(phaseSql(ctx.now()), 'open') : undefined,
          hubId ? eq(projects.hubId, hubId) : undefined,
        ),
      )
      .orderBy(asc(projects.slug))
      .limit(limit),
  )
  const localise = (text: Translated | undefined) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
  return {
    places: rows.map(({ id, slug, title, place }) => {
      const { address, lat = null, lng = null } = place as Place
      return { id, slug, title: localise(title), address: localise(address), lat, lng }
    }),
  }
}
