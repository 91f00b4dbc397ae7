import { and, asc, count, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ProviderFaultCode } from '#app/lib/vocabulary/marketplace.ts'
import { refuseDuplicate } from '#app/server/save-checks.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { formerSmsHooks, installationCalls, installations } from '#app/server/db/schema/marketplace.ts'
import { createService } from './service-calls.server.ts'
import { UNTESTED } from './circuit-breaker.ts'
import { type Integration, ProviderFault } from './integrations/integration.server.ts'
import { INTEGRATIONS, findIntegration } from './integrations/registry.server.ts'
import type { installationShape } from './marketplace.api.schema.ts'
import type { Capability, Manifest } from './marketplace.schema.ts'
import { requirePublicDestinations } from './public-destinations.server.ts'
import { mergeSettings, openSettings } from './installation-settings.server.ts'

export type InstallationRow = typeof installations.$inferSelect

/** True for those who connect services to the site. Platform administrators see only the catalogue. */
export const canConfigure = (viewer: Viewer): boolean => {
  const decision = checkPermission(viewer, 'marketplace.configure')
  return decision.ok && decision.only === undefined
}

/** @throws {AppError} `unauthenticated`, `forbidden` */
export function requireConfigurePermission(ctx: Ctx): void {
  const { only } = requirePermission(ctx, 'marketplace.configure')
  if (only) throw new AppError('forbidden')
}

/** The site's catalogue, without integrations whose feature is off. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listIntegrations(ctx: Ctx): Promise<Manifest[]> {
  requirePermission(ctx, 'marketplace.configure')
  return listOfferedIntegrations(ctx)
}

export async function findIntegrationsById(ctx: Ctx, ids: readonly string[]): Promise<Manifest[]> {
  if (!checkPermission(ctx.viewer, 'marketplace.configure').ok) return []
  return (await listOfferedIntegrations(ctx)).filter(({ id }) => ids.includes(id))
}

async function listOfferedIntegrations(ctx: Ctx): Promise<Manifest[]> {
  const on = await readFeatures(ctx)
  return INTEGRATIONS.map(({ manifest }) => manifest).filter(({ feature }) => feature === null || on[feature].enabled)
}

const buildVisibleCondition = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(eq(installations.siteId, ctx.site.id), canConfigure(ctx.viewer) ? undefined : sql`false`, more)

/** Loads installations the viewer may see, except those whose feature is off. */
export async function loadInstallationsById(ctx: Ctx, ids: readonly string[]): Promise<InstallationRow[]> {
  return loadVisibleInstallations(ctx, inArray(installations.id, [...ids]))
}

/** @throws {AppError} `unauthenticated`, `forbidden` */
export async function listInstallations(
  ctx: Ctx,
  page: { offset: number; limit: number },
): Promise<{ rows: InstallationRow[]; total: number }> {
  requireConfigurePermission(ctx)
  const rows = await loadVisibleInstallations(ctx)
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

async function loadVisibleInstallations(ctx: Ctx, more?: SQL): Promise<InstallationRow[]> {
  const ids = (await listOfferedIntegrations(ctx)).map(({ id }) => id)
  if (ids.length === 0) return []
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(installations)
      .where(buildVisibleCondition(ctx, and(inArray(installations.integration, ids), more)))
      .orderBy(asc(installations.createdAt), asc(installations.id)),
  )
}

/** Installs an integration, disabled at first. @returns its id @throws {AppError} `forbidden`, `invalid` */
export async function createInstallation(ctx: Ctx, input: CreateInput<typeof installationShape>): Promise<string> {
  requirePermission(ctx, 'marketplace.connect')
  const [manifest] = await findIntegrationsById(ctx, [input.integration])
  if (!manifest || manifest.setUpAt) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/integration' }] })
  const id = createId()
  await requirePublicDestinations(ctx, manifest, input.settings ?? {})
  const kept = mergeSettings(ctx, manifest, id, findIntegration(manifest.id)?.createSettings?.() ?? {}, input.settings ?? {})
  await refuseDuplicate('/integration', () =>
    ctx.db.tx(async (tx) => {
      const now = ctx.now()
      await tx.insert(installations).values({ siteId: ctx.site.id, id, integration: manifest.id, ...kept, createdAt: now, updatedAt: now })
      await recordAudit(ctx, tx, {
        action: 'installations.create',
        subject: { type: 'installations', id },
        detail: { integration: manifest.id },
      })
    }),
  )
  return id
}

/** Changes settings, enables or disables. New settings count as untested. @throws {AppError} `forbidden`, `stale`, `invalid` */
export async function updateInstallation(
  ctx: Ctx,
  row: InstallationRow,
  input: UpdateInput<typeof installationShape>,
  lockVersion: number,
): Promise<void> {
  requireConfigurePermission(ctx)
  const integration = findIntegration(row.integration)
  if (!integration) throw new AppError('not-found')
  if (input.settings) requirePermission(ctx, 'marketplace.connect')
  if (input.settings) await requirePublicDestinations(ctx, integration.manifest, input.settings, openSettings(ctx, row))
  const switched = input.enabled !== undefined && input.enabled !== (row.enabledAt !== null) ? input.enabled : undefined
  await ctx.db.tx(async (tx) => {
    // Read again under a lock: a signing secret renewed since `row` was loaded must not be overwritten by the former one.
    const own = buildVisibleCondition(ctx, eq(installations.id, row.id))
    const [current] = (await tx.select().from(installations).where(own).for('update')) as (InstallationRow | undefined)[]
    if (!current || current.lockVersion !== lockVersion) throw new AppError('stale')
    const settings = input.settings && mergeSettings(ctx, integration.manifest, row.id, openSettings(ctx, current), input.settings)
    await tx
      .update(installations)
      .set({
        ...settings,
        ...(settings && { ...UNTESTED, lastFault: null, failingSince: null }),
        // Enabling it again restarts the period of failure.
        ...(switched && { failingSince: null }),
        ...(switched === undefined ? {} : { enabledAt: switched ? ctx.now() : null }),
        updatedAt: ctx.now(),
        lockVersion: sql`${installations.lockVersion} + 1`,
      })
      .where(own)
    await recordAudit(ctx, tx, {
      action: switched === undefined ? 'installations.update' : switched ? 'installations.enable' : 'installations.disable',
      subject: { type: 'installations', id: row.id },
      // Names only: a value may be secret.
      detail: { integration: row.integration, ...(input.settings ? { changed: Object.keys(input.settings) } : {}) },
    })
  })
}

/**
 * Uninstalls an integration with its credentials and log. A text service's address goes on hearing STOP.
 * @throws {AppError} `forbidden`
 */
export async function deleteInstallation(ctx: Ctx, row: InstallationRow): Promise<void> {
  requireConfigurePermission(ctx)
  await ctx.db.tx(async (tx) => {
    const gone = await tx
      .delete(installations)
      .where(buildVisibleCondition(ctx, eq(installations.id, row.id)))
      .returning({ id: installations.id })
    // People may answer the last text they got for as long as the service forwards it.
    if (gone.length > 0 && findIntegration(row.integration)?.sms?.receive)
      await tx
        .insert(formerSmsHooks)
        .values({ siteId: ctx.site.id, id: row.id, integration: row.integration, removedAt: ctx.now() })
        .onConflictDoNothing()
    await recordAudit(ctx, tx, {
      action: 'installations.delete',
      subject: { type: 'installations', id: row.id },
      detail: { integration: row.integration },
    })
  })
}

export interface TestOutcome {
  id: string
  at: Date
  fault: ProviderFaultCode | null
}

/** Tests an installation's settings against its service. @throws {AppError} `forbidden`, `not-found` */
export async function testInstallation(ctx: Ctx, installationId: string): Promise<TestOutcome> {
  requireConfigurePermission(ctx)
  const [row] = await loadInstallationsById(ctx, [installationId])
  const integration = row && findIntegration(row.integration)
  if (!row || !integration?.check) throw new AppError('not-found')
  const createOutcome = (fault: ProviderFaultCode | null): TestOutcome => ({ id: createId(), at: ctx.now(), fault })
  // Skip any pause: the administrator wants a result now.
  await ctx.db.tx((tx) =>
    tx
      .update(installations)
      .set({ pausedUntil: null, health: sql`case when ${installations.health} = 'down' then 'failing' else ${installations.health} end` })
      .where(buildVisibleCondition(ctx, eq(installations.id, row.id))),
  )
  try {
    await integration.check(createService(ctx, row), {
      email: ctx.viewer.kind === 'user' ? ctx.viewer.email : '',
      language: ctx.language,
      siteName: ctx.site.name,
    })
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    return createOutcome(error.code)
  }
  await ctx.db.tx((tx) =>
    tx
      .update(installations)
      .set({ health: 'working', failures: 0, pausedUntil: null, failingSince: null, lastUsedAt: ctx.now() })
      .where(buildVisibleCondition(ctx, eq(installations.id, row.id))),
  )
  return createOutcome(null)
}

export type CallRow = typeof installationCalls.$inferSelect

/** Requests to the services of the installations, newest first. @throws {AppError} `forbidden` */
export async function listCalls(
  ctx: Ctx,
  query: { installation?: string | undefined; offset: number; limit: number },
): Promise<{ rows: CallRow[]; total: number }> {
  requireConfigurePermission(ctx)
  const seen = query.installation ? await loadInstallationsById(ctx, [query.installation]) : await loadVisibleInstallations(ctx)
  if (seen.length === 0) return { rows: [], total: 0 }
  const where = and(
    eq(installationCalls.siteId, ctx.site.id),
    inArray(
      installationCalls.installationId,
      seen.map(({ id }) => id),
    ),
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(installationCalls).where(where)
    const rows = await tx
      .select()
      .from(installationCalls)
      .where(where)
      .orderBy(desc(installationCalls.at), desc(installationCalls.id))
      .limit(query.limit)
      .offset(query.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

export interface EnabledInstallation {
  row: InstallationRow
  integration: Integration
}

/** Every integration that the site uses now, whatever it is for, in the order of the catalogue. No permission check: it is no secret. */
export async function loadUsedIntegrations(ctx: Ctx): Promise<EnabledInstallation[]> {
  const on = await readFeatures(ctx)
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(installations)
      .where(and(eq(installations.siteId, ctx.site.id), isNotNull(installations.enabledAt))),
  )
  return INTEGRATIONS.flatMap((integration) => {
    const { id, feature } = integration.manifest
    const row = rows.find((one) => one.integration === id)
    return row && (feature === null || on[feature].enabled) ? [{ row, integration }] : []
  })
}

/** Installations usable now: enabled, with their feature on, oldest enabled first. No permission check. */
export const loadEnabledInstallations = async (ctx: Ctx, capability: Capability): Promise<EnabledInstallation[]> =>
  (await loadCapableInstallations(ctx, capability)).filter(({ isOn }) => isOn)

/**
 * Like `loadEnabledInstallations`, but includes disabled ones and those whose feature is off: their services may still report on earlier
 * messages.
 */
export async function loadCapableInstallations(ctx: Ctx, capability: Capability): Promise<(EnabledInstallation & { isOn: boolean })[]> {
  const on = await readFeatures(ctx)
  const able = INTEGRATIONS.filter(({ manifest }) => manifest.capabilities.includes(capability))
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(installations)
      .where(
        and(
          eq(installations.siteId, ctx.site.id),
          inArray(
            installations.integration,
            able.map(({ manifest }) => manifest.id),
          ),
        ),
      )
      .orderBy(asc(installations.enabledAt), asc(installations.id)),
  )
  return rows.flatMap((row) => {
    const integration = able.find(({ manifest }) => manifest.id === row.integration)
    if (!integration) return []
    const { feature } = integration.manifest
    return [{ row, integration, isOn: row.enabledAt !== null && (feature === null || on[feature].enabled) }]
  })
}

/** The integration of a text service that was uninstalled, by the id in its callback address. */
export async function findFormerTextService(ctx: Ctx, installationId: string): Promise<Integration | undefined> {
  const [former] = await ctx.db.read((tx) =>
    tx
      .select({ integration: formerSmsHooks.integration })
      .from(formerSmsHooks)
      .where(and(eq(formerSmsHooks.siteId, ctx.site.id), eq(formerSmsHooks.id, installationId))),
  )
  return former && findIntegration(former.integration)
}

/** True if the site can send text messages: the feature is on and a service is enabled. */
export const canSendSms = async (ctx: Ctx): Promise<boolean> => (await loadEnabledInstallations(ctx, 'send-sms')).length > 0
