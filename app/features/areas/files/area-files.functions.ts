import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { MAP_GRIDS } from '#app/lib/geometry.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { readFollowedDataset, takeOverAreas } from '../own-areas.server.ts'
import { MAX_COLUMN_LETTERS } from './area-files.schema.ts'
import { previewAreaFile, storeAreaFile } from './import-areas.server.ts'

const columnSchema = v.pipe(v.string(), v.maxLength(MAX_COLUMN_LETTERS))
const columnsSchema = v.strictObject({ names: v.record(v.picklist(CONTENT_LANGUAGES), columnSchema), key: v.optional(columnSchema) })
const choice = { upload: idSchema, convertFrom: v.nullable(v.picklist(MAP_GRIDS)), isSwapped: v.boolean() }

export const readAreaUpload = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.strictObject({ ...choice, columns: v.optional(columnsSchema) })))
  .handler(({ data, context }) => previewAreaFile(context.ctx, data))

export const storeAreaUpload = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.strictObject({
        ...choice,
        columns: columnsSchema,
        missing: v.picklist(['keep', 'remove']),
        version: v.pipe(v.string(), v.maxLength(60)),
      }),
    ),
  )
  .handler(({ data, context }) => storeAreaFile(context.ctx, data))

/** The dataset that the site's areas come from. */
export const getFollowedDataset = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readFollowedDataset(context.ctx))

/** Keeps the areas of a dataset as the site's own. */
export const keepDatasetAreas = createServerFn({ method: 'POST' })
  .validator(noInput)
  .handler(({ context }) => takeOverAreas(context.ctx))
