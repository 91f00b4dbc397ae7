import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createInputValidator } from '#app/lib/validate.ts'
import { getPreview, getPreviewData } from './homepage.preview.server.ts'
import { PREVIEW_READERS } from '#app/features/live-preview/preview-search.schema.ts'

const previewRequestFields = {
  hub: v.nullable(v.pipe(v.string(), v.maxLength(120))),
  as: v.optional(v.picklist(PREVIEW_READERS)),
  at: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  published: v.optional(v.literal('true')),
  link: v.optional(v.pipe(v.string(), v.maxLength(120))),
}

/** The saved draft, to start with. Search engines must not index previews. */
export const readPreview = createServerFn()
  .validator(createInputValidator(v.object(previewRequestFields)))
  .handler(({ data, context }) => {
    setResponseHeader('x-robots-tag', 'noindex, nofollow')
    return getPreview(context.ctx, data)
  })

/** Data for blocks that are not saved yet. */
export const readPreviewData = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.object({
        ...previewRequestFields,
        blocks: v.pipe(v.array(v.unknown()), v.maxLength(200)),
        featured: v.pipe(v.array(v.pipe(v.string(), v.uuid())), v.maxLength(200)),
      }),
    ),
  )
  .handler(({ data, context }) => getPreviewData(context.ctx, data))
