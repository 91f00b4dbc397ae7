import { and, count, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { parsePhone } from './phone-format.server.ts'
import { measureSegments, withPlainMarks } from '#app/lib/sms-segments.ts'
import type { SmsPurpose, SmsStatus } from '#app/lib/vocabulary/sms.ts'

export type MessageRow = typeof smsMessages.$inferSelect

interface NewMessage {
  purpose: SmsPurpose
  /** E.164 */
  phone: string
  language: ContentLanguage
  body: string
  userId: string | null
  /** Its number and text are erased once it is sent. */
  unnamed?: boolean
  /** The sign-up that a reminder is about: it is sent only while it holds (`isOutdatedReminder`). */
  signUpId?: string
}

/** Puts a text into the site's outbox, in the transaction of the change that causes it. A job sends it. @returns its id */
export async function queueMessage(ctx: Ctx, tx: Tx, message: NewMessage): Promise<string> {
  const id = createId()
  const now = ctx.now()
  // A test message is sent exactly as typed.
  const body = message.purpose === 'test' ? message.body : withPlainMarks(message.body)
  await tx.insert(smsMessages).values({
    siteId: ctx.site.id,
    id,
    direction: 'out',
    status: 'waiting',
    segments: measureSegments(body).segments,
    createdAt: now,
    nextAttemptAt: now,
    ...message,
    body,
  })
  return id
}

/** Hides everything about SMS while the feature is off. @throws {AppError} `not-found` */
export async function requireSmsEnabled(ctx: Ctx): Promise<void> {
  if (!(await readFeatures(ctx)).marketplace_sms_integration.enabled) throw new AppError('not-found')
}

/** The site's texts, latest first, for those who run it. @throws {AppError} `forbidden`, `not-found` with the feature off */
export async function listMessages(
  ctx: Ctx,
  query: {
    status?: SmsStatus[] | undefined
    direction?: 'in' | 'out' | undefined
    phone?: string | undefined
    offset: number
    limit: number
  },
): Promise<{ rows: MessageRow[]; total: number }> {
  requirePermission(ctx, 'site.edit')
  await requireSmsEnabled(ctx)
  const where = isOfSite(
    ctx,
    and(
      query.status ? inArray(smsMessages.status, query.status) : undefined,
      query.direction ? eq(smsMessages.direction, query.direction) : undefined,
      query.phone ? eq(smsMessages.phone, parsePhone(query.phone, ctx.site.region) ?? '-') : undefined,
    ),
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(smsMessages).where(where)
    const rows = await tx
      .select()
      .from(smsMessages)
      .where(where)
      .orderBy(desc(smsMessages.createdAt), desc(smsMessages.id))
      .limit(query.limit)
      .offset(query.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

export async function loadMessagesById(ctx: Ctx, ids: readonly string[]): Promise<MessageRow[]> {
  if (!checkPermission(ctx.viewer, 'site.edit').ok || !(await readFeatures(ctx)).marketplace_sms_integration.enabled) return []
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(smsMessages)
      .where(isOfSite(ctx, inArray(smsMessages.id, [...ids]))),
  )
}

const isOfSite = (ctx: Ctx, more?: SQL): SQL | undefined => and(eq(smsMessages.siteId, ctx.site.id), more)

/** Sends a test message. @returns its id @throws {AppError} `forbidden`, `invalid` at `/phone`, `sms-not-enabled`, `too-many-requests` */
export async function sendTestMessage(ctx: Ctx, input: { phone: string; body: string }): Promise<string> {
  requirePermission(ctx, 'site.edit')
  await requireSmsEnabled(ctx)
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  const phone = parsePhone(input.phone, ctx.site.region)
  if (!phone) throw new AppError('invalid', { faults: [{ code: 'not-a-phone', pointer: '/phone' }] })
  const userId = findOwnId(ctx) ?? null
  await countAttempt(ctx, [{ name: 'sms-test', of: userId ?? 'site', most: 20, minutes: 60 }])
  return ctx.db.tx(async (tx) => {
    const id = await queueMessage(ctx, tx, { purpose: 'test', phone, language: ctx.language, body: input.body, userId: null })
    await recordAudit(ctx, tx, { action: 'sms-messages.test', subject: { type: 'sms-messages', id } })
    return id
  })
}
