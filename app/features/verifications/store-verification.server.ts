import { createHmac } from 'node:crypto'
import { isNotNull } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { createToken } from '#app/server/auth/tokens.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import { type GuessLimit, limitGuessesByAddress, limitGuessesOf } from '#app/server/limits/guesses.ts'
import { findHeld, hashBrowserSecret, type VerificationRow } from './held-verifications.server.ts'

/** Wrong cards and codes an hour from one address without a wait. A library's counter is one. */
const FREE_AT_AN_ADDRESS = 100

/** Identifies the browser in which a person is being verified. */
export interface Prover {
  /** Counts the tries of one browser. */
  browserToken?: BrowserToken | undefined
  /** The secret that the browser keeps already. */
  secret?: string | undefined
}

export interface NewVerification {
  row: VerificationRow
  /** Stored in the browser of a person without an account. */
  secret: string | undefined
}

type Proof = Omit<VerificationRow, 'siteId' | 'id' | 'createdAt' | 'userId' | 'browserHash' | 'subjectHash'> & {
  /** Who was verified; `hash-holder` if the proof cannot tell two people apart. */
  subjectHash: Buffer | 'hash-holder'
}

/** A proof without what only some methods have. */
export const NO_ORIGIN = { listId: null, batchId: null, identityId: null, createdBy: null } as const

/** @throws {AppError} `forbidden` for a guest of the platform, who has no account here */
export function requireNoGuest(ctx: Ctx): void {
  if (ctx.viewer.kind === 'user' && !findOwnId(ctx)) throw new AppError('forbidden')
}

/** Whom a limit counts; undefined if nothing recognises them. */
export function findPersonKey(ctx: Ctx, browserToken: BrowserToken | undefined): string | undefined {
  const userId = findOwnId(ctx)
  return userId ? `account/${userId}` : browserToken && `browser/${browserToken}`
}

/** How long a proof lasts that no administrator sets an end for. */
export function findYearFromNow(ctx: Ctx): Date {
  const end = new Date(ctx.now())
  end.setUTCFullYear(end.getUTCFullYear() + 1)
  return end
}

/**
 * Limits for trying to be verified: of the person, if something recognises them, of what they type, and of the address.
 * @param what the card or text that a guess is about, if it names one
 */
export function listTryLimits(ctx: Ctx, browserToken: BrowserToken | undefined, what?: string): GuessLimit[] {
  const person = findPersonKey(ctx, browserToken)
  return [
    ...(person ? [{ name: 'verify', of: person, free: 5, minutes: 60 }] : []),
    ...(what ? limitGuessesOf(ctx, { name: 'verify-card', of: what }) : []),
    ...limitGuessesByAddress(ctx, 'verify', FREE_AT_AN_ADDRESS),
  ]
}

/** Stores a proof for the viewer's account, or for their browser without one, which keeps one secret for all that it holds. */
export async function storeForViewer(ctx: Ctx, tx: Tx, proof: Proof, secret: string | undefined): Promise<NewVerification> {
  const userId = findOwnId(ctx)
  const isKnown = !userId && (await findHeld(ctx, tx, secret)).some(({ browserHash }) => browserHash !== null)
  const kept = userId ? undefined : isKnown && secret ? secret : createToken()
  const holder = userId ? `account/${userId}` : `browser/${kept}`
  const subjectHash = proof.subjectHash === 'hash-holder' ? hashHolder(ctx, holder) : proof.subjectHash
  const browserHash = kept ? hashBrowserSecret(ctx.site.id, kept) : null
  return { row: await storeVerification(ctx, tx, { ...proof, subjectHash, userId: userId ?? null, browserHash }), secret: kept }
}

const hashHolder = ({ runtime, site }: Ctx, holder: string): Buffer =>
  createHmac('sha256', runtime.secret).update(`holder/${site.id}/${holder}`).digest()

/** Stores a proof; the same one again changes its level and its end. */
export async function storeVerification(
  ctx: Ctx,
  tx: Tx,
  values: Omit<VerificationRow, 'siteId' | 'id' | 'createdAt'>,
): Promise<VerificationRow> {
  const { level, validUntil, createdBy } = values
  const [row] = await tx
    .insert(verifications)
    .values({ ...values, siteId: ctx.site.id, id: createId(), createdAt: ctx.now() })
    .onConflictDoUpdate({
      ...(values.userId
        ? { target: [verifications.siteId, verifications.userId, verifications.subjectHash], targetWhere: isNotNull(verifications.userId) }
        : {
            target: [verifications.siteId, verifications.browserHash, verifications.subjectHash],
            targetWhere: isNotNull(verifications.browserHash),
          }),
      set: { level, validUntil, createdBy },
    })
    .returning()
  if (!row) throw new AppError('internal')
  await recordAudit(ctx, tx, {
    action: row.method === 'in_person' ? 'verifications.confirm' : 'verifications.create',
    subject: { type: 'verifications', id: row.id },
    // The log says only what was used: people without an account stay anonymous.
    detail: {
      level,
      method: row.method,
      ...(row.method === 'in_person' && { user: row.userId }),
      ...(row.listId && { list: row.listId }),
      ...(row.batchId && { batch: row.batchId }),
    },
  })
  return row
}
