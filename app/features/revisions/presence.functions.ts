import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { EDITED_SUBJECTS } from './draft.schema.ts'
import { recordPresence } from './presence.server.ts'

/** Called every few seconds while an editor is open. */
export const tellPresence = createServerFn({ method: 'POST' })
  .validator(
    createInputValidator(
      v.object({
        subject: v.picklist(EDITED_SUBJECTS),
        placeId: v.nullable(idSchema),
        editor: v.pipe(v.string(), v.uuid()),
        isLeaving: v.optional(v.boolean()),
      }),
    ),
  )
  .handler(({ data, context }) => recordPresence(context.ctx, data))
