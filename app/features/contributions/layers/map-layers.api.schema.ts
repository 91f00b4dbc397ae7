import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { MAP_GRIDS } from '#app/lib/geometry.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { LAYER_PATTERNS } from '#app/lib/vocabulary/contributions.ts'
import { MAX_LAYERS } from './layers.schema.ts'

const countSchema = v.pipe(v.number(), v.integer())

export const mapLayerShape = resourceShape({
  type: 'map-layers',
  summary: 'Layers behind the pins of an activity’s map, from GeoJSON files',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    name: translated({ max: 80, create: 'required', update: true }),
    /** A completed `media-uploads`: GeoJSON of up to 5 MB. It is kept if the file is refused. */
    upload: attribute(idSchema, { read: false, create: 'required' }),
    /** The grid that the file’s coordinates are in, if not degrees of WGS 84. They are converted, to about 5 metres. */
    convertFrom: attribute(v.picklist(MAP_GRIDS), { read: false, create: 'optional' }),
    /** By default the first that no other layer of the map has. */
    pattern: attribute(v.picklist(LAYER_PATTERNS), { create: 'optional', update: true }),
    /** From 0; the others move. */
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_LAYERS)), { update: true }),
    visible: attribute(v.boolean(), { create: 'optional', update: true }),
    /** In the address of its table. */
    number: attribute(countSchema),
    features: attribute(countSchema),
    /** Of the file. */
    bytes: attribute(countSchema),
    /** Corners were left out so that it can be shown quickly. */
    simplified: attribute(v.boolean()),
    convertedFrom: attribute(v.nullable(v.picklist(MAP_GRIDS))),
    /** West, south, east, north, in degrees. */
    box: attribute(v.array(v.number())),
  },
  relationships: { activity: toOne('activities', { create: 'required', nullable: false }) },
  filters: { activity: filter.id() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'map-layers': typeof mapLayerShape
  }
}
