import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { findFormerTextService, loadCapableInstallations } from '#app/features/marketplace/installations.server.ts'
import type { SmsEvent } from '#app/features/marketplace/integrations/integration.server.ts'
import { findIntegration } from '#app/features/marketplace/integrations/registry.server.ts'
import { openSettings } from '#app/features/marketplace/installation-settings.server.ts'
import { findSurveyByKeyword } from '#app/features/surveys/sms/keywords.server.ts'
import { type Language, matchLanguage } from '#app/lib/languages.ts'
import { type Keyword, findKeyword, findKeywordLanguage } from '#app/lib/text-keywords.ts'
import { isId, createId } from '#app/lib/uuid.ts'
import { readHookBody } from '#app/server/bounded-body.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { handleSurveyText, endConversations } from './answering/conversations.server.ts'
import { finishConversation } from './answering/finish-conversation.server.ts'
import { type Texter, loadTexter } from './answering/texter.server.ts'
import { findConsent, recordConsent } from './consents.server.ts'
import { queueMessage } from './messages.server.ts'
import { parsePhone } from './phone-format.server.ts'

export const MAX_HOOK_BYTES = 100_000
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * Webhook for a service's reports, at its installation's own address. Unsigned requests are refused with 403 and change nothing; repeated
 * reports change nothing either. While a service is disabled or texts are switched off for the site, only status reports for earlier texts
 * and STOP count.
 */
export async function handleSmsHook({
  context: { ctx },
  request,
  params,
}: {
  context: RequestContext
  request: Request
  params: { installation: string }
}): Promise<Response> {
  const found = isId(params.installation)
    ? (await loadCapableInstallations(ctx, 'receive-sms')).find(({ row }) => row.id === params.installation)
    : undefined
  const receive = found?.integration.sms?.receive
  if (!found || !receive) return acceptFormerServiceStop(ctx, request, params.installation)
  // The signature covers the body, so the sender is only known after reading it.
  const body = await readHookBody(request, MAX_HOOK_BYTES)
  if (body instanceof Response) return body
  const url = new URL(request.url)
  const events = receive({
    settings: openSettings(ctx, found.row),
    url: buildSiteUrl(ctx, url.pathname + url.search),
    header: (name) => request.headers.get(name),
    body,
  })
  if (!events) return new Response(null, { status: 403 })
  for (const event of events) {
    if (event.kind === 'status') await settleMessage(ctx, found.row.integration, event)
    else if (found.isOn) await receiveText(ctx, found.row.integration, event)
    else await receiveStop(ctx, event)
  }
  return new Response('', { status: 200, headers: { 'cache-control': 'no-store' } })
}

const MAX_FORMER_STOPS = 60

/**
 * A STOP at the address of a service that was uninstalled. Its credentials are deleted, so no signature can be checked.
 * Only the service knew the address, so STOP is believed, and everything else is ignored.
 */
async function acceptFormerServiceStop(ctx: Ctx, request: Request, installationId: string): Promise<Response> {
  const parse = isId(installationId) ? (await findFormerTextService(ctx, installationId))?.sms?.parse : undefined
  if (!parse) return new Response(null, { status: 404 })
  const body = await readHookBody(request, MAX_HOOK_BYTES)
  if (body instanceof Response) return body
  const stops = parse({ url: request.url, body }).filter((event) => event.kind === 'text')
  for (const stop of stops) {
    await countAttempt(ctx, [{ name: 'former-sms-hook', of: installationId, most: MAX_FORMER_STOPS, minutes: 1 }])
    await receiveStop(ctx, stop)
  }
  return new Response('', { status: 200, headers: { 'cache-control': 'no-store' } })
}

/** Records a status report, in any order: `delivered` is final, and a settled text stays settled. */
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
    // The report proves that a text in doubt was sent.
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
            : { ...known, status: 'failed', fault: event.optedOut ? 'consent-withdrawn' : 'message-undelivered', settledAt: now },
      )
      .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.id, row.id)))
    if (event.outcome === 'failed' && event.optedOut && row.phone) await recordOptOut(ctx, tx, row.phone)
  })
}

/** Somebody opted out at the service, which did not tell us until it refused a text to them: it counts as a STOP. */
export async function recordOptOut(ctx: Ctx, tx: Tx, phone: string): Promise<void> {
  const texter = await loadTexter(ctx, tx, phone)
  await endConversations(ctx, tx, phone)
  await changeConsent(ctx, tx, texter, false, 'STOP')
}

/** STOP counts even while no texts can be sent: there is no reply, and nothing else is accepted. */
async function receiveStop(ctx: Ctx, { phone: from, body, handledAs }: Extract<SmsEvent, { kind: 'text' }>): Promise<void> {
  const phone = parseSender(ctx, from)
  if (!phone || (handledAs ?? findKeyword(body)) !== 'stop') return
  await ctx.db.tx(async (tx) => {
    const texter = await loadTexter(ctx, tx, phone)
    await endConversations(ctx, tx, phone)
    await changeConsent(ctx, tx, texter, false, body)
  })
}

/** The service vouches for the sender: even a number that no numbering plan knows yet can send STOP. */
const parseSender = ({ site }: Ctx, phone: string): string | undefined => (E164.test(phone) ? phone : parsePhone(phone, site.region))

/** Handles a received text: stored once, and acted on at once if it is a keyword or belongs to a survey. @returns true if it is new */
export async function receiveText(ctx: Ctx, integration: string, event: Extract<SmsEvent, { kind: 'text' }>): Promise<boolean> {
  const phone = parseSender(ctx, event.phone)
  if (!phone) return false
  const { isNew, finished } = await ctx.db.tx(async (tx) => {
    const texter = await loadTexter(ctx, tx, phone)
    const id = createId()
    const now = ctx.now()
    const kept = await tx
      .insert(smsMessages)
      .values({
        siteId: ctx.site.id,
        id,
        direction: 'in',
        purpose: 'reply',
        status: 'received',
        phone,
        userId: texter.owner?.id ?? null,
        language: texter.owner?.language ?? ctx.site.locale,
        body: event.body.slice(0, 1600),
        integration,
        providerId: event.providerId,
        createdAt: now,
        settledAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: smsMessages.id })
    if (!kept.length) return { isNew: false }
    return {
      isNew: true,
      finished: await handleReceivedText(ctx, tx, texter, { id, integration, words: event.body, handledAs: event.handledAs }),
    }
  })
  if (finished) await finishConversation(ctx, finished)
  return isNew
}

interface ReceivedText {
  id: string
  integration: string
  words: string
  /** The service has answered it as this keyword. */
  handledAs: Keyword | undefined
}

/** @returns id of the conversation that this text completed */
async function handleReceivedText(ctx: Ctx, tx: Tx, texter: Texter, received: ReceivedText): Promise<string | undefined> {
  const keyword = received.handledAs ?? findKeyword(received.words)
  if (keyword === 'stop') await endConversations(ctx, tx, texter.phone)
  else if ((await findConsent(ctx, tx, texter.phone)) !== false) {
    const turn = await handleSurveyText(ctx, tx, texter, received.words, keyword)
    if (turn) {
      const { reply, language, finished } = turn
      // Texts of the sandbox are test answers of an administrator, so there is nobody to keep anonymous.
      const unnamed = turn.unnamed && !findIntegration(received.integration)?.sms?.isInternal
      const dropped = unnamed ? { phone: '', body: '', userId: null, unnamed } : {}
      await tx
        .update(smsMessages)
        .set({ purpose: 'survey', language, ...dropped })
        .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.id, received.id)))
      const to = { phone: texter.phone, userId: turn.unnamed ? null : (texter.owner?.id ?? null) }
      if (reply) await queueMessage(ctx, tx, { purpose: 'survey', ...to, language, body: reply, unnamed: turn.unnamed })
      return finished
    }
  } else {
    const survey = keyword ? undefined : await findSurveyByKeyword(ctx, tx, received.words)
    if (survey) {
      await queueReply(ctx, tx, texter, 'stopped', texter.owner?.language ?? survey.language)
      return undefined
    }
  }
  if (keyword) await answerKeyword(ctx, tx, texter, keyword, received)
  return undefined
}

/** For an unknown sender the keyword tells the language, if the site offers it. */
function chooseLanguage({ site }: Ctx, { owner }: Texter, words: string): Language {
  const spoken = findKeywordLanguage(words)
  return owner?.language ?? (spoken && matchLanguage(spoken, site.languages)) ?? site.locale
}

async function answerKeyword(ctx: Ctx, tx: Tx, texter: Texter, keyword: Keyword, { words, handledAs }: ReceivedText): Promise<void> {
  // Repeated keywords get no reply, so that an autoresponder cannot start a loop.
  if (keyword !== 'help' && !(await changeConsent(ctx, tx, texter, keyword === 'start', words))) return
  if (handledAs) return
  await queueReply(ctx, tx, texter, keyword, chooseLanguage(ctx, texter, words))
}

/** Adds what somebody texted to the consent ledger. @returns true if it is new */
async function changeConsent(ctx: Ctx, tx: Tx, texter: Texter, given: boolean, words: string): Promise<boolean> {
  const { owner, phone } = texter
  const isNew = await recordConsent(ctx, tx, {
    phone,
    userId: owner?.id ?? null,
    given,
    words: words.slice(0, 200),
    language: chooseLanguage(ctx, texter, words),
    source: 'text',
  })
  if (isNew)
    await recordAudit(ctx, tx, {
      action: given ? 'consents.give' : 'consents.withdraw',
      ...(owner ? { subject: { type: 'users', id: owner.id } } : {}),
      detail: { purpose: 'sms', by: 'text' },
    })
  return isNew
}

async function queueReply(ctx: Ctx, tx: Tx, texter: Texter, what: Keyword | 'stopped', language: Language): Promise<void> {
  const body = getTranslator(language, 'sms')(`answers.${what}`, { site: ctx.site.name, address: buildSiteUrl(ctx, '/') })
  await queueMessage(ctx, tx, { purpose: 'reply', phone: texter.phone, language, body, userId: texter.owner?.id ?? null })
}
