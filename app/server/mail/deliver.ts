import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import type { Database } from '../db/client.ts'
import { outboxMails, siteDomains, sites } from '../db/schema.ts'
import { inLots } from '../in-lots.ts'
import type { Runtime } from '../runtime.ts'
import { eitherWay, type MailWay, type WayOf } from './ways.ts'
import { own, takeUp } from './campaign-mails.ts'
import { forgetFailures, outcomeOf, settle } from './outcome.ts'
import { referenceOf, withWayBack } from './return-address.ts'

const AT_ONCE = 50
/** Mails that are handed to a mail service at the same time: of so many nobody knows at most, when a process dies. */
export const MAILS_IN_HAND = 5
const MOST_ATTEMPTS = 10
const KEPT_DAYS = 90
/** How long one turn goes on at one site, so that a newsletter keeps no other site's mails waiting. */
const TURN_MS = 20_000
/** How long a mail service may say nothing before the others' mails are no longer kept waiting by it, in milliseconds. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 60_000 }
/** A secret in a link, as `newToken` makes them. */
const SECRET = /[A-Za-z0-9_-]{43}/g

type Row = typeof outboxMails.$inferSelect
type Sender = { name: string; address: string; replyTo: string | null }

/**
 * Sends what is due in the outboxes, of one site, some or all: by the site's own mail service (`wayOf`), else by SMTP_URL, and does nothing
 * without either. A mail is claimed before it is sent and tried again later if that fails, at growing intervals; a crash in between sends it
 * twice rather than never, under one Message-ID. A campaign's mail is sent once or never.
 */
export async function deliverMails(
  runtime: Runtime,
  siteId?: string | readonly string[],
  wayOf?: WayOf,
): Promise<{ sent: number; failed: number }> {
  const done = { sent: 0, failed: 0 }
  const { SMTP_URL } = runtime.env
  // A mail of which nothing was sent yet goes by another connection where its own is lost; any other is not handed over twice.
  const common = SMTP_URL ? createTransport({ url: SMTP_URL, ...PATIENCE, pool: true, maxConnections: MAILS_IN_HAND }) : undefined
  const commonWay: MailWay | undefined = common && {
    sendMail: (mail) => common.sendMail(withWayBack(mail, runtime.env.MAIL_BOUNCES_TO)),
  }
  try {
    for (const site of await sitesToServe(runtime.database, siteId)) {
      const transport = eitherWay(await wayOf?.(runtime, site.id), commonWay)
      if (!transport) continue
      const sender = await senderOf(runtime, site)
      const read: Parameters<typeof takeUp>[2] = new Map()
      const write = inLots<Row>((rows) => writeSent(runtime, site.id, rows))
      const until = Date.now() + TURN_MS
      while (Date.now() < until) {
        const rows = await claim(runtime, site.id)
        if (rows.length === 0) break
        const work = async () => {
          for (let claimed = rows.shift(); claimed; claimed = rows.shift()) {
            const row = await takeUp(runtime, claimed, read)
            if (!row) continue
            if (await send(runtime, transport, sender, row, write)) done.sent++
            else done.failed++
          }
        }
        const ends = await Promise.allSettled(Array.from({ length: MAILS_IN_HAND }, work))
        const broken = ends.find((end) => end.status === 'rejected')
        if (broken) throw broken.reason
      }
    }
  } finally {
    common?.close()
  }
  return done
}

/** Removes mails that were sent long ago. */
export async function sweepOutbox(database: Database, siteId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  await database.site(siteId).tx((tx) => tx.delete(outboxMails).where(and(eq(outboxMails.siteId, siteId), lt(outboxMails.sentAt, before))))
}

const sitesToServe = (database: Database, siteId: string | readonly string[] | undefined) =>
  database.global
    .select({ id: sites.id, name: sites.name, contactEmail: sites.contactEmail })
    .from(sites)
    .where(siteId === undefined ? undefined : inArray(sites.id, typeof siteId === 'string' ? [siteId] : [...siteId]))

/** Takes the next mails that are due, so that no other process sends them at the same time. A link to sign in waits for no newsletter. */
function claim(runtime: Runtime, siteId: string): Promise<Row[]> {
  const now = runtime.now()
  return runtime.database.site(siteId).tx(async (tx) => {
    // The statistics know nothing yet of a newsletter that was just written: all its mails would be put in order for each claim.
    await tx.execute(sql`set local enable_sort = off`)
    const some = (of: SQL | undefined, most: number) =>
      tx
        .select({ id: outboxMails.id })
        .from(outboxMails)
        .where(
          and(
            eq(outboxMails.siteId, siteId),
            isNull(outboxMails.sentAt),
            isNull(outboxMails.fault),
            lte(outboxMails.nextAttemptAt, now),
            of,
          ),
        )
        .orderBy(asc(outboxMails.nextAttemptAt))
        .limit(most)
        .for('update', { skipLocked: true })
    const first = await some(and(isNull(outboxMails.campaignId), lt(outboxMails.attempts, MOST_ATTEMPTS)), AT_ONCE)
    // A campaign is over once each of its mails is settled, also one whose last try was cut short.
    const due = first.length < AT_ONCE ? [...first, ...(await some(isNotNull(outboxMails.campaignId), AT_ONCE - first.length))] : first
    if (due.length === 0) return []
    return tx
      .update(outboxMails)
      .set({
        attempts: sql`${outboxMails.attempts} + 1`,
        nextAttemptAt: sql`${now.toISOString()}::timestamptz + interval '1 minute' * power(2, ${outboxMails.attempts})`,
      })
      .where(
        and(
          eq(outboxMails.siteId, siteId),
          inArray(
            outboxMails.id,
            due.map((row) => row.id),
          ),
        ),
      )
      .returning()
  })
}

async function send(runtime: Runtime, transport: MailWay, sender: Sender, row: Row, write: (sent: Row) => Promise<void>): Promise<boolean> {
  const domain = sender.address.split('@').at(-1) ?? 'localhost'
  const reference = referenceOf(row.siteId, row.id)
  try {
    await transport.sendMail({
      reference,
      sender: sender.address,
      from: { name: sender.name, address: sender.address },
      to: { name: '', address: row.recipient },
      ...(sender.replyTo ? { replyTo: sender.replyTo } : {}),
      subject: row.subject,
      text: row.bodyText,
      html: row.bodyHtml,
      messageId: `<${reference}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': row.language, ...leaveHeaders(row) },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  } catch (error) {
    runtime.log.warn('a mail could not be sent', { siteId: row.siteId, mail: row.id, attempt: row.attempts, code: codeOf(error) })
    const outcome = outcomeOf(error)
    await runtime.database.site(row.siteId).tx(async (tx) => {
      const values = await settle(tx, row, outcome, row.attempts >= MOST_ATTEMPTS, runtime.now())
      await tx.update(outboxMails).set(values).where(own(row))
    })
    return false
  }
  await write(row)
  return true
}

/** Writes down that mails were taken. */
function writeSent(runtime: Runtime, siteId: string, rows: readonly Row[]): Promise<void> {
  // Once it is on its way, the secret of its link is nobody's but the reader's.
  const withoutSecrets = (body: string) => body.replace(SECRET, '…')
  return runtime.database.site(siteId).tx(async (tx) => {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    await tx
      .update(outboxMails)
      .set({ sentAt: runtime.now(), handedAt: null, lastError: null, leaveUrl: null })
      .where(
        and(eq(outboxMails.siteId, siteId), sql`${outboxMails.id} in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`),
      )
    for (const row of rows) {
      if (row.campaignId) continue
      const bodies = { bodyText: withoutSecrets(row.bodyText), bodyHtml: withoutSecrets(row.bodyHtml) }
      await tx.update(outboxMails).set(bodies).where(own(row))
    }
    await forgetFailures(tx, siteId, rows)
  })
}

/** Lets the reader's mail program stop such mails by itself (RFC 8058). */
const leaveHeaders = ({ leaveUrl }: Row): Record<string, string> =>
  leaveUrl ? { 'List-Unsubscribe': `<${leaveUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}

/** What a mail server says names the reader, so the log has its code alone. */
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

async function senderOf(runtime: Runtime, site: { id: string; name: string; contactEmail: string | null }): Promise<Sender> {
  const [primary] = await runtime.database.global
    .select({ host: siteDomains.host })
    .from(siteDomains)
    .where(and(eq(siteDomains.siteId, site.id), siteDomains.isPrimary))
  const { MAIL_FROM, PUBLIC_URL } = runtime.env
  const host = primary?.host ?? (PUBLIC_URL ? new URL(PUBLIC_URL).hostname : 'localhost')
  return { name: site.name, address: MAIL_FROM ?? `no-reply@${host}`, replyTo: site.contactEmail }
}
