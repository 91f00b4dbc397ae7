import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { SiteDb } from '#app/server/db/client.ts'
import { apiTokens, peopleGroups, users } from '#app/server/db/schema/accounts.ts'
import { savedViews } from '#app/server/db/schema/administration.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { activities, contributions, contributionStatuses, mapLayers, projectStages } from '#app/server/db/schema/contributions.ts'
import { savedSections } from '#app/server/db/schema/homepage.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { mediaAssets } from '#app/server/db/schema/media.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { moderationRules } from '#app/server/db/schema/moderation.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { reportViews } from '#app/server/db/schema/reports.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { AuditRow } from './audit.chain.server.ts'

type NamedTable = PgTable & { siteId: AnyPgColumn; id: AnyPgColumn }

/** Each table with the column that names its rows. */
const NAMED_TABLES: readonly (readonly [NamedTable, AnyPgColumn])[] = [
  [projects, projects.title],
  [hubs, hubs.title],
  [topics, topics.title],
  [pages, pages.title],
  [surveys, surveys.title],
  [projectUpdates, projectUpdates.title],
  [projectStages, projectStages.title],
  [activities, activities.title],
  [contributions, contributions.title],
  [contributionStatuses, contributionStatuses.title],
  [mapLayers, mapLayers.name],
  [areas, areas.name],
  [mediaAssets, mediaAssets.name],
  [savedSections, savedSections.name],
  [savedViews, savedViews.name],
  [reportViews, reportViews.name],
  [peopleGroups, peopleGroups.name],
  [apiTokens, apiTokens.name],
  [identityProviders, identityProviders.name],
  [moderationRules, moderationRules.label],
  [campaigns, campaigns.name],
  [cityConnectors, cityConnectors.name],
  [cityDatasets, cityDatasets.title],
]

/** Current names, by id, of the people and things that these events are about or mention. For deleted ones, the event itself holds the name. */
export async function loadNames(ctx: Ctx, db: SiteDb, rows: readonly AuditRow[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const ids = [...new Set(rows.flatMap((row) => [row.actorId, row.subjectId, ...listIds(row.detail)]).filter((id) => id !== null))]
  if (ids.length === 0) return names
  const toText = (name: unknown) => (typeof name === 'string' ? name : getTranslation(name ?? {}, ctx.contentLanguage, ctx.site.locale))
  for (const row of rows) {
    const { title, name } = row.detail as { title?: Translated; name?: unknown }
    if (row.subjectId && typeof name === 'string') names.set(row.subjectId, name)
    if (row.subjectId && title && typeof title === 'object') names.set(row.subjectId, toText(title))
  }
  for (const { id, name } of await db.read((tx) => tx.execute<{ id: string; name: unknown }>(selectNames(db.siteId, ids)).then(getRows))) {
    names.set(id, toText(name))
  }
  for (const siteId of new Set([PLATFORM_SITE_ID, db.siteId])) {
    const people = await ctx.runtime.database
      .site(siteId)
      .read((tx) => tx.select({ id: users.id, login: users.login }).from(lookUpRows(users, siteId, ids)))
    for (const { id, login } of people) names.set(id, login)
  }
  return names
}

/** Every id in an event's facts, at any depth. */
export function listIds(value: unknown): string[] {
  if (typeof value === 'string') return isId(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listIds) : []
}

const getRows = <Row>({ rows }: { rows: Row[] }): Row[] => rows

const selectNames = (siteId: string, ids: readonly string[]): SQL =>
  sql.join(
    NAMED_TABLES.map(
      ([table, name]) =>
        sql`select ${table.id} as id, to_jsonb(${name}) as name from ${table} where ${table.siteId} = ${siteId} and ${table.id} = any(${sql.param(ids)}::uuid[])`,
    ),
    sql` union all `,
  )
