import { and, eq, inArray } from 'drizzle-orm'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { SiteDb } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { AuditRow } from './audit.chain.server.ts'

const TITLED_TABLES = { projects, hubs, topics, pages, surveys, 'project-updates': projectUpdates } as const

/** Current names of the people and things in these events. For deleted ones, the event itself holds the name. */
export async function loadNames(
  ctx: Ctx,
  db: SiteDb,
  rows: readonly AuditRow[],
): Promise<{ people: Map<string, string>; things: Map<string, string> }> {
  const persons = new Set(
    rows.flatMap((row) => [row.actorId, row.subjectType === 'users' ? row.subjectId : null]).filter((id) => id !== null),
  )
  const people = new Map<string, string>()
  for (const siteId of new Set([PLATFORM_SITE_ID, db.siteId])) {
    if (persons.size === 0) break
    const found = await ctx.runtime.database.site(siteId).read((tx) =>
      tx
        .select({ id: users.id, login: users.login })
        .from(users)
        .where(and(eq(users.siteId, siteId), inArray(users.id, [...persons]))),
    )
    for (const { id, login } of found) people.set(id, login)
  }
  const things = new Map<string, string>()
  for (const row of rows) {
    const { title, name } = row.detail as { title?: Translated; name?: unknown }
    if (row.subjectId && typeof name === 'string') things.set(row.subjectId, name)
    if (row.subjectId && title && typeof title === 'object') things.set(row.subjectId, getTranslation(title, ctx.language, ctx.site.locale))
  }
  await db.read(async (tx) => {
    for (const [type, table] of Object.entries(TITLED_TABLES)) {
      const ids = [...new Set(rows.flatMap((row) => (row.subjectType === type && row.subjectId ? [row.subjectId] : [])))]
      if (ids.length === 0) continue
      const found = await tx
        .select({ id: table.id, title: table.title })
        .from(table)
        .where(and(eq(table.siteId, db.siteId), inArray(table.id, ids)))
      for (const { id, title } of found) things.set(id, getTranslation(title, ctx.language, ctx.site.locale))
    }
  })
  return { people, things }
}
