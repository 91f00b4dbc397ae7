import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { describeSource, searchPortal } from './connectors.server.ts'

const page = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))

export const findDatasets = createServerFn()
  .validator(createInputValidator(v.object({ connector: idSchema, words: v.pipe(v.string(), v.maxLength(200)), page })))
  .handler(({ data, context }) => searchPortal(context.ctx, data))

export const describeFound = createServerFn()
  .validator(createInputValidator(v.object({ connector: idSchema, source: v.pipe(v.string(), v.maxLength(2000)) })))
  .handler(({ data, context }) => describeSource(context.ctx, data))
