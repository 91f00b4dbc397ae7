import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { MAX_ADDRESS_LETTERS, MAX_CREDIT_LETTERS } from './map-files.schema.ts'

const countSchema = v.pipe(v.number(), v.integer())

export const mapFileShape = resourceShape({
  type: 'map-files',
  summary: 'The map of a site’s streets, below all its maps: one file of vector tiles',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  attributes: {
    /** A completed `media-uploads`: PMTiles 3 with vector tiles, or GeoJSON, of up to 20 MB. It takes the place of the site’s map. */
    upload: attribute(idSchema, { read: false, create: 'optional' }),
    /** Instead of an upload: where such a file is downloaded from, once. */
    address: attribute(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_ADDRESS_LETTERS)), { read: false, create: 'optional' }),
    /** Who made the map, shown below every map. By default as the file says. */
    credit: attribute(v.pipe(v.string(), v.trim(), v.maxLength(MAX_CREDIT_LETTERS)), { create: 'optional', update: true }),
    /** Of the file that was uploaded, or its address. */
    name: attribute(v.string()),
    bytes: attribute(countSchema),
    tiles: attribute(countSchema),
    /** West, south, east, north, in degrees. */
    box: attribute(v.array(v.number())),
    createdAt: attribute(v.string()),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'map-files': typeof mapFileShape
  }
}
