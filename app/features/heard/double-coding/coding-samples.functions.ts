import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { MAX_QUOTE, MAX_SOURCE_KEY } from '../heard.schema.ts'
import { addSampleCode, listSampleTexts, markSampleTextAsRead, removeSampleCode } from './sample-texts.server.ts'
import { getDoubleCoding, settleDisagreement } from './settle-disagreements.server.ts'

const sampleSchema = v.object({ sample: idPartSchema })
const textSchema = v.object({ ...sampleSchema.entries, id: idPartSchema, question: v.pipe(v.string(), v.maxLength(40)) })

/** The samples of a question or activity, and what two people sorted differently. */
export const readDoubleCoding = createServerFn()
  .validator(createInputValidator(v.object({ project: idPartSchema, source: v.pipe(v.string(), v.maxLength(MAX_SOURCE_KEY)) })))
  .handler(({ data, context: { ctx } }) => getDoubleCoding(ctx, data))

/** The next texts of one's own sample. */
export const readSampleTexts = createServerFn()
  .validator(
    createInputValidator(
      v.object({
        ...sampleSchema.entries,
        after: v.optional(v.object({ at: v.pipe(v.string(), v.maxLength(40)), id: idPartSchema })),
      }),
    ),
  )
  .handler(({ data, context: { ctx } }) => listSampleTexts(ctx, data))

/** Gives a theme to a passage of a sample. */
export const codeSampleText = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.object({
        ...textSchema.entries,
        theme: idPartSchema,
        start: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
        quote: v.pipe(v.string(), v.maxLength(MAX_QUOTE)),
      }),
    ),
  )
  .handler(({ data, context: { ctx } }) => addSampleCode(ctx, data))

/** Takes a theme away from a passage of a sample. */
export const dropSampleCode = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ ...sampleSchema.entries, code: idPartSchema })))
  .handler(({ data, context: { ctx } }) => removeSampleCode(ctx, data))

/** Marks a text of a sample as read. */
export const markSampleText = createServerFn({ method: 'POST' })
  .validator(createInputValidator(textSchema))
  .handler(({ data, context: { ctx } }) => markSampleTextAsRead(ctx, data))

/** Stores what two people agreed on. */
export const settleCode = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ text: idPartSchema, theme: idPartSchema, isAgreed: v.boolean() })))
  .handler(({ data, context: { ctx } }) => settleDisagreement(ctx, data))
