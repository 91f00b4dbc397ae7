import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { listAssignees } from './assign-question.server.ts'

/** Whom a question can be assigned to. */
export const readAssignees = createServerFn()
  .validator(createInputValidator(v.object({ id: idSchema })))
  .handler(({ data: { id }, context: { ctx } }) => listAssignees(ctx, id))
