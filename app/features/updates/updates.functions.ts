import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { parseRichText } from '#app/lib/rich-text.ts'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { allowVideoFrames } from '#app/server/allow-video-frames.ts'
import { readUpdateAudience } from './updates.editing.server.ts'
import { getUpdate } from './updates.server.ts'

export const readUpdate = createServerFn()
  .validator(createInputValidator(v.object({ project: v.string(), update: v.string() })))
  .handler(async ({ data, context }) => {
    const update = await getUpdate(context.ctx, data)
    allowVideoFrames(parseRichText(update.body.text))
    return update
  })

export const getUpdateAudience = createServerFn()
  .validator(createInputValidator(v.object({ project: idPartSchema })))
  .handler(({ data, context }) => readUpdateAudience(context.ctx, data.project))
