import { createHmac } from 'node:crypto'
import { hashAccount } from '#app/features/accounts/account-hash.server.ts'
import { parseInvitation } from '#app/features/invitations/invitation-secrets.server.ts'
import { findSufficient } from '#app/features/verifications/held-verifications.server.ts'
import type { SurveyAccess } from '#app/lib/vocabulary/surveys.ts'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { ReadInvitation } from './access.policy.server.ts'

const hashBrowser = (ctx: Ctx, activityId: string, token: BrowserToken): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`reacted/${activityId}/browser/${token}`).digest()

/** Recognises a person in one activity without revealing who they are. */
export interface PersonHashes {
  /** Stored with a reaction: the account's, else the browser's. */
  own: Buffer | undefined
  /** All that recognise the person: somebody who reacted and then signed in is still the same person. */
  all: Buffer[]
  byAccount: boolean
}

export function hashParticipant(ctx: Ctx, activityId: string, browserToken: BrowserToken | undefined): PersonHashes {
  const account = ctx.viewer.kind === 'user' ? hashAccount(ctx.runtime.secret, activityId, ctx.viewer.id) : undefined
  const browser = browserToken ? hashBrowser(ctx, activityId, browserToken) : undefined
  return {
    own: account ?? browser,
    all: [account, browser].filter((hash) => hash !== undefined),
    byAccount: account !== undefined,
  }
}

const hashSubject = (secret: string, activityId: string, subject: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(`reacted/${activityId}/verified/${subject.toString('hex')}`)
    .digest()

/** The hashes that a verified person's reactions in an activity may be stored under. */
export const hashSubjects = (secret: string, activityId: string, subjects: readonly Buffer[]): Buffer[] =>
  subjects.map((subject) => hashSubject(secret, activityId, subject))

/**
 * The same for reacting. Where only invited people may, a person is their code, in whichever browser; where only verified people may, who
 * they were verified as.
 */
export async function hashReactor(
  ctx: Ctx,
  tx: Tx,
  { id, access, rule }: { id: string; access: SurveyAccess; rule: VerificationRule },
  browserToken: BrowserToken | undefined,
  readInvitation: ReadInvitation | undefined,
): Promise<PersonHashes> {
  const participant = hashParticipant(ctx, id, browserToken)
  if (access === 'verified') {
    const held = await findSufficient(ctx, tx, rule, readInvitation?.(ctx.site.id))
    const subjects = hashSubjects(
      ctx.runtime.secret,
      id,
      held.map(({ subjectHash }) => subjectHash),
    )
    // Reactions from before the activity asked for it count too.
    return { own: subjects[0], all: subjects[0] ? [...subjects, ...participant.all] : [], byAccount: false }
  }
  if (access !== 'invited') return participant
  const secret = parseInvitation(readInvitation?.(id) ?? '')
  const own = secret ? createHmac('sha256', ctx.runtime.secret).update(`reacted/${id}/invitation/${secret}`).digest() : undefined
  return { own, all: own ? [own] : [], byAccount: false }
}

/** Whom a limit counts, in all activities; undefined if nothing recognises the sender. */
export function findPersonKey({ viewer }: Ctx, browserToken: BrowserToken | undefined): string | undefined {
  if (viewer.kind === 'user') return `account/${viewer.id}`
  return browserToken ? `browser/${browserToken}` : undefined
}
