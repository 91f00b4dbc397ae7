import { gunzipSync, gzipSync } from 'node:zlib'
import type { Ctx } from '#app/server/context.ts'
import { describeError } from '#app/server/log.ts'
import { processMemory } from '#app/server/memory/memory-budget.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { type NameIndex, indexNames } from './rank-names.server.ts'
import type { CheckedMap } from './check-map-file.server.ts'
import type { MapName } from './collect-names.server.ts'
import { buildMapFileKey, buildMapFolder, type SiteMapFile } from './site-streets.server.ts'

const NAMES_BYTES = 16_000_000
/** In memory, about, besides its letters. */
const NAME_BYTES = 400
/** After a file could not be read. */
const RETRY_AFTER_MS = 60_000
const names = processMemory.open<NameIndex>('map names', { maxBytes: NAMES_BYTES })
const pending = new Map<string, Promise<NameIndex>>()

/** Where the names of a map file are stored, beside it. */
const buildNamesKey = (siteId: string, id: string): string => `${buildMapFolder(siteId)}/${id}/names`

export const storeMapNames = (ctx: Pick<Ctx, 'runtime' | 'site'>, id: string, found: readonly MapName[]): Promise<void> =>
  openStorage(ctx.runtime.env).put(buildNamesKey(ctx.site.id, id), gzipSync(JSON.stringify(found)))

/** The names of a site's map file, ready to be searched. Empty if they cannot be read: the search goes on without them. */
export async function obtainMapNames(ctx: Ctx, file: SiteMapFile): Promise<NameIndex> {
  const found = names.find(file.id)
  if (found) return found
  const reading = pending.get(file.id) ?? readNames(ctx, file).finally(() => pending.delete(file.id))
  pending.set(file.id, reading)
  return reading
}

async function readNames(ctx: Ctx, file: SiteMapFile): Promise<NameIndex> {
  try {
    const found = (await loadStored(ctx, file)) ?? (await makeNames(ctx, file))
    const index = indexNames(found)
    names.set(file.id, index, found.length * NAME_BYTES)
    return index
  } catch (error) {
    ctx.runtime.log.error('the names of a map file could not be read', { site: ctx.site.id, file: file.id, error: describeError(error) })
    const none = indexNames([])
    names.set(file.id, none, NAME_BYTES, RETRY_AFTER_MS)
    return none
  }
}

async function loadStored(ctx: Ctx, { id }: SiteMapFile): Promise<readonly MapName[] | undefined> {
  const stored = await openStorage(ctx.runtime.env).get(buildNamesKey(ctx.site.id, id))
  return stored && (JSON.parse(gunzipSync(stored).toString()) as MapName[])
}

/** For a file that was stored without its names. */
async function makeNames(ctx: Ctx, { id }: SiteMapFile): Promise<readonly MapName[]> {
  const file = await openStorage(ctx.runtime.env).get(buildMapFileKey(ctx.site.id, id))
  if (!file) throw new Error('The map file is missing')
  const { names: found } = await readInOwnProcess<CheckedMap>('map-file', { file }, ctx.site.id)
  await storeMapNames(ctx, id, found)
  return found
}
