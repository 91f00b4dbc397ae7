import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { getTranslation, hasText } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import type { areaOutlineShape } from './area-outlines.api.schema.ts'
import { MAX_AREAS } from './areas.schema.ts'
import { isUsed, loadAreaUses, lockAreas, sortByName } from './areas.server.ts'
import { foldAreaName } from './files/name-shapes.ts'
import { type Outline, parseOutline } from './outlines.ts'
import { chooseSlug, findFollowedDataset } from './own-areas.server.ts'
import type { Rings } from './polygons.schema.ts'

export type AreaRow = typeof areas.$inferSelect

export const listAreaTexts = ({ names }: Pick<AreaRow, 'names'>): TranslatedText[] => [
  { pointer: '/nameTranslations', text: names, isNeeded: true, max: 120 },
]

/** An area without its outline, which can be long. */
export type ListedArea = Omit<AreaRow, 'rings' | 'postcodes'>

const refuseAt = (pointer: string, code: Fault['code'], values?: Fault['values']): never => {
  throw new AppError('invalid', { faults: [{ code, pointer, ...(values && { values }) }] })
}

/** The site's areas by name, without those set aside. @throws {AppError} `forbidden` */
export async function listOutlines(ctx: Ctx): Promise<AreaRow[]> {
  requirePermission(ctx, 'site.edit')
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(areas)
      .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt)))
      .limit(MAX_AREAS),
  )
  return sortByName(ctx, rows).map((row) => addMainName(ctx, row))
}

/** Areas of a dataset have one name. */
export const addMainName = <Area extends Pick<AreaRow, 'name' | 'names'>>({ site }: Ctx, row: Area): Area => ({
  ...row,
  names: { [site.locale]: row.name, ...row.names },
})

export async function loadOutlines(ctx: Ctx, ids: readonly string[]): Promise<AreaRow[]> {
  requirePermission(ctx, 'site.edit')
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(areas)
      .where(and(eq(areas.siteId, ctx.site.id), inArray(areas.id, [...ids]))),
  )
  return rows.map((row) => addMainName(ctx, row))
}

/**
 * Adds an area that was drawn.
 * @returns its id
 * @throws {AppError} `forbidden`; `invalid` with `required` or `taken` at `/nameTranslations`, `area-of-dataset` and what is wrong with the outline at
 * `/outline`, `too-many`
 */
export async function createArea(ctx: Ctx, input: CreateInput<typeof areaOutlineShape>): Promise<string> {
  requirePermission(ctx, 'site.edit')
  const rings = requireOutline(input.outline)
  const id = createId()
  await ctx.db.tx(async (tx) => {
    const others = await lockOwnAreas(ctx, tx)
    if (others.filter(({ goneAt }) => goneAt === null).length >= MAX_AREAS) refuseAt('/outline', 'too-many', { max: MAX_AREAS })
    const name = requireName(ctx, others, input.nameTranslations)
    const slug = chooseSlug(name, new Set(others.map((each) => each.slug)))
    await tx.insert(areas).values({ siteId: ctx.site.id, id, slug, name, names: input.nameTranslations, key: input.key || null, rings })
    await recordAudit(ctx, tx, { action: 'areas.create', subject: { type: 'areas', id }, detail: { name } })
  })
  return id
}

/**
 * Changes an area's names, key or outline, or sets it aside: it is on no map from then on, and keeps what uses it.
 * @throws {AppError} `forbidden`, `stale`; `invalid` as `createArea` does
 */
export async function updateArea(
  ctx: Ctx,
  row: ListedArea,
  input: UpdateInput<typeof areaOutlineShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'site.edit')
  const rings = input.outline && requireOutline(input.outline)
  await ctx.db.tx(async (tx) => {
    const others = (await lockOwnAreas(ctx, tx)).filter(({ id }) => id !== row.id)
    const names = input.nameTranslations
    const saved = {
      ...(names && { names, name: requireName(ctx, others, names) }),
      ...(input.key !== undefined && { key: input.key || null }),
      ...(rings && { rings }),
      ...(input.setAside !== undefined && { goneAt: input.setAside ? ctx.now() : null }),
    }
    const changed = await tx
      .update(areas)
      .set({ ...saved, lockVersion: sql`${areas.lockVersion} + 1` })
      .where(and(eq(areas.siteId, ctx.site.id), eq(areas.id, row.id), eq(areas.lockVersion, lockVersion)))
      .returning({ id: areas.id })
    if (changed.length === 0) throw new AppError('stale')
    if (names) await recordSourceChanges(ctx, tx, row.id, listAreaTexts(row), listAreaTexts({ names }))
    const { rings: _, ...told } = saved
    await recordAudit(ctx, tx, {
      action: 'areas.update',
      subject: { type: 'areas', id: row.id },
      changes: listChanges<ListedArea>(row, told),
      ...(rings && { detail: { corners: rings.flat().length } }),
    })
  })
}

/** Removes an area that nothing uses. @throws {AppError} `forbidden`; `invalid` with `area-of-dataset`, or `area-in-use` and what uses it */
export async function removeArea(ctx: Ctx, row: AreaRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await lockOwnAreas(ctx, tx)
    const [use] = await loadAreaUses(ctx, tx, eq(areas.id, row.id))
    if (use && isUsed(use)) {
      const list = (names: readonly string[]) => names.join(', ').slice(0, 300) || '0'
      refuseAt('/id', 'area-in-use', { projects: list(use.projects), people: use.people, campaigns: list(use.campaigns) })
    }
    await tx.delete(areas).where(and(eq(areas.siteId, ctx.site.id), eq(areas.id, row.id)))
    await recordAudit(ctx, tx, { action: 'areas.delete', subject: { type: 'areas', id: row.id }, detail: { name: row.name } })
  })
}

/** A dataset would undo what is changed by hand. */
async function lockOwnAreas(ctx: Ctx, tx: Tx): Promise<AreaRow[]> {
  await lockAreas(ctx, tx)
  const dataset = await findFollowedDataset(ctx, tx)
  if (dataset !== null) refuseAt('/outline', 'area-of-dataset', { name: dataset })
  return tx.select().from(areas).where(eq(areas.siteId, ctx.site.id))
}

function requireOutline(outline: Outline): Rings {
  const parsed = parseOutline(outline)
  return 'fault' in parsed ? refuseAt('/outline', parsed.fault.code, parsed.fault.values) : parsed.rings
}

/** The name that stands for languages without one. */
function requireName({ site }: Ctx, others: readonly AreaRow[], names: AreaRow['names']): string {
  if (!hasText(names)) refuseAt('/nameTranslations', 'required')
  const name = getTranslation(names, site.locale)
  if (others.some((each) => foldAreaName(each.name) === foldAreaName(name))) refuseAt('/nameTranslations', 'taken')
  return name
}
