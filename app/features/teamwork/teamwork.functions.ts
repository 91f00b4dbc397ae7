import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { TARGET_KINDS } from '#app/lib/vocabulary/teamwork.ts'
import { searchColleagues } from './colleagues.server.ts'

/** Colleagues who work on the same thing, by words of their names. */
export const findColleagues = createServerFn()
  .validator(createInputValidator(v.object({ kind: v.picklist(TARGET_KINDS), id: idSchema, words: v.pipe(v.string(), v.maxLength(100)) })))
  .handler(({ data, context: { ctx } }) => searchColleagues(ctx, data))
