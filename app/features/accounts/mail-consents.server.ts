import { and, asc, eq, gt } from 'drizzle-orm'
import { recordAudit, recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { createCsvResponse } from '#app/server/csv-file.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { mailConsents } from '#app/server/db/schema/mail.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { lockUser } from './account-realm.server.ts'

type MailConsent = {
  siteId: string
  user: { id: string; email: string }
  given: boolean
  language: Language
} & (
  | {
      /** Where consent was given or withdrawn: on an account page, or through an email's unsubscribe link. */
      source: 'account' | 'mail'
    }
  | {
      /** An administrator imported it. */
      source: 'import'
      /** How and when it was given. */
      words: string
    }
)

/**
 * Records consent to news by email, or its withdrawal, in the ledger with the exact wording shown. Call it in the transaction that makes
 * the change.
 */
export async function recordMailConsent(ctx: Ctx, tx: Tx, consent: MailConsent): Promise<void> {
  const { siteId, user, given, language, source } = consent
  await tx.insert(mailConsents).values({
    siteId,
    id: createId(),
    email: user.email,
    userId: user.id,
    given,
    words: getConsentWords(consent),
    language,
    source,
    // It would be the administrator's.
    address: source === 'import' ? null : ctx.address,
    at: ctx.now(),
  })
}

function getConsentWords(consent: MailConsent): string {
  if (consent.source === 'import') return consent.words
  if (consent.source === 'mail') return getTranslator(consent.language, 'mail')('newsletter.leave')
  return getTranslator(consent.language, 'account')('fields.marketing')
}

/** True if the person has consented to news by email; undefined if the account no longer exists. */
export async function hasNewsConsent(ctx: Ctx, userId: string): Promise<boolean | undefined> {
  const [user] = await ctx.db.read((tx) =>
    tx
      .select({ at: users.marketingConsentAt })
      .from(users)
      .where(and(eq(users.siteId, ctx.site.id), eq(users.id, userId))),
  )
  return user && user.at !== null
}

/** Withdraws consent to news by email through a link in an email. Idempotent. */
export async function withdrawNewsConsent(ctx: Ctx, userId: string): Promise<void> {
  if (!(await hasNewsConsent(ctx, userId))) return
  await ctx.db.tx(async (tx) => {
    const user = await lockUser(tx, ctx.site.id, userId)
    if (!user.marketingConsentAt) return
    await tx
      .update(users)
      .set({ marketingConsentAt: null })
      .where(and(eq(users.siteId, ctx.site.id), eq(users.id, userId)))
    await recordMailConsent(ctx, tx, { siteId: ctx.site.id, user, given: false, language: ctx.language, source: 'mail' })
    await recordAudit(ctx, tx, {
      action: 'consents.withdraw',
      actor: { id: userId, role: 'participant' },
      subject: { type: 'users', id: userId },
      detail: { to: 'marketing', by: 'mail' },
    })
  })
}

const CSV_COLUMNS = ['at', 'email', 'person', 'consent', 'words', 'language', 'source', 'address']
const ROWS_PER_BATCH = 1000

/** Exports the whole ledger as CSV, for site editors. The export is audited. */
export function exportMailConsents({ context: { ctx } }: { context: RequestContext }): Promise<Response> {
  return createCsvResponse(ctx, async () => {
    requirePermission(ctx, 'consents.export')
    await ctx.db.tx((tx) => recordPersonalDownload(ctx, tx, { action: 'mail-consents.export' }))
    return { filename: `mail-consents-${ctx.now().toISOString().slice(0, 10)}.csv`, heads: CSV_COLUMNS, rows: streamConsentRows(ctx) }
  })
}

async function* streamConsentRows(ctx: Ctx) {
  for (let after = ''; ;) {
    const from = after
    const rows = await ctx.db.read((tx) =>
      tx
        .select()
        .from(mailConsents)
        .where(and(eq(mailConsents.siteId, ctx.site.id), from ? gt(mailConsents.id, from) : undefined))
        .orderBy(asc(mailConsents.id))
        .limit(ROWS_PER_BATCH),
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    yield rows.map(({ at, email, userId, given, words, language, source, address }) => [
      at.toISOString(),
      email,
      userId,
      given ? 'yes' : 'no',
      words,
      language,
      source,
      address,
    ])
  }
}
