import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { readPage } from '#app/lib/search-params.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { getLayerTable, readLayerNumber } from './layer-table.server.ts'

const layerSchema = v.object({
  project: slugPartSchema,
  activity: slugPartSchema,
  layer: v.pipe(v.string(), v.maxLength(40, 'not-found')),
  search: createQuerySchema(readPage),
})

/** A page of a layer's table. */
export const readLayerTable = createServerFn()
  .validator(createInputValidator(layerSchema))
  .handler(({ data: { layer, search, ...address }, context: { ctx } }) =>
    getLayerTable(ctx, address, readLayerNumber(layer), search.page ?? 1),
  )
