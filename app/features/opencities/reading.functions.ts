import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { slugPartSchema } from '#app/lib/slug.ts'
import { checked, noInput, querySchema } from '#app/lib/validate.ts'
import { readFigures } from './figures.server.ts'
import { listPublishedDatasets } from './published.server.ts'
import { getDataset } from './reading.server.ts'
import { openResultTeasers } from './open-versions.server.ts'
import { readDatasetSearch } from './reading.schema.ts'

export const readDatasets = createServerFn()
  .validator(checked(v.object({ project: v.nullable(v.string()) })))
  .handler(({ data, context }) => listPublishedDatasets(context.ctx, data))

/** Everything at `/data`: what the site shows, and what it gives away. */
export const readOpenData = createServerFn()
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => ({
    datasets: await listPublishedDatasets(ctx, { project: null }),
    results: await openResultTeasers(ctx),
  }))

export const readProjectFigures = createServerFn()
  .validator(checked(v.object({ project: v.string() })))
  .handler(({ data, context }) => readFigures(context.ctx, data))

export const readDataset = createServerFn()
  .validator(checked(v.object({ slug: slugPartSchema, search: querySchema(readDatasetSearch) })))
  .handler(({ data, context }) => getDataset(context.ctx, data))
