import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { SIGN_IN_ITEM } from '#app/lib/stored-items.ts'
import { idSchema } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, sealSecret, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { usedSignInKeys } from '#app/server/db/schema/identity.ts'
import { isHttps } from '#app/server/site-url.ts'
import { SignInFault } from './sign-in-fault.server.ts'

/** The cookies of a request, by name. */
export type Cookies = (name: string) => string | undefined

/** What a browser carries while its user is at the provider. Sealed for this site, so that no other site's opens here. */
const attemptSchema = v.strictObject({
  provider: idSchema,
  purpose: v.picklist(['sign-in', 'link', 'test']),
  /** Who links or tests: the same person has to come back. */
  userId: v.nullable(idSchema),
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  next: v.nullable(v.string()),
  language: v.picklist(CONTENT_LANGUAGES),
  until: v.number(),
})
export type Attempt = v.InferOutput<typeof attemptSchema>

/** What a person who came back has to confirm. */
const pendingSchema = v.strictObject({
  kind: v.picklist(['link', 'adopt', 'create']),
  provider: idSchema,
  /** Whose account it would be; null for one that does not exist yet. */
  userId: v.nullable(idSchema),
  /** Of the settings under which the provider answered. */
  proof: v.string(),
  subject: v.string(),
  email: v.nullable(v.string()),
  name: v.nullable(v.string()),
  groups: v.array(v.string()),
  session: v.nullable(v.string()),
  next: v.nullable(v.string()),
  /** What the provider says that answers questions about people, by their keys. */
  answers: v.optional(v.record(v.string(), v.string()), {}),
  until: v.number(),
})
export type Pending = v.InferOutput<typeof pendingSchema>

/** One cookie for each attempt, so that two tabs do not disturb each other. */
const buildAttemptName = (state: string) => state.slice(0, 8).replace(/[^\w-]/g, '')
const PENDING_NAME = 'pending'

const buildPlace = ({ site }: Ctx, what: 'attempt' | 'pending') => `sites/${site.id}/sign-in/${what}`

export const createAttemptCookie = (ctx: Ctx, attempt: Omit<Attempt, 'until'>): string =>
  createSealedCookie(ctx, 'attempt', buildAttemptName(attempt.state), attempt)

/** Without answers, a process of the release before can read it too. */
export const createPendingCookie = (ctx: Ctx, { answers, ...pending }: Omit<Pending, 'until'>): string =>
  createSealedCookie(ctx, 'pending', PENDING_NAME, { ...pending, ...(Object.keys(answers).length > 0 && { answers }) })

function createSealedCookie(ctx: Ctx, what: 'attempt' | 'pending', name: string, content: object): string {
  const until = ctx.now().getTime() + SIGN_IN_ITEM.seconds * 1000
  const sealed = sealSecret(getSealingKeys(ctx.runtime), buildPlace(ctx, what), JSON.stringify({ ...content, until }))
  return buildCookieHeader(SIGN_IN_ITEM, sealed, { of: name, https: isHttps(ctx) })
}

/** Deletes the cookies of an attempt, or of what was to be confirmed. */
export const createExpiredAttemptCookie = (ctx: Ctx, state: string): string => createExpiredCookie(ctx, buildAttemptName(state))
export const createExpiredPendingCookie = (ctx: Ctx): string => createExpiredCookie(ctx, PENDING_NAME)
const createExpiredCookie = (ctx: Ctx, name: string) => buildCookieHeader(SIGN_IN_ITEM, '', { of: name, https: isHttps(ctx), seconds: 0 })

/** The attempt that this browser began under the state of a callback; undefined if it began none. */
export function readAttempt(ctx: Ctx, cookies: Cookies, providerId: string, state: string | null): Attempt | undefined {
  if (!state || state.length > 200) return undefined
  const attempt = openCookie(ctx, cookies, 'attempt', buildAttemptName(state), attemptSchema)
  return attempt?.provider === providerId && attempt.state === state ? attempt : undefined
}

export const readPending = (ctx: Ctx, cookies: Cookies): Pending | undefined =>
  openCookie(ctx, cookies, 'pending', PENDING_NAME, pendingSchema)

function openCookie<Schema extends v.GenericSchema<unknown, { until: number }>>(
  ctx: Ctx,
  cookies: Cookies,
  what: 'attempt' | 'pending',
  name: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  const sealed = cookies(SIGN_IN_ITEM.name + name)
  const text = sealed && unsealSecret(getSealingKeys(ctx.runtime), buildPlace(ctx, what), sealed)
  if (!text) return undefined
  const read = v.safeParse(schema, JSON.parse(text))
  return read.success && read.output.until > ctx.now().getTime() ? read.output : undefined
}

/** Uses a state or a token up: it counts once, in whichever process. @throws {SignInFault} `used-before` */
export async function consumeSignInKey(ctx: Ctx, tx: Tx, key: string, until: Date): Promise<void> {
  const taken = await tx
    .insert(usedSignInKeys)
    .values({ siteId: ctx.site.id, key: createHash('sha256').update(key).digest(), expiresAt: until })
    .onConflictDoNothing()
    .returning({ key: usedSignInKeys.key })
  if (taken.length === 0) throw new SignInFault('used-before', 'this state or token was used before')
}
