import { isAppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { readVerificationRule } from '../kinds/kinds.ts'
import { type ActivityAddress, requireActivityAt } from './activities.policy.server.ts'

/** An activity that asks for a verification, if its reader may see it; null for any other address. */
export async function findVerifiedActivity(
  ctx: Ctx,
  tx: Tx,
  address: ActivityAddress,
): Promise<{ title: Translated; rule: VerificationRule } | null> {
  try {
    const { activity } = await requireActivityAt(ctx, tx, address)
    const isAsked = activity.postAccess === 'verified' || activity.reactAccess === 'verified'
    return isAsked ? { title: activity.title, rule: readVerificationRule(activity) } : null
  } catch (error) {
    if (isAppError(error, 'not-found') || isAppError(error, 'gone')) return null
    throw error
  }
}
