import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { findActivityRefusal, getReactionRule, type PlacedActivity } from '../record/activities.policy.server.ts'
import { isFollowingContribution } from '../following/follow-contribution.server.ts'
import { hashReactor } from '#app/features/participation/person-hash.server.ts'
import { findOwnReaction } from '../responding/stored-reactions.server.ts'

interface OwnPart {
  placed: PlacedActivity
  contributionId: string
  browserToken: BrowserToken | undefined
  readInvitation: ReadInvitation | undefined
}

/** What of a contribution's page is the reader's: what they said of it, whether they follow it, and what they may not do. */
export async function loadOwnPart(ctx: Ctx, tx: Tx, { placed, contributionId, browserToken, readInvitation }: OwnPart) {
  const person = await hashReactor(ctx, tx, getReactionRule(placed.activity), browserToken, readInvitation)
  const own = await findOwnReaction(ctx, tx, contributionId, person.all)
  return {
    reaction: own?.value ?? null,
    isReactionCounted: own?.counted ?? true,
    following: await isFollowingContribution(ctx, tx, contributionId),
    reactRefusal: await findActivityRefusal(ctx, tx, 'contributions.react', placed, readInvitation),
    postRefusal: await findActivityRefusal(ctx, tx, 'contributions.post', placed, readInvitation),
  }
}
