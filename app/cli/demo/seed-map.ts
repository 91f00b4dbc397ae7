import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRings, type Rings } from '#app/features/areas/polygons.schema.ts'
import { buildMapFileKey } from '#app/features/areas/streets/site-streets.server.ts'
import { writeMapFile } from '#app/features/areas/streets/write-map-file.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { mapFiles } from '#app/server/db/schema/areas.ts'
import { buildTown } from './build-town.ts'
import type { DemoSite } from './content/types.ts'
import type { SeedContext } from './seed-context.ts'

const PUBLIC_FOLDER = join(import.meta.dirname, '../../../public')

/** The streets of a site's map: a file that is made here, always the same. */
export async function seedMap({ tx, siteId, content, storage }: SeedContext): Promise<void> {
  if (!storage) return
  const { town } = content
  const features = buildTown(town, readTownAreas(content), content.slug)
  const { file, ...written } = writeMapFile(features, { name: content.name, attribution: town.credit })
  const id = createId()
  await storage.put(buildMapFileKey(siteId, id), file)
  await tx.insert(mapFiles).values({
    siteId,
    id,
    hash: createHash('sha256').update(file).digest('hex'),
    bytes: file.length,
    name: `${content.slug}.pmtiles`,
    credit: town.credit,
    ...written,
    box: [...written.box],
  })
}

/** The areas that a site's quarters lie in, by name; none if it has no such dataset. */
export function readTownAreas({ town, datasets }: DemoSite): Map<string, Rings> {
  const dataset = datasets.find(({ slug }) => slug === town.areas)
  if (!dataset?.boundaries) return new Map()
  const { features } = JSON.parse(readFileSync(join(PUBLIC_FOLDER, dataset.file), 'utf8')) as {
    features: { properties: Record<string, unknown>; geometry: unknown }[]
  }
  const key = dataset.boundaries.name
  return new Map(features.map(({ properties, geometry }) => [String(properties[key]), parseRings(geometry) ?? []]))
}
