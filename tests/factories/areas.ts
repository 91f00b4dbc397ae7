import { createId } from '#app/lib/uuid.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'

interface SquareArea {
  name: string
  /** South-western corner, in degrees. */
  west: number
  south: number
  /** Length of a side, in degrees. */
  side: number
  postcodes?: string[]
}

/** Adds square areas to a site. @returns their ids by name */
export async function addAreas(runtime: Runtime, site: Site, squares: readonly SquareArea[]): Promise<Record<string, string>> {
  const [connector, dataset] = [createId(), createId()]
  const rows = squares.map(({ name, west, south, side, postcodes = [] }) => {
    const [east, north] = [west + side, south + side]
    const ring = [[west, south], [east, south], [east, north], [west, north]] // prettier-ignore
    return { siteId: site.id, id: createId(), datasetId: dataset, slug: name.toLowerCase(), name, rings: [ring], postcodes }
  })
  const portalUrl = 'https://portal.example/wards.geojson'
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(cityConnectors).values({ siteId: site.id, id: connector, name: 'Wards', portalUrl, kind: 'geojson' })
    const given = { siteId: site.id, id: dataset, connectorId: connector, slug: 'wards', sourceId: portalUrl, title: { en: 'Wards' } }
    await tx.insert(cityDatasets).values({ ...given, dueAt: null })
    await tx.insert(areas).values(rows)
  })
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]))
}
