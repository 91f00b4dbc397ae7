import { and, eq, inArray } from 'drizzle-orm'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { peopleGroups } from '#app/server/db/schema/accounts.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { topics } from '#app/server/db/schema/projects.ts'
import { type Audience, AUDIENCE_FILTERS, type AudienceFilter, type AudienceNames } from './campaigns.schema.ts'

/** Names of each audience's filters, in the order given. Groups are named only if the viewer may see them. */
export async function loadAudienceNames(ctx: Ctx, audiences: readonly Audience[]): Promise<AudienceNames[]> {
  const names = await ctx.db.read((tx) => loadNames(ctx, tx, audiences))
  const groups = new Set((await loadGroupsById(ctx, [...names.group.keys()])).map(({ id }) => id))
  for (const id of names.group.keys()) if (!groups.has(id)) names.group.set(id, '')
  return audiences.map((audience) =>
    Object.fromEntries(
      AUDIENCE_FILTERS.flatMap((thing) => {
        const id = audience[thing]
        return id ? [[thing, names[thing].get(id) ?? null]] : []
      }),
    ),
  )
}

/** Filters whose topic, area or group no longer exists. */
export async function loadMissingFilters(ctx: Ctx, tx: Tx, audience: Audience): Promise<AudienceFilter[]> {
  const names = await loadNames(ctx, tx, [audience])
  return AUDIENCE_FILTERS.filter((thing) => audience[thing] && !names[thing].has(audience[thing]))
}

/** A campaign whose filter is gone must not be sent without it. @throws {AppError} `invalid` naming each filter to choose again */
export async function requireExistingFilters(ctx: Ctx, tx: Tx, audience: Audience): Promise<void> {
  const gone = await loadMissingFilters(ctx, tx, audience)
  if (gone.length)
    throw new AppError('invalid', { faults: gone.map((thing) => ({ code: `${thing}-gone` as const, pointer: `/audience/${thing}` })) })
}

/**
 * Newly chosen filters must exist, and the viewer must manage the group's people; otherwise they count as nonexistent.
 * @throws {AppError} `invalid`
 */
export async function requireValidFilters(ctx: Ctx, tx: Tx, audience: Audience | undefined, before: Audience = {}): Promise<void> {
  const chosen: Audience = {}
  for (const thing of AUDIENCE_FILTERS) if (audience?.[thing] && audience[thing] !== before[thing]) chosen[thing] = audience[thing]
  const unknown = new Set(await loadMissingFilters(ctx, tx, chosen))
  if (chosen.group && (await loadGroupsById(ctx, [chosen.group])).length === 0) unknown.add('group')
  if (unknown.size)
    throw new AppError('invalid', {
      faults: [...unknown].map((thing) => ({ code: 'not-a-choice' as const, pointer: `/audience/${thing}` })),
    })
}

/** Names of existing topics, areas and groups by id. */
async function loadNames(ctx: Ctx, tx: Tx, audiences: readonly Audience[]): Promise<Record<AudienceFilter, Map<string, string>>> {
  const { site, contentLanguage } = ctx
  const collectIds = (thing: AudienceFilter) => [...new Set(audiences.flatMap((audience) => audience[thing] ?? []))]
  const readNames = async (thing: AudienceFilter, read: (some: string[]) => Promise<[string, string][]>) => {
    const some = collectIds(thing)
    return new Map(some.length ? await read(some) : [])
  }
  return {
    topic: await readNames('topic', async (some) =>
      (
        await tx
          .select({ id: topics.id, title: topics.title })
          .from(topics)
          .where(and(eq(topics.siteId, site.id), inArray(topics.id, some)))
      ).map(({ id, title }) => [id, localiseText(title, contentLanguage, site.locale).text]),
    ),
    area: await readNames('area', async (some) =>
      (
        await tx
          .select({ id: areas.id, name: areas.name })
          .from(areas)
          .where(and(eq(areas.siteId, site.id), inArray(areas.id, some)))
      ).map(({ id, name }) => [id, name]),
    ),
    group: await readNames('group', async (some) =>
      (
        await tx
          .select({ id: peopleGroups.id, name: peopleGroups.name })
          .from(peopleGroups)
          .where(and(eq(peopleGroups.siteId, site.id), inArray(peopleGroups.id, some)))
      ).map(({ id, name }) => [id, name]),
    ),
  }
}
