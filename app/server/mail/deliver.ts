import { and, eq, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import { RETENTION } from '../../lib/retention.ts'
import type { Database, Tx } from '../db/client.ts'
import { mailFiles, outboxMails } from '../db/schema/mail.ts'
import { siteDomains, sites } from '../db/schema/sites.ts'
import { createBatches } from '../batches.ts'
import { attemptWork } from '../jobs/attempt-work.ts'
import type { Runtime } from '../runtime.ts'
import { type TransportMail, type MailTransport, NotTaken, type FindSiteTransport } from './mail-transport.ts'
import { beginAttempt, type DeliveryTurn } from './begin-attempt.ts'
import { matchMailRow } from './campaign-mails.ts'
import { claimBatch, LEASE_MS, type MailBatch, MAX_ATTEMPTS, type OutboxRow } from './claim-mails.ts'
import { forgetFailures, classifyTransportError, settleFailure } from './delivery-outcome.ts'
import { buildMailReference, withReturnPath } from './return-address.ts'
import { getUnmaskedBodies } from './mask-secrets.ts'

/** Mails sent concurrently: if a process dies, at most this many are in doubt. */
export const MAILS_IN_HAND = 5
/** Most time one run spends on a site, so that a newsletter does not delay other sites' mails. */
const TURN_MS = 20_000
/** How long a mail service may stay silent, in milliseconds, before it would hold up everyone else's mails. */
const TRANSPORT_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

type Sender = { name: string; address: string; replyTo: string | null }

/** How long a site's transports are cached: one may be switched off or changed. */
const TRANSPORTS_CACHE_MS = 1000

interface DeliveryOptions {
  /** Finds a site's own mail service. */
  wayOf?: FindSiteTransport
  /** How long a lease lasts unless renewed, in milliseconds. */
  leaseMs?: number
  /** Aborts when the process stops: mails being sent are finished, no more are started. */
  ending?: AbortSignal
}

/**
 * Sends the due mails of one, some or all sites: through the site's own mail service, else through SMTP_URL; does nothing if there is
 * neither. A mail is claimed, and checked again before it is sent; a failed one is retried with growing backoff. A crash in between sends
 * it twice rather than never, with the same Message-ID. A campaign mail is sent at most once.
 */
export async function deliverMails(
  runtime: Runtime,
  siteId?: string | readonly string[],
  { wayOf, leaseMs = LEASE_MS, ending }: DeliveryOptions = {},
): Promise<{ sent: number; failed: number }> {
  const done = { sent: 0, failed: 0 }
  const { SMTP_URL } = runtime.env
  // If its connection is lost, a mail of which nothing was sent yet is sent over another one; any other is not handed over twice.
  const common = SMTP_URL ? createTransport({ url: SMTP_URL, ...TRANSPORT_TIMEOUTS, pool: true, maxConnections: MAILS_IN_HAND }) : undefined
  const commonWay: MailTransport | undefined = common && {
    sendMail: (mail) => common.sendMail(withReturnPath(mail, runtime.env.MAIL_BOUNCES_TO)),
  }
  try {
    for (const site of await loadSitesToServe(runtime.database, siteId)) {
      const ways = cacheTransports(async () => [await wayOf?.(runtime, site.id), commonWay].filter((way) => way !== undefined))
      const until = Date.now() + TURN_MS
      const delivery: DeliveryContext = {
        runtime,
        ways,
        sender: await loadSender(runtime, site),
        turn: { leaseMs, said: new Map() },
        write: createBatches<OutboxRow>((rows) => recordSent(runtime, site.id, rows)),
        goesOn: () => Date.now() < until && !ending?.aborted,
      }
      while (delivery.goesOn() && (await ways()).length > 0) {
        const batch = await claimBatch(runtime, site.id, leaseMs)
        if (batch.isEmpty) break
        await sendBatch(delivery, batch, done)
      }
    }
  } finally {
    common?.close()
  }
  return done
}

/** What one site's run needs. */
interface DeliveryContext {
  runtime: Runtime
  /** Transports available now, in order of preference. */
  ways: () => Promise<MailTransport[]>
  sender: Sender
  turn: DeliveryTurn
  write: (sent: OutboxRow) => Promise<void>
  goesOn: () => boolean
}

function cacheTransports(look: () => Promise<MailTransport[]>): () => Promise<MailTransport[]> {
  let known: { ways: MailTransport[]; at: number } | undefined
  return async () => {
    if (!known || performance.now() - known.at >= TRANSPORTS_CACHE_MS) known = { ways: await look(), at: performance.now() }
    return known.ways
  }
}

async function sendBatch(delivery: DeliveryContext, batch: MailBatch, done: { sent: number; failed: number }): Promise<void> {
  const sendUntilDone = async () => {
    while (delivery.goesOn()) {
      const claimed = batch.next()
      if (!claimed) return
      const outcome = await handOverMail(delivery, claimed)
      if (outcome) done[outcome]++
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: MAILS_IN_HAND }, sendUntilDone))
  await batch.close()
  const broken = ends.find((end) => end.status === 'rejected')
  if (broken) throw broken.reason
}

/** Removes mails that were sent longer ago than they are stored, or could not be sent. */
export async function sweepOutbox(tx: Tx, siteId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION.mails * 86_400_000)
  const isOver = or(lt(outboxMails.sentAt, before), isNotNull(outboxMails.fault))
  // The first condition is for the index: a mail is created before it is sent.
  await tx.delete(outboxMails).where(and(eq(outboxMails.siteId, siteId), lt(outboxMails.createdAt, before), isOver))
  await tx.delete(mailFiles).where(and(eq(mailFiles.siteId, siteId), lt(mailFiles.createdAt, before)))
}

const loadSitesToServe = (database: Database, siteId: string | readonly string[] | undefined) =>
  database.global
    .select({ id: sites.id, name: sites.name, contactEmail: sites.contactEmail })
    .from(sites)
    .where(siteId === undefined ? undefined : inArray(sites.id, typeof siteId === 'string' ? [siteId] : [...siteId]))

interface FailedAttempt {
  error: unknown
  row: OutboxRow
}

/** Sends a mail through the site's own service or the common one. @returns undefined if it was not to be sent */
async function handOverMail(delivery: DeliveryContext, claimed: OutboxRow): Promise<'sent' | 'failed' | undefined> {
  const { runtime, turn, sender } = delivery
  const file = await loadMailFile(runtime, claimed)
  let last: FailedAttempt | undefined
  for (const way of await delivery.ways()) {
    // Each transport counts as a separate attempt.
    const row = await beginAttempt(runtime, claimed, turn, last === undefined)
    if (!row) return last && 'failed'
    const failed = await attemptWork<FailedAttempt | undefined>(
      async () => void (await way.sendMail(toTransportMail(row, sender, file))),
      (error) => ({ error, row }),
    )
    if (!failed) {
      await delivery.write(row)
      return 'sent'
    }
    last = failed
    if (!(failed.error instanceof NotTaken)) break
  }
  if (last) await recordFailure(runtime, last.row, last.error)
  return last && 'failed'
}

async function loadMailFile({ database }: Runtime, { siteId, fileId }: OutboxRow): Promise<typeof mailFiles.$inferSelect | undefined> {
  if (fileId === null) return undefined
  const [file] = await database.site(siteId).read((tx) =>
    tx
      .select()
      .from(mailFiles)
      .where(and(eq(mailFiles.siteId, siteId), eq(mailFiles.id, fileId))),
  )
  return file
}

function toTransportMail(row: OutboxRow, sender: Sender, file: typeof mailFiles.$inferSelect | undefined): TransportMail {
  const domain = sender.address.split('@').at(-1) ?? 'localhost'
  const reference = buildMailReference(row.siteId, row.id)
  const { text, html } = getUnmaskedBodies(row)
  return {
    reference,
    sender: sender.address,
    from: { name: sender.name, address: sender.address },
    to: { name: '', address: requireOneAddress(row.recipient) },
    ...(sender.replyTo ? { replyTo: sender.replyTo } : {}),
    subject: row.subject,
    text,
    html,
    messageId: `<${reference}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': row.language, ...buildUnsubscribeHeaders(row) },
    ...(file && { attachments: [{ filename: file.name, content: file.bytes, contentType: file.mediaType }] }),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The mail program would make another address of one with brackets, commas or spaces. @throws as a mail server refuses an address for good */
function requireOneAddress(recipient: string): string {
  if (/^[^\s<>,;:"()@]+@[^\s<>,;:"()@]+$/.test(recipient)) return recipient
  throw Object.assign(new Error('This is not one email address'), { command: 'RCPT TO', responseCode: 553 })
}

async function recordFailure(runtime: Runtime, row: OutboxRow, error: unknown): Promise<void> {
  runtime.log.warn('a mail could not be sent', { siteId: row.siteId, mail: row.id, attempt: row.attempts, code: getErrorCode(error) })
  const outcome = classifyTransportError(error)
  await runtime.database.site(row.siteId).tx(async (tx) => {
    const values = await settleFailure(tx, row, outcome, row.attempts >= MAX_ATTEMPTS, runtime.now())
    // If another process holds the lease by now, it decides the outcome.
    await tx
      .update(outboxMails)
      .set(values)
      .where(and(matchMailRow(row), row.lease ? eq(outboxMails.lease, row.lease) : undefined))
  })
}

function recordSent(runtime: Runtime, siteId: string, rows: readonly OutboxRow[]): Promise<void> {
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

/** Lets the reader's mail program unsubscribe directly (RFC 8058). */
const buildUnsubscribeHeaders = ({ leaveUrl }: OutboxRow): Record<string, string> =>
  leaveUrl ? { 'List-Unsubscribe': `<${leaveUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}

/** A mail server's message names the recipient, so only its code is logged. */
const getErrorCode = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

async function loadSender(runtime: Runtime, site: { id: string; name: string; contactEmail: string | null }): Promise<Sender> {
  const [primary] = await runtime.database.global
    .select({ host: siteDomains.host })
    .from(siteDomains)
    .where(and(eq(siteDomains.siteId, site.id), siteDomains.isPrimary))
  const { MAIL_FROM, PUBLIC_URL } = runtime.env
  const host = primary?.host ?? (PUBLIC_URL ? new URL(PUBLIC_URL).hostname : 'localhost')
  return { name: site.name, address: MAIL_FROM ?? `no-reply@${host}`, replyTo: site.contactEmail }
}
