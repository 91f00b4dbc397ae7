import { and, asc, count, desc, eq, isNotNull, isNull, min, type SQL, sql, sum } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { loadSiteTotals } from '#app/features/dashboard/dashboard.server.ts'
import { getIntegrationName } from '#app/features/marketplace/integrations/registry.server.ts'
import { canSendMail } from '#app/features/marketplace/site-mail-transport.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay, listDaysUntil } from '#app/features/reach/reach.days.server.ts'
import { loadPlaceFigures } from '#app/features/reach/reach.figures.server.ts'
import { isSiteMatching } from '#app/features/sites/sites.list.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'
import { siteFigures, sites } from '#app/server/db/schema/sites.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { loadSitesWithWork } from '#app/server/jobs/sites-with-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { siteFiguresShape } from './platform.api.schema.ts'
import { FIGURE_DAYS } from './platform.schema.ts'

type FiguresRow = typeof siteFigures.$inferSelect & { id: string; name: string }

/**
 * Updates the platform's figures of each site where something changed; every five minutes where people visit, every hour where emails wait, and
 * every six hours elsewhere. Run by a job. @returns number of sites
 */
export async function refreshSiteFigures(runtime: Runtime): Promise<number> {
  const due = await loadSitesWithWork(runtime, 'count-platform-figures')
  if (due.length === 0) return 0
  const sites = runtime.sites.narrowTo(() => Promise.resolve(due))
  return runOnEachSite({ ...runtime, sites }, async (ctx) => {
    const figures = await computeSiteFigures(ctx)
    await runtime.database.global
      .insert(siteFigures)
      .values({ siteId: ctx.site.id, ...figures })
      .onConflictDoUpdate({
        target: siteFigures.siteId,
        set: figures,
      })
    return 1
  })
}

const WAITING_MAILS = { mails: count(), since: min(outboxMails.createdAt) }
const isWaitingMail = (siteId: string) => and(eq(outboxMails.siteId, siteId), isNull(outboxMails.sentAt), isNull(outboxMails.fault))

/** The same figures as in the site's own dashboard and reports. */
async function computeSiteFigures(ctx: Ctx): Promise<Omit<typeof siteFigures.$inferInsert, 'siteId'>> {
  const { site } = ctx
  const now = ctx.now()
  const sendsMail = await canSendMail(ctx)
  const [from = ''] = listDaysUntil(toCalendarDay(site.timeZone, now), FIGURE_DAYS)
  return ctx.db.read(async (tx) => {
    const { openProjects, participants, responses } = await loadSiteTotals(ctx, tx)
    const { aware, informed, engaged } = (await loadPlaceFigures(ctx, tx, { kind: 'site', from, places: [site.id] })).totals
    const services = await tx
      .select({ name: installations.integration, health: installations.health, since: installations.failingSince })
      .from(installations)
      .where(and(eq(installations.siteId, site.id), isNotNull(installations.enabledAt)))
    const portals = await tx
      .select({ portalUrl: cityConnectors.portalUrl, failures: cityConnectors.failures })
      .from(cityConnectors)
      .where(eq(cityConnectors.siteId, site.id))
    const [waiting] = sendsMail ? [] : await tx.select(WAITING_MAILS).from(outboxMails).where(isWaitingMail(site.id))
    return {
      countedAt: now,
      openProjects,
      participants,
      responses,
      aware,
      informed,
      engaged,
      connections: services.length + portals.length,
      failing: [
        ...services
          .filter(({ health }) => health === 'failing' || health === 'down')
          .map(({ name, since }) => ({ kind: 'integration' as const, name, since: since?.toISOString() ?? null })),
        ...portals
          .filter(({ failures }) => failures > 0)
          .map(({ portalUrl }) => ({ kind: 'city-connector' as const, name: new URL(portalUrl).host, since: null })),
      ],
      mailsWaiting: waiting?.mails ?? 0,
      mailsWaitingSince: waiting?.since ?? null,
    }
  })
}

/** Figures of the live sites; `meta.totals` sums over all pages. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listSiteFigures(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof siteFiguresShape>,
): Promise<ListResult<FiguresRow>> {
  requirePermission(ctx, 'sites.manage')
  const { global } = ctx.runtime.database
  const fails = sql`(jsonb_array_length(${siteFigures.failing}) > 0 or ${siteFigures.mailsWaiting} > 0)`
  const where = and(
    eq(sites.status, 'active'),
    filter.q === undefined ? undefined : isSiteMatching(filter.q),
    filter.failing === undefined ? undefined : filter.failing ? fails : sql`not ${fails}`,
  )
  const columns: Record<(typeof sort)[number]['by'], SQL> = {
    name: collateFor(ctx.language, sites.name),
    openProjects: sql`${siteFigures.openProjects}`,
    responses: sql`${siteFigures.responses}`,
    participants: sql`${siteFigures.participants}`,
    aware: sql`${siteFigures.aware}`,
    engaged: sql`${siteFigures.engaged}`,
  }
  const sumColumn = (column: AnyPgColumn) => sql<number>`coalesce(${sum(column)}, 0)`.mapWith(Number)
  const [totals] = await global
    .select({
      sites: count(),
      failing: sql<number>`count(*) filter (where ${fails})`.mapWith(Number),
      openProjects: sumColumn(siteFigures.openProjects),
      participants: sumColumn(siteFigures.participants),
      responses: sumColumn(siteFigures.responses),
      aware: sumColumn(siteFigures.aware),
      informed: sumColumn(siteFigures.informed),
      engaged: sumColumn(siteFigures.engaged),
      countedAt: min(siteFigures.countedAt),
      counted: count(siteFigures.siteId),
    })
    .from(sites)
    .leftJoin(siteFigures, eq(sites.id, siteFigures.siteId))
    .where(where)
  const rows = await global
    .select({ figures: siteFigures, name: sites.name })
    .from(siteFigures)
    .innerJoin(sites, eq(sites.id, siteFigures.siteId))
    .where(where)
    .orderBy(...sort.map(({ by, descending }) => (descending ? desc : asc)(columns[by])), asc(sites.id))
    .limit(page.limit)
    .offset(page.offset)
  return {
    rows: rows.map(({ figures, name }) => ({ ...figures, id: figures.siteId, name })),
    total: totals?.counted ?? 0,
    meta: { totals },
  }
}

/** What fails on a site, in the reader's language; emails without a service to send them come last. */
export function listFailures({ language, site }: Ctx, { failing, mailsWaiting, mailsWaitingSince }: FiguresRow) {
  const connections = failing.map((one) => ({
    ...one,
    name: one.kind === 'integration' ? getIntegrationName(one.name, language) : one.name,
  }))
  if (mailsWaiting === 0) return connections
  const number = getFormatter({ language, timeZone: site.timeZone }).number(mailsWaiting)
  const name = getTranslator(language, 'platform')('health.mails-waiting', { count: mailsWaiting, number })
  return [...connections, { kind: 'mails' as const, name, since: mailsWaitingSince?.toISOString() ?? null }]
}
