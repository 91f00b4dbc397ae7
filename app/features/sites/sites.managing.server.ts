import { and, eq } from 'drizzle-orm'
import { addMembership } from '#app/features/accounts/memberships.server.ts'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { chooseDuties } from '#app/features/duties/duties.schema.ts'
import { chooseHolidays } from '#app/lib/public-holidays.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, createCtx, withTx, withLanguage } from '#app/server/context.ts'
import { violatedConstraint } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { siteDeletions, siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { createSiteKey } from '#app/server/site-key.ts'
import type { siteShape } from './sites.api.schema.ts'

type SiteRow = typeof sites.$inferSelect
type NewSite = Omit<CreateInput<typeof siteShape>, 'id'>

/**
 * Creates a site with its address and invites its first administrator.
 * @returns the new site's id
 * @throws {AppError} `forbidden`, or `invalid` with `taken` if another site has the address, `platform-address`
 */
export async function createSite(ctx: Ctx, input: NewSite): Promise<string> {
  requirePermission(ctx, 'sites.manage')
  await requireNoPlatformAccount(ctx, input.adminEmail)
  const id = await insertSite(ctx, input)
  await recordPlatformAudit(ctx, 'sites.create', id, describeNewSite(input))
  ctx.runtime.sites.refresh()
  return id
}

/** Inserts the site and invites its administrator, in a transaction of its own. @returns its id */
export async function insertSite(ctx: Ctx, input: NewSite): Promise<string> {
  const { host, adminEmail, name, region, locale, timeZone } = input
  const id = createId()
  const languages = LANGUAGES.filter((language) => language === locale || input.languages.includes(language))
  const site = {
    id,
    slug: host.replaceAll('.', '-'),
    name,
    region,
    locale,
    languages,
    timeZone,
    holidays: chooseHolidays(region),
    duties: chooseDuties(region, languages),
    sealedKey: createSiteKey(ctx.runtime, id),
  }
  try {
    await ctx.runtime.database.site(id).tx(async (tx) => {
      const [row] = await tx.insert(sites).values(site).returning()
      if (!row) throw new AppError('conflict')
      await tx.insert(siteDomains).values({ host, siteId: id, isPrimary: true })
      const there = withLanguage(createCtx(ctx.runtime, { ...row, host, primaryHost: host }, { ...ctx }), locale)
      await addMembership(withTx(there, tx), { role: 'site_admin', email: adminEmail })
    })
  } catch (error) {
    if (violatedConstraint(error)?.startsWith('site')) throw new AppError('invalid', { faults: [{ code: 'taken', pointer: '/host' }] })
    throw error
  }
  return id
}

/** What the audit trail says of a new site. */
export const describeNewSite = ({ name, locale, host, region }: NewSite) => ({ title: { [locale]: name }, host, region })

/**
 * Someone who runs the platform signs in with that account on every site, so an invitation to their address could not be used.
 * @throws {AppError} `invalid` with `platform-address`
 */
export async function requireNoPlatformAccount(ctx: Ctx, email: string, pointer = '/adminEmail'): Promise<void> {
  const [platformSite] = await ctx.runtime.database.site(PLATFORM_SITE_ID).read((tx) =>
    tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.siteId, PLATFORM_SITE_ID), eq(users.email, email))),
  )
  if (platformSite) throw new AppError('invalid', { faults: [{ code: 'platform-address', pointer }] })
}

/** Takes a site offline: its addresses answer as if it did not exist, but no data is lost. @throws {AppError} `forbidden`, `conflict` */
export async function suspendSite(ctx: Ctx, siteId: string, reason: string): Promise<void> {
  await changeStatus(ctx, siteId, 'active', 'suspended')
  await recordPlatformAudit(ctx, 'sites.suspend', siteId, { reason })
}

/** Brings a suspended site back online. @throws {AppError} `forbidden`; `conflict`, also if its deletion is scheduled */
export async function resumeSite(ctx: Ctx, siteId: string): Promise<void> {
  const { global } = ctx.runtime.database
  const [leaving] = await global.select({ id: siteDeletions.id }).from(siteDeletions).where(eq(siteDeletions.id, siteId))
  if (leaving) throw new AppError('conflict')
  await changeStatus(ctx, siteId, 'suspended', 'active')
  await recordPlatformAudit(ctx, 'sites.resume', siteId, {})
}

async function changeStatus(ctx: Ctx, siteId: string, from: string, to: string): Promise<void> {
  requirePermission(ctx, 'sites.manage')
  const { global } = ctx.runtime.database
  const [row]: SiteRow[] = await global.select().from(sites).where(eq(sites.id, siteId))
  if (row?.status !== from) throw new AppError('conflict')
  await global.update(sites).set({ status: to }).where(eq(sites.id, siteId))
  ctx.runtime.sites.refresh()
}

/** Records what happened to a site in the platform's own audit trail. */
export const recordPlatformAudit = (ctx: Ctx, action: AuditAction, siteId: string, detail: Record<string, unknown>) =>
  ctx.runtime.database
    .site(PLATFORM_SITE_ID)
    .tx((tx) => recordAudit(ctx, tx, { action, siteId: PLATFORM_SITE_ID, subject: { type: 'sites', id: siteId }, detail }))
