import { buildSearchFields } from '#app/lib/search-fields.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, topics } from '#app/server/db/schema/projects.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject } from './surveys.ts'

export async function addHub(runtime: Runtime, site: Site, values: Partial<typeof hubs.$inferInsert> = {}) {
  const id = createId()
  const title = values.title ?? { en: 'Transportation' }
  const row = { id, slug: `hub-${id}`, title, ...buildSearchFields(title, values.summary, values.body), ...values, siteId: site.id }
  await runtime.database.site(site.id).tx((tx) => tx.insert(hubs).values(row))
  return row
}

export async function addTopic(runtime: Runtime, site: Site, values: { slug: string; title: Translated }) {
  const row = { siteId: site.id, id: createId(), ...values }
  await runtime.database.site(site.id).tx((tx) => tx.insert(topics).values(row))
  return row
}

/** A published project with its search columns filled. */
export function addSearchableProject(runtime: Runtime, site: Site, values: Parameters<typeof addProject>[2] & { title: Translated }) {
  return addProject(runtime, site, { ...buildSearchFields(values.title, values.summary, values.body), ...values })
}

export async function addUpdate(runtime: Runtime, site: Site, projectId: string, values: Partial<typeof projectUpdates.$inferInsert> = {}) {
  const id = createId()
  const title = values.title ?? { en: 'The survey is open' }
  const body = values.body ?? { en: 'Tell us what you think.' }
  const row = {
    id,
    slug: `update-${id}`,
    title,
    body,
    publishedAt: new Date('2026-01-02T00:00:00Z'),
    ...buildSearchFields(title, body),
    ...values,
    projectId,
    siteId: site.id,
  }
  await runtime.database.site(site.id).tx((tx) => tx.insert(projectUpdates).values(row))
  return row
}

export async function addPage(runtime: Runtime, site: Site, values: Partial<typeof pages.$inferInsert> = {}) {
  const id = createId()
  const title = values.title ?? { en: 'Privacy' }
  const body = values.body ?? { en: 'What we keep and why.' }
  const row = {
    id,
    slug: `page-${id}`,
    title,
    body,
    publishedAt: new Date('2026-01-02T00:00:00Z'),
    ...buildSearchFields(title, body),
    ...values,
    siteId: site.id,
  }
  await runtime.database.site(site.id).tx((tx) => tx.insert(pages).values(row))
  return row
}
