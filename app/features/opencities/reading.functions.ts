import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator, noInput, createQuerySchema } from '#app/lib/validate.ts'
import { readFiguresOfProject } from './dataset-figures.server.ts'
import { listPublishedDatasets } from './published-datasets.server.ts'
import { getDataset } from './dataset-page.server.ts'
import { listResultTeasers } from './open-versions.server.ts'
import { readDatasetSearch } from './dataset-views.schema.ts'

export const readDatasets = createServerFn()
  .validator(createInputValidator(v.object({ project: v.nullable(v.string()) })))
  .handler(({ data, context }) => listPublishedDatasets(context.ctx, data))

/** Everything at `/data`: the datasets the site shows and the results it publishes. */
export const readOpenData = createServerFn()
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => ({
    datasets: await listPublishedDatasets(ctx, { project: null }),
    results: await listResultTeasers(ctx),
  }))

export const readProjectFigures = createServerFn()
  .validator(createInputValidator(v.object({ project: v.string() })))
  .handler(({ data, context }) => readFiguresOfProject(context.ctx, data))

export const readDataset = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema, search: createQuerySchema(readDatasetSearch) })))
  .handler(({ data, context }) => getDataset(context.ctx, data))
