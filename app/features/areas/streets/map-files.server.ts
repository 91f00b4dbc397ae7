import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { assertHarmless } from '#app/features/media/assert-harmless.server.ts'
import { requireReachableUrl } from '#app/features/marketplace/public-destinations.server.ts'
import { dropUpload, requireStorageRoom, requireUploadedFile } from '#app/features/media/media.uploads.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { mapFiles } from '#app/server/db/schema/areas.ts'
import { describeError } from '#app/server/log.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { readWholeBody, sendOutgoing } from '#app/server/outgoing/send-outgoing.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { type CheckedMap, toPlainCredit } from './check-map-file.server.ts'
import type { mapFileShape } from './map-files.api.schema.ts'
import { MAX_MAP_BYTES } from './map-files.schema.ts'
import { storeMapNames } from './map-names.server.ts'
import { buildMapFileKey, buildMapFolder } from './site-streets.server.ts'

export type MapFileRow = typeof mapFiles.$inferSelect

const DOWNLOAD_WITHIN_MS = 45_000

/** The site's map file, if it has one. @throws {AppError} `forbidden` */
export function listMapFiles(ctx: Ctx): Promise<MapFileRow[]> {
  requirePermission(ctx, 'site.edit')
  return ctx.db.read((tx) => tx.select().from(mapFiles).where(eq(mapFiles.siteId, ctx.site.id)))
}

export async function loadMapFilesById(ctx: Ctx, ids: readonly string[]): Promise<MapFileRow[]> {
  requirePermission(ctx, 'site.edit')
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(mapFiles)
      .where(and(eq(mapFiles.siteId, ctx.site.id), inArray(mapFiles.id, [...ids]))),
  )
}

const refuseAt = (code: Fault['code'], pointer: string): never => {
  throw new AppError('invalid', { faults: [{ code, pointer }] })
}

interface GivenFile {
  bytes: Uint8Array
  /** For people. */
  name: string
  pointer: '/upload' | '/address'
}

/**
 * Checks a map file in a process of its own and makes it the site's map, in place of the one before.
 * @returns its id
 * @throws {AppError} `forbidden`; `invalid` as `checkMapFile` does, with `map-file-unreachable` at `/address`, `storage-full`, and `required` at
 * `/credit` if neither the file nor the input says who made the map
 */
export async function addMapFile(ctx: Ctx, input: CreateInput<typeof mapFileShape>): Promise<string> {
  requirePermission(ctx, 'site.edit')
  const given = input.upload
    ? await readUpload(ctx, input.upload)
    : input.address
      ? await downloadFile(ctx, input.address)
      : refuseAt('required', '/upload')
  const { file, credit: said, names, ...checked } = await checkApart(ctx, given)
  const credit = toPlainCredit(input.credit ?? '') || said || refuseAt('required', '/credit')
  const bytes = file ?? given.bytes
  const id = createId()
  await openStorage(ctx.runtime.env).put(buildMapFileKey(ctx.site.id, id), bytes)
  try {
    await storeMapNames(ctx, id, names)
    await ctx.db.tx(async (tx) => {
      const replaced = await tx.delete(mapFiles).where(eq(mapFiles.siteId, ctx.site.id)).returning({ id: mapFiles.id })
      await requireStorageRoom(ctx, tx, bytes.length, given.pointer)
      await tx.insert(mapFiles).values({
        siteId: ctx.site.id,
        id,
        hash: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
        name: given.name,
        credit,
        ...checked,
        box: [...checked.box],
        createdAt: ctx.now(),
      })
      const detail = { name: given.name, bytes: bytes.length, replaced: replaced.length }
      await recordAudit(ctx, tx, { action: 'map-files.create', subject: { type: 'map-files', id }, detail })
    })
  } catch (error) {
    await openStorage(ctx.runtime.env).removeBelow(`${buildMapFolder(ctx.site.id)}/${id}`)
    throw error
  }
  await removeOtherFiles(ctx, id)
  if (input.upload) await dropUpload(ctx, { id: input.upload })
  return id
}

async function readUpload(ctx: Ctx, upload: string): Promise<GivenFile> {
  const { row, bytes } = await requireUploadedFile(ctx, upload)
  return { bytes, name: row.name, pointer: '/upload' }
}

/** Downloads the file once, on the server. Browsers never request it from that address. */
async function downloadFile(ctx: Ctx, address: string): Promise<GivenFile> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) refuseAt('not-a-link', '/address')
  await requireReachableUrl(ctx, address, '/address')
  try {
    const answer = await sendOutgoing(
      { url: address, withinMs: DOWNLOAD_WITHIN_MS, mostBytes: MAX_MAP_BYTES, mostRedirects: 3 },
      { loopback: ctx.runtime.env.OUTGOING_LOOPBACK },
    )
    const bytes = await readWholeBody(answer)
    if (answer.status !== 200) throw new Error(`answer ${answer.status}`)
    await assertHarmless(ctx, bytes, { pointer: '/address' })
    const { host, pathname } = new URL(address)
    return { bytes, name: `${host}${pathname}`.slice(0, 200), pointer: '/address' }
  } catch (error) {
    if (isAppError(error)) throw error
    ctx.runtime.log.info('a map file was not downloaded', describeError(error))
    if (error instanceof OutgoingFault && error.reason === 'too-large') {
      throw new AppError('invalid', {
        faults: [{ code: 'file-too-large', pointer: '/address', values: { max: MAX_MAP_BYTES / 1_000_000 } }],
      })
    }
    return refuseAt('map-file-unreachable', '/address')
  }
}

/** The checker's faults are about the upload or the address. */
async function checkApart(ctx: Ctx, { bytes, pointer }: GivenFile): Promise<CheckedMap> {
  if (bytes.length > MAX_MAP_BYTES) {
    throw new AppError('invalid', { faults: [{ code: 'file-too-large', pointer, values: { max: MAX_MAP_BYTES / 1_000_000 } }] })
  }
  try {
    return await readInOwnProcess<CheckedMap>('map-file', { file: bytes }, ctx.site.id)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    throw new AppError('invalid', { faults: error.faults.map((fault) => ({ ...fault, pointer })) })
  }
}

/** The file before, and what a crash may have left. */
async function removeOtherFiles(ctx: Ctx, kept: string): Promise<void> {
  const storage = openStorage(ctx.runtime.env)
  const folders = new Set<string>()
  for await (const key of storage.keysBelow(buildMapFolder(ctx.site.id))) folders.add(key.slice(0, key.lastIndexOf('/')))
  folders.delete(`${buildMapFolder(ctx.site.id)}/${kept}`)
  for (const folder of folders) await storage.removeBelow(folder)
}

/** @throws {AppError} `forbidden`; `invalid` with `required` */
export async function updateMapFile(ctx: Ctx, row: MapFileRow, input: UpdateInput<typeof mapFileShape>): Promise<void> {
  requirePermission(ctx, 'site.edit')
  const credit = input.credit === undefined ? row.credit : toPlainCredit(input.credit) || refuseAt('required', '/credit')
  await ctx.db.tx(async (tx) => {
    await tx
      .update(mapFiles)
      .set({ credit })
      .where(and(eq(mapFiles.siteId, ctx.site.id), eq(mapFiles.id, row.id)))
    await recordAudit(ctx, tx, {
      action: 'map-files.update',
      subject: { type: 'map-files', id: row.id },
      changes: listChanges(row, { credit }),
    })
  })
}

/** Maps show areas only from then on. @throws {AppError} `forbidden` */
export async function removeMapFile(ctx: Ctx, row: MapFileRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await tx.delete(mapFiles).where(and(eq(mapFiles.siteId, ctx.site.id), eq(mapFiles.id, row.id)))
    await recordAudit(ctx, tx, { action: 'map-files.delete', subject: { type: 'map-files', id: row.id }, detail: { name: row.name } })
  })
  await openStorage(ctx.runtime.env).removeBelow(`${buildMapFolder(ctx.site.id)}/${row.id}`)
}
