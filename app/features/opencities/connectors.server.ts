import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { sealSecret, getSealingKeys } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import type { cityConnectorShape } from './connectors.api.schema.ts'
import type { DatasetFacts, DataUse, FoundDatasets } from './opencities.schema.ts'
import { detectPortal, reportPortalFaults, openPortal, buildTokenSealPlace } from './portals/open-portal.server.ts'
import { canCarrySecret } from './portals/portal-reader.server.ts'
import { loadDataUses } from './data-uses.server.ts'

export type ConnectorRow = typeof cityConnectors.$inferSelect

const DAILY_MINUTES = 24 * 60
export const SEARCH_PAGE_SIZE = 20

/** Only those who run the site see connectors; for everybody else there are none. */
const isAdministrable = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(eq(cityConnectors.siteId, ctx.site.id), checkPermission(ctx.viewer, 'site.edit').ok ? undefined : sql`false`, more)

export interface AdministeredConnector extends ConnectorRow {
  /** Its datasets and what uses them; only set when it was loaded by id. */
  uses?: DataUse[]
}

export const loadConnectorsById = (ctx: Ctx, ids: readonly string[]): Promise<AdministeredConnector[]> =>
  ctx.db.read(async (tx) => {
    const rows = await tx
      .select()
      .from(cityConnectors)
      .where(isAdministrable(ctx, inArray(cityConnectors.id, [...ids])))
    if (rows.length !== 1) return rows
    return Promise.all(rows.map(async (row) => ({ ...row, uses: await loadConnectorUses(ctx, tx, row.id) })))
  })

async function loadConnectorUses(ctx: Ctx, tx: Tx, connectorId: string): Promise<DataUse[]> {
  const datasets = await tx
    .select({ id: cityDatasets.id, title: cityDatasets.title })
    .from(cityDatasets)
    .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.connectorId, connectorId)))
    .orderBy(asc(cityDatasets.createdAt), asc(cityDatasets.id))
  const own = datasets.map(({ id, title }) => ({
    kind: 'dataset' as const,
    id,
    title: localiseText(title, ctx.contentLanguage, ctx.site.locale).text,
  }))
  return [
    ...own,
    ...(await loadDataUses(
      ctx,
      tx,
      own.map(({ id }) => id),
    )),
  ]
}

/** @throws {AppError} `forbidden` */
export async function listConnectors(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: ConnectorRow[]; total: number }> {
  requirePermission(ctx, 'site.edit')
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(cityConnectors).where(isAdministrable(ctx))
    const rows = await tx
      .select()
      .from(cityConnectors)
      .where(isAdministrable(ctx))
      .orderBy(asc(collateFor(ctx.language, cityConnectors.name)), asc(cityConnectors.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

/** @throws {AppError} `not-found`, also for viewers who do not run the site */
export async function requireConnector(ctx: Ctx, id: string): Promise<ConnectorRow> {
  const [row] = await loadConnectorsById(ctx, [id])
  if (!row) throw new AppError('not-found')
  return row
}

/**
 * Detects what kind of portal answers at the address and stores it as a connector.
 * @returns the connector's id
 * @throws {AppError} `forbidden`, or `invalid` at `/portalUrl` with the reason it could not be read, or `not-encrypted` for a token over `http:`
 */
export async function createConnector(ctx: Ctx, input: CreateInput<typeof cityConnectorShape>): Promise<string> {
  requirePermission(ctx, 'site.edit')
  const language = input.language ?? ctx.site.locale
  if (input.token) requirePermission(ctx, 'city-connectors.set-token')
  if (input.token) requireEncrypted(ctx, input.portalUrl, '/portalUrl')
  const found = await reportPortalFaults('/portalUrl', () => detectPortal(ctx, input.portalUrl, input.token ?? undefined, language))
  if (input.token) requireEncrypted(ctx, found.url, '/portalUrl')
  const id = createId()
  await ctx.db.tx(async (tx) => {
    await tx.insert(cityConnectors).values({
      siteId: ctx.site.id,
      id,
      name: input.name ?? found.name.slice(0, 200),
      portalUrl: found.url,
      kind: found.kind,
      language,
      sealedToken: input.token ? sealSecret(getSealingKeys(ctx.runtime), buildTokenSealPlace(id), input.token) : null,
      everyMinutes: input.everyMinutes ?? DAILY_MINUTES,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    })
    await recordAudit(ctx, tx, { action: 'city-connectors.create', subject: { type: 'city-connectors', id }, detail: { kind: found.kind } })
  })
  return id
}

/** A token is only sent where nobody on the way can read it. @throws {AppError} `invalid` with `not-encrypted` */
function requireEncrypted({ runtime }: Ctx, url: string, pointer: string): void {
  if (!canCarrySecret(url, { loopback: runtime.env.OUTGOING_LOOPBACK }))
    throw new AppError('invalid', { faults: [{ code: 'not-encrypted', pointer }] })
}

/** @throws {AppError} `forbidden`, `stale`, or `invalid` with `not-encrypted` at `/token` for a portal at `http:` */
export async function updateConnector(
  ctx: Ctx,
  row: ConnectorRow,
  input: UpdateInput<typeof cityConnectorShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'site.edit')
  if (input.token !== undefined) requirePermission(ctx, 'city-connectors.set-token')
  if (input.token) requireEncrypted(ctx, row.portalUrl, '/token')
  await ctx.db.tx(async (tx) => {
    const changed = await tx
      .update(cityConnectors)
      .set({
        ...(input.name && { name: input.name }),
        ...(input.language && { language: input.language }),
        ...(input.everyMinutes && { everyMinutes: input.everyMinutes }),
        ...(input.token !== undefined && {
          sealedToken: input.token ? sealSecret(getSealingKeys(ctx.runtime), buildTokenSealPlace(row.id), input.token) : null,
        }),
        // An administrator who fixes a connector wants it retried at once.
        failures: 0,
        pausedUntil: null,
        updatedAt: ctx.now(),
        lockVersion: sql`${cityConnectors.lockVersion} + 1`,
      })
      .where(and(eq(cityConnectors.siteId, ctx.site.id), eq(cityConnectors.id, row.id), eq(cityConnectors.lockVersion, lockVersion)))
      .returning({ id: cityConnectors.id })
    if (!changed.length) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'city-connectors.update',
      subject: { type: 'city-connectors', id: row.id },
      detail: { changed: Object.keys(input) },
    })
  })
}

/** Deletes a connector and everything copied from it. @throws {AppError} `forbidden` */
export async function deleteConnector(ctx: Ctx, row: ConnectorRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await tx.delete(cityConnectors).where(and(eq(cityConnectors.siteId, ctx.site.id), eq(cityConnectors.id, row.id)))
    await recordAudit(ctx, tx, {
      action: 'city-connectors.delete',
      subject: { type: 'city-connectors', id: row.id },
      detail: { name: row.name },
    })
  })
}

/** Searches the portal's own catalogue. @throws {AppError} `not-found`, or `invalid` with what the portal did wrong */
export async function searchPortal(ctx: Ctx, input: { connector: string; words: string; page: number }): Promise<FoundDatasets> {
  const row = await requireConnector(ctx, input.connector)
  return reportPortalFaults('/connector', () => {
    const { portal, reader, url } = openPortal(ctx, row)
    return portal.search(reader, url, { words: input.words, page: input.page, size: SEARCH_PAGE_SIZE })
  })
}

/** What the portal says about one of its datasets. @throws {AppError} like `searchPortal` */
export async function describeSource(ctx: Ctx, input: { connector: string; source: string }): Promise<DatasetFacts> {
  const row = await requireConnector(ctx, input.connector)
  return reportPortalFaults('/sourceId', () => {
    const { portal, reader, url } = openPortal(ctx, row)
    return portal.describe(reader, url, input.source)
  })
}
