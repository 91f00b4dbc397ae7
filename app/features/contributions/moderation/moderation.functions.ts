import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { loadModerationPage } from './moderation-page.server.ts'

/** The public page about moderation, with its title so that no other page loads its texts. */
export const readModerationPage = createServerFn()
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => ({
    ...(await loadModerationPage(ctx)),
    title: getTranslator(ctx.language, 'moderation')('page.title'),
  }))
