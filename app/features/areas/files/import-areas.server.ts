import { createHash } from 'node:crypto'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { dropUpload, requireUploadedFile } from '#app/features/media/media.uploads.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { Box, MapGrid } from '#app/lib/geometry.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { simplifyAreas } from '../area-map.schema.ts'
import { type LostArea, MAX_AREAS } from '../areas.schema.ts'
import { isUsed, loadAreaUses, lockAreas } from '../areas.server.ts'
import { readSiteMap } from '../map/site-map.server.ts'
import { chooseSlug, findFollowedDataset, stopFollowing } from '../own-areas.server.ts'
import type { AreaColumns, AreaFilePreview, FileArea, StoredAreas } from './area-files.schema.ts'
import { refuseFile } from './file-feature.server.ts'
import { foldAreaName, guessColumns, nameShapes, type NamedShape } from './name-shapes.ts'
import type { AreaFileInput, ReadAreas } from './read-area-file.server.ts'

/** A file that was uploaded, and how to read it. */
export interface AreaFileChoice {
  /** A completed upload, which is kept until its areas are stored. */
  upload: string
  convertFrom: MapGrid | null
  isSwapped: boolean
  /** By default those that look most like names. */
  columns?: AreaColumns | undefined
}

export interface AreaFileOrder extends AreaFileChoice {
  columns: AreaColumns
  /** What becomes of the site's areas that the file does not have. */
  missing: 'keep' | 'remove'
  /** Version of the preview that is stored: `stale` if the areas have changed since. */
  version: string
}

type AreaRow = typeof areas.$inferSelect

/** An area of the file, and the one of the site that it is. */
interface PlannedArea {
  shape: NamedShape
  row: AreaRow | undefined
}

/**
 * What storing the areas of a file would do. Nothing is stored.
 * @throws {AppError} `forbidden`; `invalid` as `readAreaFile` does, and with `area-file-swapped` if the areas would lie at the site's place the other way round
 */
export async function previewAreaFile(ctx: Ctx, choice: AreaFileChoice): Promise<AreaFilePreview> {
  requirePermission(ctx, 'site.edit')
  const { read, farKm } = await readUpload(ctx, choice)
  const chosen = choice.columns ?? guessColumns(read, ctx.site)
  const shapes = requireFew(nameShapes(read, chosen, ctx.site.locale))
  return ctx.db.read(async (tx) => {
    const rows = await loadRows(ctx, tx)
    const { planned, missing } = planAreas(rows, shapes)
    const drawn = shapes.filter(({ rings }) => rings.length > 0)
    return {
      format: read.format,
      columns: read.columns.map((name, at) => ({ name, example: read.shapes.find(({ values }) => values[at])?.values[at] ?? '' })),
      chosen,
      areas: planned.map(toFileArea),
      missing: await loadUses(ctx, tx, missing),
      isProjectionGuessed: read.isProjectionGuessed,
      farKm,
      dataset: await findFollowedDataset(ctx, tx),
      map: { areas: simplifyAreas(drawn.map(({ name, rings }) => ({ name, rings }))), streets: (await readSiteMap(ctx)).file?.box },
      box: read.box,
      version: computeVersion(rows),
    }
  })
}

/**
 * Makes the areas of a file those of the site. One that keeps its key or its name keeps its projects and residents. Those that the file does not have stay, or
 * are removed; an area in use is set aside instead, and can be deleted for good later. One whose outline cannot be used stays as it is.
 * @throws {AppError} `forbidden`; `stale` if the site's areas have changed since the preview; `invalid` as `previewAreaFile` does, and with `required` at
 * `/columns` if no area has a name and an outline
 */
export async function storeAreaFile(ctx: Ctx, order: AreaFileOrder): Promise<StoredAreas> {
  requirePermission(ctx, 'site.edit')
  const { read, name } = await readUpload(ctx, order)
  const shapes = requireFew(nameShapes(read, order.columns, ctx.site.locale))
  const stored = await ctx.db.tx(async (tx) => {
    await lockAreas(ctx, tx)
    const rows = await loadRows(ctx, tx)
    if (computeVersion(rows) !== order.version) throw new AppError('stale')
    const { planned, missing } = planAreas(rows, shapes)
    const usable = planned.filter(({ shape }) => shape.fault === null)
    if (usable.length === 0) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/columns' }] })
    const left = order.missing === 'keep' ? missing.length : 0
    if (usable.length + left > MAX_AREAS) refuseFile('area-file-too-many', { most: MAX_AREAS, found: usable.length + left })
    const counts = await writeAreas(ctx, tx, rows, usable)
    const gone = order.missing === 'remove' ? await removeMissing(ctx, tx, missing) : { removed: 0, setAside: 0 }
    await stopFollowing(ctx, tx)
    await recordAudit(ctx, tx, { action: 'areas.import', detail: { name, ...counts, ...gone } })
    return { ...counts, ...gone }
  })
  await dropUpload(ctx, { id: order.upload })
  return stored
}

/** How far from the site's map areas may lie before it is said, in degrees. */
const NEAR_DEGREES = 1
const KM_PER_DEGREE = 111.2

async function readUpload(ctx: Ctx, { upload, convertFrom, isSwapped }: AreaFileChoice) {
  const { row, bytes } = await requireUploadedFile(ctx, upload)
  const read = await readApart(ctx, { file: bytes, convertFrom, isSwapped })
  const map = await readSiteMap(ctx)
  const home = map.file?.box ?? map.box
  if (!home || isNear(read.box, home)) return { read, name: row.name, farKm: null }
  const [west, south, east, north] = read.box
  if (!isSwapped && isNear([south, west, north, east], home)) refuseFile('area-file-swapped')
  return { read, name: row.name, farKm: measureKm(read.box, home) }
}

/** The reader's own faults are about the upload. */
async function readApart(ctx: Ctx, input: AreaFileInput): Promise<ReadAreas> {
  try {
    return await readInOwnProcess<ReadAreas>('area-file', input, ctx.site.id)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    throw new AppError('invalid', {
      faults: error.faults.map((fault) => (fault.pointer === '/file' ? { ...fault, pointer: '/upload' } : fault)),
    })
  }
}

const isNear = (one: Box, other: Box): boolean =>
  one[0] - NEAR_DEGREES < other[2] &&
  other[0] - NEAR_DEGREES < one[2] &&
  one[1] - NEAR_DEGREES < other[3] &&
  other[1] - NEAR_DEGREES < one[3]

/** Between the middles of two boxes, roughly. */
function measureKm(one: Box, other: Box): number {
  const down = (one[1] + one[3] - other[1] - other[3]) / 2
  const across = ((one[0] + one[2] - other[0] - other[2]) / 2) * Math.cos(((one[1] + other[3]) / 2) * (Math.PI / 180))
  return Math.round(Math.hypot(down, across) * KM_PER_DEGREE)
}

function requireFew(shapes: NamedShape[]): NamedShape[] {
  return shapes.length > MAX_AREAS ? refuseFile('area-file-too-many', { most: MAX_AREAS, found: shapes.length }) : shapes
}

const loadRows = (ctx: Ctx, tx: Tx): Promise<AreaRow[]> =>
  tx.select().from(areas).where(eq(areas.siteId, ctx.site.id)).orderBy(asc(areas.slug))

/** An area of the site is found by its key first, then by its name in any language. */
function planAreas(rows: readonly AreaRow[], shapes: readonly NamedShape[]): { planned: PlannedArea[]; missing: AreaRow[] } {
  const taken = new Set<string>()
  const found = new Map<NamedShape, AreaRow>()
  const take = (shape: NamedShape, isSame: (row: AreaRow) => boolean) => {
    const row = found.has(shape) ? undefined : rows.find((each) => !taken.has(each.id) && isSame(each))
    if (!row) return
    taken.add(row.id)
    found.set(shape, row)
  }
  for (const shape of shapes) if (shape.key) take(shape, ({ key }) => key === shape.key)
  for (const shape of shapes) {
    const wanted = foldAreaName(shape.name)
    if (shape.name) take(shape, ({ name, names }) => [name, ...Object.values(names)].some((each) => foldAreaName(each) === wanted))
  }
  return {
    planned: shapes.map((shape) => ({ shape, row: found.get(shape) })),
    missing: rows.filter(({ id, goneAt }) => goneAt === null && !taken.has(id)),
  }
}

function toFileArea({ shape, row }: PlannedArea, at: number): FileArea {
  const { name, names, key, fault, isCrossing, parts } = shape
  const change = fault ? null : !row ? 'new' : isUnchanged(shape, row) ? 'same' : 'changed'
  return { number: at + 1, name, names, key, fault, isCrossing, parts, change, was: row && row.name !== name ? row.name : null }
}

const isUnchanged = ({ name, names, key, rings }: NamedShape, row: AreaRow): boolean =>
  row.goneAt === null && row.name === name && (row.key ?? '') === key && isJsonEqual(row.names, names) && isJsonEqual(row.rings, rings)

async function loadUses(ctx: Ctx, tx: Tx, rows: readonly AreaRow[]): Promise<LostArea[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  return loadAreaUses(ctx, tx, inArray(areas.id, ids))
}

const computeVersion = (rows: readonly AreaRow[]): string =>
  createHash('sha256')
    .update(rows.map(({ id, lockVersion, goneAt }) => `${id} ${lockVersion} ${goneAt?.toISOString()}`).join())
    .digest('base64url')

async function writeAreas(ctx: Ctx, tx: Tx, rows: readonly AreaRow[], planned: readonly PlannedArea[]) {
  const slugs = new Set(rows.map(({ slug }) => slug))
  const counts = { added: 0, changed: 0 }
  for (const { shape, row } of planned) {
    const { name, names, rings } = shape
    const values = { name, names, rings, key: shape.key || null, goneAt: null }
    if (row) {
      if (isUnchanged(shape, row)) continue
      await tx
        .update(areas)
        .set({ ...values, lockVersion: row.lockVersion + 1 })
        .where(and(eq(areas.siteId, ctx.site.id), eq(areas.id, row.id)))
      counts.changed += 1
    } else {
      const slug = chooseSlug(name, slugs)
      slugs.add(slug)
      await tx.insert(areas).values({ siteId: ctx.site.id, id: createId(), slug, ...values })
      counts.added += 1
    }
  }
  return counts
}

async function removeMissing(ctx: Ctx, tx: Tx, rows: readonly AreaRow[]) {
  const uses = await loadUses(ctx, tx, rows)
  const [used, unused] = [uses.filter(isUsed), uses.filter((area) => !isUsed(area))].map((list) => list.map(({ id }) => id))
  const within = (ids: readonly string[]) => and(eq(areas.siteId, ctx.site.id), inArray(areas.id, [...ids]))
  if (unused?.length) await tx.delete(areas).where(within(unused))
  if (used?.length) await tx.update(areas).set({ goneAt: ctx.now() }).where(within(used))
  return { removed: unused?.length ?? 0, setAside: used?.length ?? 0 }
}
