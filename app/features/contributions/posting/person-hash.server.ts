import { createHmac } from 'node:crypto'
import { parseInvitation } from '#app/features/invitations/invitation-secrets.server.ts'
import type { ActivityAccess } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { ReadInvitation } from '../activities/activities.policy.server.ts'

export const hashAccount = (secret: string, activityId: string, userId: string): Buffer =>
  createHmac('sha256', secret).update(`reacted/${activityId}/account/${userId}`).digest()

const hashBrowser = (ctx: Ctx, activityId: string, token: string): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`reacted/${activityId}/browser/${token}`).digest()

/** Recognises a person in one activity without revealing who they are. */
export interface PersonHashes {
  /** Stored with a reaction: the account's, else the browser's. */
  own: Buffer | undefined
  /** All that recognise the person: somebody who reacted and then signed in is still the same person. */
  all: Buffer[]
  byAccount: boolean
}

export function hashParticipant(ctx: Ctx, activityId: string, browserToken: string | undefined): PersonHashes {
  const account = ctx.viewer.kind === 'user' ? hashAccount(ctx.runtime.secret, activityId, ctx.viewer.id) : undefined
  const browser = browserToken ? hashBrowser(ctx, activityId, browserToken) : undefined
  return {
    own: account ?? browser,
    all: [account, browser].filter((hash) => hash !== undefined),
    byAccount: account !== undefined,
  }
}

/** The same for reacting: where only invited people may, a person is their code, in whichever browser. */
export function hashReactor(
  ctx: Ctx,
  { id, reactAccess }: { id: string; reactAccess: ActivityAccess },
  browserToken: string | undefined,
  readInvitation: ReadInvitation | undefined,
): PersonHashes {
  if (reactAccess !== 'invited') return hashParticipant(ctx, id, browserToken)
  const secret = parseInvitation(readInvitation?.(id) ?? '')
  const own = secret ? createHmac('sha256', ctx.runtime.secret).update(`reacted/${id}/invitation/${secret}`).digest() : undefined
  return { own, all: own ? [own] : [], byAccount: false }
}

/** Whom a limit counts, in all activities; undefined if nothing recognises the sender. */
export function findPersonKey({ viewer }: Ctx, browserToken: string | undefined): string | undefined {
  if (viewer.kind === 'user') return `account/${viewer.id}`
  return browserToken ? `browser/${browserToken}` : undefined
}
