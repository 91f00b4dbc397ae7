import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { PREVIEW_READERS } from '#app/features/live-preview/preview-search.schema.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { getReport } from './heard-reports.server.ts'
import { listReportChoices } from './report-parts.server.ts'
import { getReportPreview, getReportPreviewData } from './report-preview.server.ts'

/** A project's published report, the newest unless a version is asked for. */
export const readReport = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema, version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))) })))
  .handler(({ data, context: { ctx } }) => getReport(ctx, data))

/** Questions, themes and quotes that a project's report can show. */
export const readReportChoices = createServerFn()
  .validator(createInputValidator(v.object({ project: idPartSchema })))
  .handler(({ data, context: { ctx } }) => listReportChoices(ctx, data.project))

const previewRequestFields = {
  project: idPartSchema,
  as: v.optional(v.picklist(PREVIEW_READERS)),
  at: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  published: v.optional(v.literal('true')),
}

/** The saved draft of a report, to start with. Search engines must not index previews. */
export const readReportPreview = createServerFn()
  .validator(createInputValidator(v.object(previewRequestFields)))
  .handler(({ data, context: { ctx } }) => {
    setResponseHeader('x-robots-tag', 'noindex, nofollow')
    return getReportPreview(ctx, data)
  })

/** Data for blocks of a report that are not saved yet. */
export const readReportPreviewData = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ ...previewRequestFields, blocks: v.pipe(v.array(v.unknown()), v.maxLength(200)) })))
  .handler(({ data, context: { ctx } }) => getReportPreviewData(ctx, data))
