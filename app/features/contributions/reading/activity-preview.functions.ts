import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { PREVIEW_READERS } from '#app/features/live-preview/preview-search.schema.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { getActivityPreview } from './activity-preview.server.ts'

const requestFields = {
  id: idSchema,
  as: v.optional(v.picklist(PREVIEW_READERS)),
  at: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  published: v.optional(v.literal('true')),
}

/** The saved draft, to start with. Search engines must not index previews. */
export const readActivityPreview = createServerFn()
  .validator(createInputValidator(v.object(requestFields)))
  .handler(({ data, context }) => {
    setResponseHeader('x-robots-tag', 'noindex, nofollow')
    return getActivityPreview(context.ctx, data)
  })

/** What the editor holds and has not saved yet. */
export const readUnsavedActivity = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ ...requestFields, content: v.record(v.string(), v.unknown()) })))
  .handler(({ data, context }) => getActivityPreview(context.ctx, data))
