import { isAppError } from '#app/lib/app-error.ts'
import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { findVerifiedActivity } from '#app/features/contributions/record/verified-activity.server.ts'
import { readInvitation } from '#app/features/invitations/invitation-cookies.server.ts'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { findVerifiedSurvey } from '#app/features/surveys/surveys.server.ts'
import { splitLanguage } from '#app/lib/languages.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { VerificationLevel, VerificationMethod } from '#app/lib/vocabulary/verifications.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { listCodeLevels } from './code-batches.server.ts'
import { selectUsable } from './eligibility-lists.server.ts'
import { findHeld, isEnough } from './held-verifications.server.ts'
import { findVerifiedRound } from './verified-round.server.ts'
import { hasAcceptedPostcodes } from './postcode-settings.server.ts'
import { listProvingProviders } from './provider-verifications.server.ts'
import type { VerifyView } from './verifications.schema.ts'

/** The page where people show that they may take part, for the activity or survey that they come from. */
export const readVerifying = createServerFn()
  .validator(createInputValidator(v.object({ next: v.optional(v.string()) })))
  .handler(({ data, context: { ctx } }): Promise<VerifyView> => {
    setResponseHeader('cache-control', 'private, no-store')
    const next = parseLocalPath(data.next) ?? ''
    return ctx.db.read(async (tx) => {
      const activity = await findActivity(ctx, tx, next)
      const rule = activity?.rule
      const usable = await selectUsable(ctx, tx)
      const codeLevels = await listCodeLevels(ctx, tx)
      const proving = await listProvingProviders(ctx, tx)
      // What would not be enough for the activity is not offered.
      const isOffered = (method: VerificationMethod, level: VerificationLevel, listId: string | null = null) =>
        !rule || isEnough(rule, { method, level, listId })
      const held = await findHeld(ctx, tx, readInvitation(ctx.site.id))
      const localise = (text: Parameters<typeof localiseText>[0]) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
      return {
        next,
        activity: activity && {
          title: localise(activity.title),
          isAllowed: held.some((one) => isEnough(activity.rule, one)),
        },
        lists: usable
          .filter(({ id, level, entries }) => entries > 0 && isOffered('list', level, id))
          .map(({ id, name, fields }) => ({ id, name: localise(name), fields })),
        canUseCodes: codeLevels.some((level) => isOffered('code', level)),
        canUseTexts: isOffered('text', 'contact') && (await canSendSms(ctx)),
        canUsePostcodes: isOffered('postcode', 'contact') && (await hasAcceptedPostcodes(ctx, tx)),
        providers: proving.filter(({ level }) => level && isOffered('provider', level)).map(({ id, name }) => ({ id, name })),
        own: held.map(({ id, method, level, listId, validUntil }) => ({
          id,
          method,
          level,
          list: listId ? localise(usable.find((one) => one.id === listId)?.name) : null,
          validUntil: validUntil.toISOString(),
        })),
      }
    })
  })

/** The activity or survey that an address leads to; null if there is none that the reader may see, or it asks for no verification. */
async function findActivity(ctx: Ctx, tx: Tx, next: string) {
  const [, project, activity, survey] = /^\/projects\/([^/?#]+)\/([^/?#]+)(?:\/([^/?#]+))?/.exec(splitLanguage(next).path) ?? []
  if (!project || !activity) return null
  try {
    if (activity === 'budgets') return survey ? await findVerifiedRound(ctx, tx, { project, round: survey }) : null
    if (activity !== 'surveys') return await findVerifiedActivity(ctx, tx, { project, activity })
    return survey ? await findVerifiedSurvey(ctx, tx, { project, survey }) : null
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'gone')) return null
    throw error
  }
}
