import type { Translated } from '#app/lib/translated.ts'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { readVerificationRule } from '../kinds/kinds.ts'
import { type ActivityAddress, requireActivityAt } from './activities.policy.server.ts'

/** What an activity asks of people who are to be verified; null if it asks for no verification. @throws {AppError} `not-found`, `gone` */
export async function findVerifiedActivity(
  ctx: Ctx,
  tx: Tx,
  address: ActivityAddress,
): Promise<{ title: Translated; rule: VerificationRule } | null> {
  const { activity } = await requireActivityAt(ctx, tx, address)
  const isAsked = activity.postAccess === 'verified' || activity.reactAccess === 'verified'
  return isAsked ? { title: activity.title, rule: readVerificationRule(activity) } : null
}
