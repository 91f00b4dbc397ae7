import { and, asc, desc, eq, gt } from 'drizzle-orm'
import { recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { createCsvResponse } from '#app/server/csv-file.ts'
import type { Tx } from '#app/server/db/client.ts'
import { smsConsents } from '#app/server/db/schema/messages.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { requireSmsEnabled } from './messages.server.ts'

interface Consent {
  phone: string
  userId: string | null
  given: boolean
  /** The wording people agreed to, or the text that withdrew consent. */
  words: string
  language: Language
  source: 'account' | 'text'
}

/** Appends a yes or no to the consent ledger, unless the latest entry says the same. @returns true if it was added */
export async function recordConsent(ctx: Ctx, tx: Tx, consent: Consent): Promise<boolean> {
  if ((await findConsent(ctx, tx, consent.phone)) === consent.given) return false
  await tx.insert(smsConsents).values({ siteId: ctx.site.id, id: createId(), address: ctx.address, at: ctx.now(), ...consent })
  return true
}

/** The latest ledger entry for a number; undefined if there is none. */
export const findConsent = async (ctx: Ctx, tx: Tx, phone: string): Promise<boolean | undefined> =>
  (await findLatestConsent(ctx, tx, phone))?.given

async function findLatestConsent(ctx: Ctx, tx: Tx, phone: string) {
  const [latest] = await tx
    .select()
    .from(smsConsents)
    .where(and(eq(smsConsents.siteId, ctx.site.id), eq(smsConsents.phone, phone)))
    .orderBy(desc(smsConsents.at), desc(smsConsents.id))
    .limit(1)
  return latest
}

/** Numbers change hands: a former owner's consent does not bind the next one. @param words text for the ledger */
export async function endFormerConsent(ctx: Ctx, tx: Tx, { phone, userId, words }: { phone: string; userId: string; words: string }) {
  const latest = await findLatestConsent(ctx, tx, phone)
  // Somebody who texted START before they had an account held the number then too.
  const byHolder = latest?.userId === userId || (latest?.source === 'text' && latest.userId === null)
  if (latest?.given && !byHolder)
    await recordConsent(ctx, tx, { phone, userId: null, given: false, words, language: ctx.language, source: 'account' })
}

const CSV_HEADERS = ['at', 'phone', 'person', 'consent', 'words', 'language', 'source', 'address']
const ROWS_PER_BATCH = 1000

/** The whole ledger as a CSV file, for those who run the site. Each download is audited. */
export function serveConsents({ context: { ctx } }: { context: RequestContext }): Promise<Response> {
  return createCsvResponse(ctx, async () => {
    requirePermission(ctx, 'consents.export')
    await requireSmsEnabled(ctx)
    await ctx.db.tx((tx) => recordPersonalDownload(ctx, tx, { action: 'sms-consents.export' }))
    return { filename: `sms-consents-${ctx.now().toISOString().slice(0, 10)}.csv`, heads: CSV_HEADERS, rows: readLedgerRows(ctx) }
  })
}

async function* readLedgerRows(ctx: Ctx) {
  for (let after = ''; ;) {
    const from = after
    const rows = await ctx.db.read((tx) =>
      tx
        .select()
        .from(smsConsents)
        .where(and(eq(smsConsents.siteId, ctx.site.id), from ? gt(smsConsents.id, from) : undefined))
        .orderBy(asc(smsConsents.id))
        .limit(ROWS_PER_BATCH),
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    yield rows.map((row) => [
      row.at.toISOString(),
      row.phone,
      row.userId,
      row.given ? 'yes' : 'no',
      row.words,
      row.language,
      row.source,
      row.address,
    ])
  }
}
