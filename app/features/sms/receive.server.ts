import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { enabledWith } from '#app/features/marketplace/installations.server.ts'
import type { SmsEvent } from '#app/features/marketplace/integrations/integration.server.ts'
import { openSettings } from '#app/features/marketplace/settings.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { isId, newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { smsMessages, userPhones, users } from '#app/server/db/schema.ts'
import { translator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { noteConsent } from './consents.server.ts'
import { keywordOf } from './keywords.ts'
import { queueMessage } from './messages.server.ts'
import { phoneOf } from './phones.server.ts'

const MOST_BYTES = 100_000
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * What a service tells of texts, at the address that its installation has. What is not signed by the service is refused with 403 and
 * changes nothing; what was told before changes nothing either.
 */
export async function smsHook({
  context: { ctx },
  request,
  params,
}: {
  context: RequestContext
  request: Request
  params: { installation: string }
}): Promise<Response> {
  const found = isId(params.installation)
    ? (await enabledWith(ctx, 'receive-sms')).find(({ row }) => row.id === params.installation)
    : undefined
  const receive = found?.integration.sms?.receive
  if (!found || !receive) return new Response(null, { status: 404 })
  const body = await request.text()
  if (body.length > MOST_BYTES) return new Response(null, { status: 413 })
  const url = new URL(request.url)
  const events = receive({
    settings: openSettings(ctx, found.row),
    url: siteUrl(ctx, url.pathname + url.search),
    header: (name) => request.headers.get(name),
    body,
  })
  if (!events) return new Response(null, { status: 403 })
  for (const event of events) {
    await (event.kind === 'text' ? receiveText(ctx, found.row.integration, event) : settleMessage(ctx, found.row.integration, event))
  }
  return new Response('', { status: 200, headers: { 'cache-control': 'no-store' } })
}

/** What became of a text, in whatever order it is told: what was delivered stays so, and what is settled is not unsettled. */
export async function settleMessage(ctx: Ctx, integration: string, event: Extract<SmsEvent, { kind: 'status' }>): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [row] = await tx
      .select()
      .from(smsMessages)
      .where(
        and(
          eq(smsMessages.siteId, ctx.site.id),
          eq(smsMessages.integration, integration),
          eq(smsMessages.direction, 'out'),
          event.reference && isId(event.reference) ? eq(smsMessages.id, event.reference) : eq(smsMessages.providerId, event.providerId),
        ),
      )
      .for('update')
    // A text of which nobody knows yet whether it was sent was: the service itself says so.
    if (!row || !['sending', 'accepted', 'failed'].includes(row.status)) return
    if (row.status === 'failed' && event.outcome !== 'delivered') return
    const now = ctx.now()
    const known = { providerId: event.providerId, sentAt: row.sentAt ?? now, nextAttemptAt: null }
    await tx
      .update(smsMessages)
      .set(
        event.outcome === 'accepted'
          ? { ...known, status: 'accepted' }
          : event.outcome === 'delivered'
            ? { ...known, status: 'delivered', fault: null, settledAt: now }
            : { ...known, status: 'failed', fault: 'message-undelivered', settledAt: now },
      )
      .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.id, row.id)))
  })
}

/** A text that came in: kept once, and acted on at once where it is one of the known words. @returns whether it is new */
export async function receiveText(ctx: Ctx, integration: string, event: Extract<SmsEvent, { kind: 'text' }>): Promise<boolean> {
  // The service knows whom it had it from: a number that no table of numbers has yet may say stop as well.
  const phone = E164.test(event.phone) ? event.phone : phoneOf(event.phone, ctx.site.region)
  if (!phone) return false
  return ctx.db.tx(async (tx) => {
    const owner = await ownerOf(ctx, tx, phone)
    const now = ctx.now()
    const kept = await tx
      .insert(smsMessages)
      .values({
        siteId: ctx.site.id,
        id: newId(),
        direction: 'in',
        purpose: 'reply',
        status: 'received',
        phone,
        userId: owner?.id ?? null,
        language: owner?.language ?? ctx.site.locale,
        body: event.body.slice(0, 1600),
        integration,
        providerId: event.providerId,
        createdAt: now,
        settledAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: smsMessages.id })
    if (!kept.length) return false
    await answer(ctx, tx, phone, owner, event.body)
    return true
  })
}

interface Owner {
  id: string
  language: Language
}

async function answer(ctx: Ctx, tx: Tx, phone: string, owner: Owner | undefined, words: string): Promise<void> {
  const keyword = keywordOf(words)
  if (!keyword) return
  const language = owner?.language ?? ctx.site.locale
  if (keyword !== 'help') {
    const given = keyword === 'start'
    const isNew = await noteConsent(ctx, tx, {
      phone,
      userId: owner?.id ?? null,
      given,
      words: words.slice(0, 200),
      language,
      source: 'text',
    })
    // Said twice it is so already: a phone that answers by itself is not answered without end.
    if (!isNew) return
    await recordAudit(ctx, tx, {
      action: given ? 'consents.give' : 'consents.withdraw',
      ...(owner ? { subject: { type: 'users', id: owner.id } } : {}),
      detail: { purpose: 'sms', by: 'text' },
    })
  }
  const body = translator(language, 'sms')(`answers.${keyword}`, { site: ctx.site.name, address: siteUrl(ctx, '/') })
  await queueMessage(ctx, tx, { purpose: 'reply', phone, language, body, userId: owner?.id ?? null })
}

async function ownerOf(ctx: Ctx, tx: Tx, phone: string): Promise<Owner | undefined> {
  const [row] = await tx
    .select({ id: users.id, locale: users.locale })
    .from(userPhones)
    .innerJoin(users, and(eq(users.siteId, userPhones.siteId), eq(users.id, userPhones.userId)))
    .where(and(eq(userPhones.siteId, ctx.site.id), eq(userPhones.phone, phone)))
  return row && { id: row.id, language: matchLanguage(row.locale, ctx.site.languages) ?? ctx.site.locale }
}
