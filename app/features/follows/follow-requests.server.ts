import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'

export const CONFIRM_DAYS = 7
const DAY_MS = 86_400_000

/** Somebody wants to follow a project by email address. */
export interface FollowRequest {
  projectId: string
  email: string
  language: ContentLanguage
}

const payloadSchema = v.strictTuple([v.pipe(v.string(), v.uuid()), v.string(), contentLanguageSchema, v.number()])

/** The emailed link carries the whole request, signed: nothing is stored about an address before it is confirmed. */
export function createRequestToken(ctx: Ctx, { projectId, email, language }: FollowRequest): string {
  const payload = Buffer.from(JSON.stringify([projectId, email, language, ctx.now().getTime() + CONFIRM_DAYS * DAY_MS]))
  return `${payload.toString('base64url')}.${signPayload(ctx, payload).toString('base64url')}`
}

/** @throws {AppError} `link-expired` if the link is too old, or not one of ours */
export function requireFollowRequest(ctx: Ctx, token: string): FollowRequest {
  const [payload, signature] = token.split('.').map((part) => Buffer.from(part, 'base64url'))
  const expected = payload && signPayload(ctx, payload)
  if (!expected || !signature || signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new AppError('link-expired')
  const [projectId, email, language, until] = v.parse(payloadSchema, JSON.parse(payload.toString('utf8')))
  if (until < ctx.now().getTime()) throw new AppError('link-expired')
  return { projectId, email, language }
}

const signPayload = ({ runtime, site }: Ctx, payload: Buffer): Buffer =>
  createHmac('sha256', runtime.secret).update(`follow by address ${site.id} `).update(payload).digest()
