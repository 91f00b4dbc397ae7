import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { listCaseModerators } from './assign-case.server.ts'
import { loadModerationPage } from './moderation-page.server.ts'

/** The public page about moderation, with its title so that no other page loads its texts. */
export const readModerationPage = createServerFn()
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => ({
    ...(await loadModerationPage(ctx)),
    title: getTranslator(ctx.language, 'moderation')('page.title'),
  }))

/** Who may decide all of these cases. */
export const readCaseModerators = createServerFn()
  .validator(createInputValidator(v.object({ ids: v.pipe(v.array(idSchema), v.maxLength(100)) })))
  .handler(({ data: { ids }, context: { ctx } }) => listCaseModerators(ctx, ids))
