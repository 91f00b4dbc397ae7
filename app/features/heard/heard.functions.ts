import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { idPartSchema, isId } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { DELIVERIES, OUTCOMES } from '#app/lib/vocabulary/heard.ts'
import { getDecisions } from './decisions-page.server.ts'
import { MAX_SOURCE_KEY } from './heard.schema.ts'
import { renderJourney } from './journey.server.ts'
import { countReading, listTextSources, listTextsToRead, markAsRead } from './written-texts.server.ts'

/** The published decisions of a project. */
export const readDecisions = createServerFn()
  .validator(
    createInputValidator(
      v.object({
        slug: slugPartSchema,
        search: v.object({
          theme: v.optional(v.pipe(v.string(), v.maxLength(36))),
          outcome: v.optional(v.picklist(OUTCOMES)),
          delivery: v.optional(v.picklist([...DELIVERIES, 'late'])),
        }),
      }),
    ),
  )
  .handler(({ data: { slug, search }, context: { ctx } }) => {
    const { theme, ...rest } = search
    return getDecisions(ctx, { slug, search: omitUndefined({ ...rest, theme: isId(theme) ? theme : undefined }) })
  })

/** From the words of a receipt to what is done, as HTML: by the code that the browser holds, or by id for the account that sent it. */
export const readJourney = createServerFn()
  .validator(createInputValidator(v.object({ id: v.optional(v.string()) })))
  .handler(async ({ data: { id }, context: { ctx } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    return renderJourney(ctx, isId(id) ? { id } : { code: readReceiptCode() })
  })

const projectSchema = v.object({ project: idPartSchema })
const sourceSchema = v.object({ ...projectSchema.entries, source: v.pipe(v.string(), v.maxLength(MAX_SOURCE_KEY)) })

/** What there is to read in a project. */
export const readTextSources = createServerFn()
  .validator(createInputValidator(projectSchema))
  .handler(({ data, context: { ctx } }) => listTextSources(ctx, data.project))

/** The next texts of one source. */
export const readTexts = createServerFn()
  .validator(
    createInputValidator(
      v.object({
        ...sourceSchema.entries,
        language: v.optional(contentLanguageSchema),
        unread: v.optional(v.boolean()),
        after: v.optional(v.object({ at: v.pipe(v.string(), v.maxLength(40)), id: idPartSchema })),
      }),
    ),
  )
  .handler(({ data, context: { ctx } }) => listTextsToRead(ctx, data))

/** How much of one source was read. */
export const readReadingProgress = createServerFn()
  .validator(createInputValidator(sourceSchema))
  .handler(({ data, context: { ctx } }) => countReading(ctx, data))

/** Marks one text as read, with a theme or without one. */
export const markTextAsRead = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ ...sourceSchema.entries, id: idPartSchema })))
  .handler(({ data, context: { ctx } }) => markAsRead(ctx, data))
