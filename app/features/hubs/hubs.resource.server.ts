import { and, asc, count, desc, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { knownWhere } from '#app/features/projects/projects.policy.server.ts'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { titleContains } from '#app/server/db/title-contains.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { hubShape, topicShape } from './hubs.api.schema.ts'
import {
  createHub,
  createTopic,
  deleteHub,
  deleteTopic,
  type HubRow,
  type TopicRow,
  updateHub,
  updateTopic,
} from './hubs.editing.server.ts'

const buildTitleOrder = (ctx: Ctx, column: typeof hubs.title | typeof topics.title) =>
  collateFor(ctx.language, sql`coalesce(nullif(${column} ->> ${ctx.language}, ''), ${column} ->> ${ctx.site.locale})`)

/** Published hubs; drafts are for those who administer them. */
function buildVisibleHubCondition(ctx: Ctx): SQL | undefined {
  const own = scopeWhere(ctx.viewer, 'hubs.edit-homepage', { hub: hubs.id })
  return and(eq(hubs.siteId, ctx.site.id), own && or(isNotNull(hubs.publishedAt), own))
}

export const hubResource = implementResource(hubShape, {
  load: (ctx, ids): Promise<HubRow[]> =>
    ctx.db.readTogether((tx) =>
      tx
        .select()
        .from(hubs)
        .where(and(buildVisibleHubCondition(ctx), inArray(hubs.id, [...ids]))),
    ),
  list: (ctx, { filter, sort, page }) => {
    const mine = filter.mine ? scopeWhere(ctx.viewer, 'hubs.edit-homepage', { hub: hubs.id }) : undefined
    const where = and(buildVisibleHubCondition(ctx), mine, filter.q ? titleContains(hubs.title, filter.q) : undefined)
    const order = sort.map(({ by, descending }) =>
      (descending ? desc : asc)(by === 'title' ? buildTitleOrder(ctx, hubs.title) : hubs.position),
    )
    return ctx.db.readTogether(async (tx) => {
      const [counted] = await tx.select({ total: count() }).from(hubs).where(where)
      const rows = await tx
        .select()
        .from(hubs)
        .where(where)
        .orderBy(...order, asc(hubs.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows, total: counted?.total ?? 0 }
    })
  },
  can: ({ viewer }, row) => ({
    update: checkPermission(viewer, 'hubs.edit-homepage', { hubId: row.id }).ok,
    remove: checkPermission(viewer, 'hubs.create').ok,
    createProject: checkPermission(viewer, 'projects.create', { hubId: row.id }).ok,
    addProjectAdmin: checkPermission(viewer, 'project-admins.add', { hubId: row.id }).ok,
  }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row) => ({
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    body: row.body,
    picture: row.picture,
    pictureAlt: row.pictureAlt,
    contactEmail: row.contactEmail,
    position: row.position,
    isPublished: row.publishedAt !== null,
  }),
  relationships: {
    projects: {
      ids: async (ctx, rows) => {
        const ids = rows.map((row) => row.id)
        const found = await ctx.db.readTogether((tx) =>
          tx
            .select({ id: projects.id, hubId: projects.hubId })
            .from(projects)
            .where(and(knownWhere(ctx), inArray(projects.hubId, ids)))
            .orderBy(desc(projects.publishedAt), asc(projects.id)),
        )
        return new Map(ids.map((id) => [id, found.filter((project) => project.hubId === id).map((project) => project.id)]))
      },
      filter: (row) => ({ hub: [row.id] }),
    },
  },
  create: createHub,
  update: (ctx, row, input, lock) => updateHub(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteHub(ctx, row),
})

export const topicResource = implementResource(topicShape, {
  load: (ctx, ids): Promise<TopicRow[]> =>
    ctx.db.readTogether((tx) =>
      tx
        .select()
        .from(topics)
        .where(and(eq(topics.siteId, ctx.site.id), inArray(topics.id, [...ids]))),
    ),
  list: (ctx, { sort, page }) =>
    ctx.db.readTogether(async (tx) => {
      const where = eq(topics.siteId, ctx.site.id)
      const [counted] = await tx.select({ total: count() }).from(topics).where(where)
      const rows = await tx
        .select()
        .from(topics)
        .where(where)
        .orderBy(...sort.map(({ descending }) => (descending ? desc : asc)(buildTitleOrder(ctx, topics.title))), asc(topics.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows, total: counted?.total ?? 0 }
    }),
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'site.edit').ok }),
  attributes: (row) => ({ slug: row.slug, title: row.title }),
  create: createTopic,
  update: (ctx, row, input) => updateTopic(ctx, row, input),
  remove: (ctx, row) => deleteTopic(ctx, row),
})
