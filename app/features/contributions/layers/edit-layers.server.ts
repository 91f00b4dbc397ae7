import { and, asc, count, eq, max, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { dropUpload, requireUploadedFile } from '#app/features/media/media.uploads.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { hasText } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { LAYER_PATTERNS, type LayerPattern } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, mapLayers } from '#app/server/db/schema/contributions.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { requireActivityFor } from '../record/activities.policy.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import type { PlacedLayer } from './layer-records.server.ts'
import { MAX_LAYER_BYTES, MAX_LAYERS } from './layers.schema.ts'
import type { mapLayerShape } from './map-layers.api.schema.ts'
import type { LayerFile, ReadLayer } from './read-layer.server.ts'

/**
 * Adds a layer to an activity's map from a completed upload, above the others. A refused upload is kept, to be tried again with `convertFrom`.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` as `readLayerFile` does, and with `too-many` or `taken`
 */
export async function addLayer(ctx: Ctx, input: CreateInput<typeof mapLayerShape>): Promise<string> {
  const { activity, project } = await ctx.db.read((tx) => requireActivityFor(ctx, tx, 'activities.edit', input.activity))
  if (!readActivitySettings(activity).tools.places) refuseAt('not-a-choice', '/activity')
  requireName(input.nameTranslations)
  await ctx.db.read(async (tx) => requireRoom(await loadOrder(ctx, tx, activity.id)))
  const { bytes } = await requireUploadedFile(ctx, input.upload)
  const { shapes, rows, columns, box, isSimplified } = await readFile(ctx, { file: bytes, convertFrom: input.convertFrom ?? null })
  const id = createId()
  await ctx.db.tx(async (tx) => {
    await lockActivity(ctx, tx, activity.id)
    const order = await loadOrder(ctx, tx, activity.id)
    requireRoom(order)
    const [last] = await tx
      .select({ number: max(mapLayers.number) })
      .from(mapLayers)
      .where(and(eq(mapLayers.siteId, ctx.site.id), eq(mapLayers.activityId, activity.id)))
    await tx.insert(mapLayers).values({
      siteId: ctx.site.id,
      id,
      activityId: activity.id,
      number: (last?.number ?? 0) + 1,
      position: order.length,
      name: input.nameTranslations,
      pattern: choosePattern(order, input.pattern),
      visible: input.visible ?? true,
      bytes: bytes.length,
      convertedFrom: input.convertFrom ?? null,
      features: shapes.length,
      box: [...box],
      shapes,
      isSimplified,
      columns,
      rows,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    })
    await countVisible(ctx, tx, activity.id)
    await recordLayerAudit(ctx, tx, project, {
      action: 'map-layers.create',
      id,
      detail: { name: input.nameTranslations, bytes: bytes.length },
    })
  })
  await dropUpload(ctx, { id: input.upload })
  return id
}

/**
 * Changes a layer's name, pattern, position, or whether everybody sees it.
 * @throws {AppError} `forbidden`, `stale`; `invalid` with `required` or `taken`
 */
export async function updateLayer(
  ctx: Ctx,
  row: PlacedLayer,
  input: UpdateInput<typeof mapLayerShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'activities.edit', toPermissionTarget(row.project))
  if (input.nameTranslations) requireName(input.nameTranslations)
  await ctx.db.tx(async (tx) => {
    await lockActivity(ctx, tx, row.activityId)
    const others = (await loadOrder(ctx, tx, row.activityId)).filter(({ id }) => id !== row.id)
    const saved = {
      ...(input.nameTranslations && { name: input.nameTranslations }),
      ...(input.pattern && { pattern: choosePattern(others, input.pattern) }),
      ...(input.visible !== undefined && { visible: input.visible }),
      ...(input.position !== undefined && { position: Math.min(input.position, others.length) }),
    }
    const changed = await tx
      .update(mapLayers)
      .set({ ...saved, lockVersion: sql`${mapLayers.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(and(isLayer(ctx, row.id), eq(mapLayers.lockVersion, lockVersion)))
      .returning({ id: mapLayers.id })
    if (!changed.length) throw new AppError('stale')
    if (saved.position !== undefined) await saveOrder(ctx, tx, others.map(({ id }) => id).toSpliced(saved.position, 0, row.id))
    await countVisible(ctx, tx, row.activityId)
    await recordLayerAudit(ctx, tx, row.project, { action: 'map-layers.update', id: row.id, changes: listChanges(row, saved) })
  })
}

/** @throws {AppError} `forbidden` */
export async function removeLayer(ctx: Ctx, row: PlacedLayer): Promise<void> {
  requirePermission(ctx, 'activities.edit', toPermissionTarget(row.project))
  await ctx.db.tx(async (tx) => {
    await lockActivity(ctx, tx, row.activityId)
    await tx.delete(mapLayers).where(isLayer(ctx, row.id))
    const left = await loadOrder(ctx, tx, row.activityId)
    await saveOrder(
      ctx,
      tx,
      left.map(({ id }) => id),
    )
    await countVisible(ctx, tx, row.activityId)
    await recordLayerAudit(ctx, tx, row.project, { action: 'map-layers.delete', id: row.id, detail: { name: row.name } })
  })
}

const refuseAt = (code: 'not-a-choice' | 'required' | 'taken', pointer: string): never => {
  throw new AppError('invalid', { faults: [{ code, pointer }] })
}

function requireName(name: Record<string, string>): void {
  if (!hasText(name)) refuseAt('required', '/nameTranslations')
}

interface OrderedLayer {
  id: string
  pattern: LayerPattern
}

function requireRoom(order: readonly OrderedLayer[]): void {
  if (order.length >= MAX_LAYERS)
    throw new AppError('invalid', { faults: [{ code: 'too-many-layers', pointer: '/upload', values: { max: MAX_LAYERS } }] })
}

/** No two layers of a map have the same pattern. */
function choosePattern(others: readonly OrderedLayer[], wanted: LayerPattern | undefined): LayerPattern {
  const isFree = (pattern: LayerPattern) => others.every((other) => other.pattern !== pattern)
  if (wanted) return isFree(wanted) ? wanted : refuseAt('taken', '/pattern')
  return LAYER_PATTERNS.find(isFree) ?? LAYER_PATTERNS[0]
}

/** The reader's own faults are about the upload. */
async function readFile(ctx: Ctx, file: LayerFile): Promise<ReadLayer> {
  if (file.file.length > MAX_LAYER_BYTES)
    throw new AppError('invalid', {
      faults: [{ code: 'file-too-large', pointer: '/upload', values: { max: MAX_LAYER_BYTES / 1_000_000 } }],
    })
  try {
    return await readInOwnProcess<ReadLayer>('map-layer', file, ctx.site.id)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    throw new AppError('invalid', {
      faults: error.faults.map((fault) => (fault.pointer === '/file' ? { ...fault, pointer: '/upload' } : fault)),
    })
  }
}

const isLayer = (ctx: Ctx, id: string) => and(eq(mapLayers.siteId, ctx.site.id), eq(mapLayers.id, id))
const isActivity = (ctx: Ctx, id: string) => and(eq(activities.siteId, ctx.site.id), eq(activities.id, id))

const lockActivity = (ctx: Ctx, tx: Tx, id: string) =>
  tx.select({ id: activities.id }).from(activities).where(isActivity(ctx, id)).for('update')

const loadOrder = (ctx: Ctx, tx: Tx, activityId: string): Promise<OrderedLayer[]> =>
  tx
    .select({ id: mapLayers.id, pattern: mapLayers.pattern })
    .from(mapLayers)
    .where(and(eq(mapLayers.siteId, ctx.site.id), eq(mapLayers.activityId, activityId)))
    .orderBy(asc(mapLayers.position), asc(mapLayers.id))

async function saveOrder(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<void> {
  for (const [position, id] of ids.entries()) await tx.update(mapLayers).set({ position }).where(isLayer(ctx, id))
}

/** Maps read layers only if there are any to see. */
async function countVisible(ctx: Ctx, tx: Tx, activityId: string): Promise<void> {
  const [counted] = await tx
    .select({ visible: count() })
    .from(mapLayers)
    .where(and(eq(mapLayers.siteId, ctx.site.id), eq(mapLayers.activityId, activityId), eq(mapLayers.visible, true)))
  await tx
    .update(activities)
    .set({ layers: counted?.visible ?? 0 })
    .where(isActivity(ctx, activityId))
}

const recordLayerAudit = (
  ctx: Ctx,
  tx: Tx,
  project: ProjectRow,
  { id, ...entry }: { id: string } & Pick<Parameters<typeof recordAudit>[2], 'action' | 'changes' | 'detail'>,
): Promise<void> => recordAudit(ctx, tx, { ...entry, subject: { type: 'map-layers', id }, hubId: project.hubId, projectId: project.id })
