import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { composeFeedbackText, draftFeedbackUpdate } from './feedback.server.ts'

const projectSchema = v.object({ project: idPartSchema })

/** Drafts an update that tells people what was decided. */
export const draftFeedback = createServerFn({ method: 'POST' })
  .validator(createInputValidator(projectSchema))
  .handler(({ data, context: { ctx } }) => draftFeedbackUpdate(ctx, data.project))

/** A text message that tells people what was decided. */
export const readFeedbackText = createServerFn()
  .validator(createInputValidator(projectSchema))
  .handler(({ data, context: { ctx } }) => composeFeedbackText(ctx, data.project))
