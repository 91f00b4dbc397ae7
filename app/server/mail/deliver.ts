import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import type { Database } from '../db/client.ts'
import { outboxMails, siteDomains, sites } from '../db/schema.ts'
import { inLots } from '../in-lots.ts'
import type { Runtime } from '../runtime.ts'
import { type LeavingMail, type MailWay, NotTaken, type WayOf } from './ways.ts'
import { beginTry, type Turn } from './begin-try.ts'
import { own } from './campaign-mails.ts'
import { claimLot, LEASE_MS, type Lot, MOST_ATTEMPTS, type Row } from './claims.ts'
import { forgetFailures, outcomeOf, settle } from './outcome.ts'
import { referenceOf, withWayBack } from './return-address.ts'
import { wholeBodies } from './secrets.ts'

/** Mails that are handed to a mail service at the same time: of so many nobody knows at most, when a process dies. */
export const MAILS_IN_HAND = 5
const KEPT_DAYS = 90
/** How long one turn goes on at one site, so that a newsletter keeps no other site's mails waiting. */
const TURN_MS = 20_000
/** How long a mail service may say nothing before the others' mails are no longer kept waiting by it, in milliseconds. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

type Sender = { name: string; address: string; replyTo: string | null }

/** How long a site's ways are known before they are looked up again: one may be switched off, or set up anew. */
const WAYS_MS = 1000

interface Delivering {
  /** A site's own mail service. */
  wayOf?: WayOf
  /** How long a claim lasts unless it is renewed, in milliseconds. */
  leaseMs?: number
  /** Given up when the process stops: what is in hand is finished, nothing more is taken up. */
  ending?: AbortSignal
}

/**
 * Sends what is due in the outboxes, of one site, some or all: by the site's own mail service, else by SMTP_URL, and does nothing
 * without either. A mail is claimed, and looked up again before it is handed over; if that fails it is tried again later, at growing intervals.
 * A crash in between sends it twice rather than never, under one Message-ID. A campaign's mail is sent once or never.
 */
export async function deliverMails(
  runtime: Runtime,
  siteId?: string | readonly string[],
  { wayOf, leaseMs = LEASE_MS, ending }: Delivering = {},
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
      const ways = rememberWays(async () => [await wayOf?.(runtime, site.id), commonWay].filter((way) => way !== undefined))
      const until = Date.now() + TURN_MS
      const desk: Desk = {
        runtime,
        ways,
        sender: await senderOf(runtime, site),
        turn: { leaseMs, said: new Map() },
        write: inLots<Row>((rows) => writeSent(runtime, site.id, rows)),
        goesOn: () => Date.now() < until && !ending?.aborted,
      }
      while (desk.goesOn() && (await ways()).length > 0) {
        const lot = await claimLot(runtime, site.id, leaseMs)
        if (lot.isEmpty) break
        await sendLot(desk, lot, done)
      }
    }
  } finally {
    common?.close()
  }
  return done
}

/** What one site's turn has at hand. */
interface Desk {
  runtime: Runtime
  /** How a mail can leave now, the first to be tried first. */
  ways: () => Promise<MailWay[]>
  sender: Sender
  turn: Turn
  write: (sent: Row) => Promise<void>
  goesOn: () => boolean
}

function rememberWays(look: () => Promise<MailWay[]>): () => Promise<MailWay[]> {
  let known: { ways: MailWay[]; at: number } | undefined
  return async () => {
    if (!known || performance.now() - known.at >= WAYS_MS) known = { ways: await look(), at: performance.now() }
    return known.ways
  }
}

async function sendLot(desk: Desk, lot: Lot, done: { sent: number; failed: number }): Promise<void> {
  const work = async () => {
    while (desk.goesOn()) {
      const claimed = lot.next()
      if (!claimed) return
      const outcome = await send(desk, claimed)
      if (outcome) done[outcome]++
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: MAILS_IN_HAND }, work))
  await lot.close()
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken) throw broken.reason
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

/** Hands a mail over, by the site's own service or by the common one. @returns undefined where it was not to go */
async function send(desk: Desk, claimed: Row): Promise<'sent' | 'failed' | undefined> {
  const { runtime, turn, sender } = desk
  let last: { error: unknown; row: Row } | undefined
  for (const way of await desk.ways()) {
    // Each way is a try of its own.
    const row = await beginTry(runtime, claimed, turn, last === undefined)
    if (!row) return last && 'failed'
    try {
      await way.sendMail(mailOf(row, sender))
    } catch (error) {
      last = { error, row }
      if (error instanceof NotTaken) continue
      break
    }
    await desk.write(row)
    return 'sent'
  }
  if (last) await noteFailure(runtime, last.row, last.error)
  return last && 'failed'
}

function mailOf(row: Row, sender: Sender): LeavingMail {
  const domain = sender.address.split('@').at(-1) ?? 'localhost'
  const reference = referenceOf(row.siteId, row.id)
  const { text, html } = wholeBodies(row)
  return {
    reference,
    sender: sender.address,
    from: { name: sender.name, address: sender.address },
    to: { name: '', address: row.recipient },
    ...(sender.replyTo ? { replyTo: sender.replyTo } : {}),
    subject: row.subject,
    text,
    html,
    messageId: `<${reference}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': row.language, ...leaveHeaders(row) },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function noteFailure(runtime: Runtime, row: Row, error: unknown): Promise<void> {
  runtime.log.warn('a mail could not be sent', { siteId: row.siteId, mail: row.id, attempt: row.attempts, code: codeOf(error) })
  const outcome = outcomeOf(error)
  await runtime.database.site(row.siteId).tx(async (tx) => {
    const values = await settle(tx, row, outcome, row.attempts >= MOST_ATTEMPTS, runtime.now())
    // Whoever has it in hand by now says what becomes of it.
    await tx
      .update(outboxMails)
      .set(values)
      .where(and(own(row), row.lease ? eq(outboxMails.lease, row.lease) : undefined))
  })
}

/** Writes down that mails were taken. */
function writeSent(runtime: Runtime, siteId: string, rows: readonly Row[]): Promise<void> {
  return runtime.database.site(siteId).tx(async (tx) => {
    const ids = JSON.stringify(rows.map(({ id }) => id))
    await tx
      .update(outboxMails)
      .set({ sentAt: runtime.now(), handedAt: null, lastError: null, leaveUrl: null, secretBodies: null, lease: null })
      .where(
        and(eq(outboxMails.siteId, siteId), sql`${outboxMails.id} in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`),
      )
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
