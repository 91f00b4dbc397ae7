import { and, eq, sql } from 'drizzle-orm'
import { toInterfaceLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { ConnectorRow } from './connectors.server.ts'
import { deleteCopies } from './dataset-copies.server.ts'
import type { DatasetRow, SynchronisationRun } from './datasets.server.ts'
import type { PortalFaultCode } from './opencities.schema.ts'

const FIRST_RETRY_MS = 60_000
/** After this many failures in a row the site's administrators get one email. */
const NOTIFY_AFTER_FAILURES = 3
/** After this many failures in a row, across all of its datasets, a portal is paused. */
const PAUSE_AFTER_FAILURES = 6
const PAUSE_MS = 6 * 3_600_000

interface Failure {
  code: PortalFaultCode
  /** Keeps what was copied so far, so that the next attempt resumes there. */
  keepRun: boolean
  /** Seconds the portal asks us to wait. */
  retryAfter: number | undefined
}

/** Records a failed copy: the last good one stays visible, and retries back off. */
export async function recordFailure(
  ctx: Ctx,
  connector: ConnectorRow,
  dataset: DatasetRow,
  run: SynchronisationRun,
  failure: Failure,
): Promise<void> {
  const now = ctx.now()
  const wait = Math.max(Math.min(FIRST_RETRY_MS * 2 ** dataset.failures, connector.everyMinutes * 60_000), (failure.retryAfter ?? 0) * 1000)
  const failures = dataset.failures + 1
  const noted = await ctx.db.tx(async (tx) => {
    const kept = await tx
      .update(cityDatasets)
      .set({
        failures,
        lastFault: { code: failure.code, at: now.toISOString() },
        dueAt: new Date(now.getTime() + wait),
        leaseUntil: null,
        // Otherwise a process that lost the run would carry on with it.
        run: failure.keepRun ? sql`${cityDatasets.run} || '{"token":""}'` : null,
      })
      .where(
        and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, dataset.id), eq(sql`${cityDatasets.run} ->> 'token'`, run.token)),
      )
      .returning({ id: cityDatasets.id })
    if (!kept.length) return false
    const pausedUntil = new Date(now.getTime() + PAUSE_MS).toISOString()
    await tx
      .update(cityConnectors)
      .set({
        failures: sql`${cityConnectors.failures} + 1`,
        pausedUntil: sql`case when ${cityConnectors.failures} + 1 >= ${PAUSE_AFTER_FAILURES} then ${pausedUntil}::timestamptz else ${cityConnectors.pausedUntil} end`,
      })
      .where(and(eq(cityConnectors.siteId, ctx.site.id), eq(cityConnectors.id, connector.id)))
    if (failures === NOTIFY_AFTER_FAILURES) await notifyAdministrators(ctx, tx, dataset, failure.code)
    return true
  })
  if (noted && !failure.keepRun) await deleteCopies(ctx, dataset.id, { except: dataset.version })
}

async function notifyAdministrators(ctx: Ctx, tx: Tx, dataset: DatasetRow, code: PortalFaultCode): Promise<void> {
  const readers = await tx
    .select({ id: users.id, login: users.login, email: users.email, locale: users.locale })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.siteId, users.siteId), eq(memberships.userId, users.id)))
    .where(and(eq(users.siteId, ctx.site.id), eq(memberships.role, 'site_admin')))
  const site = ctx.site.name
  for (const reader of readers) {
    const language = toInterfaceLanguage(reader.locale, ctx.site.locale)
    const t = getTranslator(language, 'mail')
    const name = getTranslation(dataset.title, reader.locale, ctx.site.locale)
    await queueMail(ctx, tx, {
      kind: 'city-data-failed',
      to: reader.email,
      userId: reader.id,
      language,
      content: {
        subject: t('city-data-failed.subject', { name }),
        paragraphs: [
          t('greeting', { name: reader.login }),
          t('city-data-failed.text', { name, reason: getTranslator(language, 'errors')(`codes.${code}`) }),
          dataset.version > 0 ? t('city-data-failed.old') : t('city-data-failed.none'),
        ],
        action: { label: t('city-data-failed.action'), href: buildSiteUrl(ctx, `/admin/city-data/datasets/${dataset.id}`) },
        footer: t('footer', { site, address: new URL(buildSiteUrl(ctx, '/')).host }),
      },
    })
  }
}
