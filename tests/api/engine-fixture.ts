import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, singletonShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { instantSchema } from '#app/lib/timestamp.ts'
import { createId } from '#app/lib/uuid.ts'
import { createApiHandler } from '#app/server/api/create-handler.ts'
import { createRegistry } from '#app/server/api/create-registry.ts'
import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import { hashToken, createToken } from '#app/server/auth/tokens.ts'
import type { Ctx } from '#app/server/context.ts'
import { sessions, users } from '#app/server/db/schema/accounts.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'

/** Small resources over real tables: visitors see published projects; anyone signed in sees and changes all. */

export const hubShape = resourceShape({
  type: 'hubs',
  summary: 'Hubs',
  operations: ['list', 'get', 'put'],
  locked: true,
  attributes: { slug: attribute(v.string(), { create: 'required' }), title: translated({ max: 80, create: 'required' }) },
  relationships: { projects: toMany('projects', { inverse: 'hub' }) },
  sorts: ['slug'],
})

const topicShape = resourceShape({
  type: 'topics',
  summary: 'Topics',
  operations: ['get'],
  attributes: { slug: attribute(v.string()) },
  relationships: { projects: toMany('projects') },
})

export const projectShape = resourceShape({
  type: 'projects',
  summary: 'Projects',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  clientIds: true,
  can: ['update', 'remove'],
  page: { size: 3, max: 5 },
  attributes: {
    slug: attribute(v.pipe(v.string(), v.nonEmpty(), v.maxLength(20)), { create: 'required', update: true }),
    title: translated({ max: 80, create: 'required', update: true }),
    status: attribute(v.picklist(['draft', 'published'])),
    opensAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    participants: attribute(v.number(), { update: true }),
    note: attribute(v.pipe(v.string(), v.maxLength(1000)), { read: false, create: 'optional' }),
  },
  relationships: { hub: toOne('hubs', { create: 'optional', update: true }), topic: toOne('topics') },
  filters: { status: filter.choices(['draft', 'published']), hub: filter.id(), slug: filter.text(20), busy: filter.flag() },
  sorts: ['slug', 'participants'],
  defaultSort: 'slug',
})

const weatherShape = singletonShape({
  type: 'weather',
  summary: 'A document without a collection',
  operations: ['get', 'update'],
  attributes: { sky: attribute(v.picklist(['clear', 'grey']), { update: true }), viewer: attribute(v.nullable(v.string())) },
})

const doorShape = resourceShape({
  type: 'doors',
  summary: 'Something that can only be opened, even with a dead token',
  operations: ['create'],
  tokenless: ['create'],
  attributes: { code: attribute(v.string(), { create: 'required' }), token: attribute(v.string()) },
})

export interface FixtureShapes {
  hubs: typeof hubShape
  topics: typeof topicShape
  projects: typeof projectShape
  weather: typeof weatherShape
  doors: typeof doorShape
}

type Project = typeof projects.$inferSelect

const own = (ctx: Ctx) => eq(projects.siteId, ctx.site.id)
const visible = (ctx: Ctx) => (ctx.viewer.kind === 'user' ? own(ctx) : and(own(ctx), eq(projects.status, 'published')))

export interface Fixture {
  calls: string[]
  sky: 'clear' | 'grey' | undefined
}

export function fixtureApi(fixture: Fixture = { calls: [], sky: 'clear' }) {
  const hubResource = implementResource(hubShape, {
    changers: 'signed-in',
    load: (ctx, ids) => {
      fixture.calls.push(`hubs.load ${ids.length}`)
      return ctx.db.tx((tx) =>
        tx
          .select()
          .from(hubs)
          .where(and(eq(hubs.siteId, ctx.site.id), inArray(hubs.id, [...ids]))),
      )
    },
    list: (ctx, { page }) =>
      ctx.db.tx(async (tx) => ({
        rows: await tx
          .select()
          .from(hubs)
          .where(eq(hubs.siteId, ctx.site.id))
          .orderBy(asc(hubs.slug))
          .limit(page.limit)
          .offset(page.offset),
        total: await tx.$count(hubs),
      })),
    lockVersion: (row) => row.lockVersion,
    attributes: (row) => ({ slug: row.slug, title: row.title }),
    relationships: {
      projects: {
        ids: (ctx, rows) => projectIdsBy(ctx, projects.hubId, rows),
        filter: (row) => ({ hub: row.id }),
        add: async (ctx, row, ids) => {
          await ctx.db.tx((tx) =>
            tx
              .update(projects)
              .set({ hubId: row.id })
              .where(and(own(ctx), inArray(projects.id, [...ids]))),
          )
        },
        remove: async (ctx, row, ids) => {
          await ctx.db.tx((tx) =>
            tx
              .update(projects)
              .set({ hubId: null })
              .where(and(own(ctx), eq(projects.hubId, row.id), inArray(projects.id, [...ids]))),
          )
        },
      },
    },
    put: async (ctx, input, lock) => {
      const values = { slug: input.slug, title: input.titleTranslations }
      const [row] = await ctx.db.read((tx) => tx.select().from(hubs).where(eq(hubs.id, input.id)))
      if (!row) {
        await ctx.db.tx((tx) => tx.insert(hubs).values({ siteId: ctx.site.id, id: input.id, ...values }))
        return { created: true, row: input.id }
      }
      if (row.lockVersion !== lock.version) throw new AppError('stale')
      await ctx.db.tx((tx) =>
        tx
          .update(hubs)
          .set({ ...values, lockVersion: row.lockVersion + 1 })
          .where(eq(hubs.id, row.id)),
      )
      return { created: false, row: input.id }
    },
  })

  const topicResource = implementResource(topicShape, {
    load: (ctx, ids) =>
      ctx.db.tx((tx) =>
        tx
          .select()
          .from(topics)
          .where(and(eq(topics.siteId, ctx.site.id), inArray(topics.id, [...ids]))),
      ),
    attributes: (row) => ({ slug: row.slug }),
    relationships: { projects: { ids: (ctx, rows) => projectIdsBy(ctx, projects.topicId, rows) } },
  })

  const projectResource = implementResource(projectShape, {
    changers: 'signed-in',
    load: (ctx, ids) => {
      fixture.calls.push(`projects.load ${ids.length}`)
      return ctx.db.tx((tx) =>
        tx
          .select()
          .from(projects)
          .where(and(visible(ctx), inArray(projects.id, [...ids]))),
      )
    },
    list: (ctx, { filter, sort, page }) => {
      fixture.calls.push('projects.list')
      const where = and(
        visible(ctx),
        filter.status && inArray(projects.status, filter.status),
        filter.hub === undefined ? undefined : eq(projects.hubId, filter.hub),
        filter.slug === undefined ? undefined : eq(projects.slug, filter.slug),
        filter.busy === undefined ? undefined : sql`(${projects.participants} > 10) = ${filter.busy}`,
      )
      const order = sort.map(({ by, descending }) => (descending ? desc(projects[by]) : asc(projects[by])))
      return ctx.db.tx(async (tx) => ({
        rows: await tx
          .select()
          .from(projects)
          .where(where)
          .orderBy(...order, asc(projects.id))
          .limit(page.limit)
          .offset(page.offset),
        total: (await tx.select({ n: count() }).from(projects).where(where))[0]?.n ?? 0,
        meta: { busiest: 'none' },
      }))
    },
    can: (ctx, row) => ({ update: ctx.viewer.kind === 'user', remove: ctx.viewer.kind === 'user' && row.status === 'draft' }),
    lockVersion: (row) => row.lockVersion,
    attributes: (row) => ({
      slug: row.slug,
      title: row.title,
      status: row.status === 'draft' ? 'draft' : 'published',
      opensAt: row.opensAt,
      participants: row.participants,
    }),
    relationships: {
      hub: {
        id: (row) => row.hubId,
        replace: async (ctx, row, id) => {
          await ctx.db.tx((tx) =>
            tx
              .update(projects)
              .set({ hubId: id })
              .where(and(own(ctx), eq(projects.id, row.id))),
          )
        },
      },
      topic: { id: (row) => row.topicId, alwaysVisible: true },
    },
    creators: 'anyone',
    create: async (ctx, input) => {
      if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
      if (input.slug === 'taken') throw new AppError('taken', { pointer: '/slug' })
      if (input.slug === 'explode') throw new Error('a secret of the server')
      await ctx.db.tx((tx) =>
        tx.insert(projects).values({
          siteId: ctx.site.id,
          id: input.id,
          slug: input.slug,
          title: input.titleTranslations,
          hubId: input.hub ?? null,
          opensAt: input.opensAt ?? null,
        }),
      )
      return input.id
    },
    update: async (ctx, row, input, lock) => {
      if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
      await ctx.db.tx(async (tx) => {
        const changed = await tx
          .update(projects)
          .set({
            lockVersion: lock.version + 1,
            ...(input.slug === undefined ? {} : { slug: input.slug }),
            ...(input.titleTranslations ? { title: input.titleTranslations } : {}),
            ...(input.opensAt === undefined ? {} : { opensAt: input.opensAt }),
            ...(input.participants === undefined ? {} : { participants: input.participants }),
            ...(input.hub === undefined ? {} : { hubId: input.hub }),
          })
          .where(and(own(ctx), eq(projects.id, row.id), eq(projects.lockVersion, lock.version)))
        if (changed.rowCount === 0) throw new AppError('stale')
      })
    },
    remove: async (ctx, row) => {
      if (row.status !== 'draft') throw new AppError('forbidden')
      await ctx.db.tx((tx) => tx.delete(projects).where(and(own(ctx), eq(projects.id, row.id))))
    },
  })

  const weatherResource = implementSingleton(weatherShape, {
    changers: 'signed-in',
    read: async (ctx) =>
      fixture.sky ? { id: ctx.site.id, sky: fixture.sky, viewer: ctx.viewer.kind === 'user' ? ctx.viewer.email : null } : null,
    attributes: (row) => ({ sky: row.sky, viewer: row.viewer }),
    update: async (_ctx, _row, input) => {
      if (input.sky) fixture.sky = input.sky
    },
  })

  const doorResource = implementResource(doorShape, {
    creators: 'anyone',
    create: async (_ctx, input) => ({ id: input.id, token: `opened with ${input.code}` }),
    attributes: (row) => ({ code: 'hidden', token: row.token }),
  })

  const registry = createRegistry([hubResource, topicResource, projectResource, weatherResource, doorResource])
  return { handle: createApiHandler(registry), registry, fixture }
}

async function projectIdsBy(
  ctx: Ctx,
  column: typeof projects.hubId | typeof projects.topicId,
  rows: readonly { id: string }[],
): Promise<Map<string, string[]>> {
  const ids = rows.map((row) => row.id)
  const found = await ctx.db.tx((tx) =>
    tx
      .select({ id: projects.id, of: column })
      .from(projects)
      .where(and(own(ctx), inArray(column, ids)))
      .orderBy(asc(projects.slug)),
  )
  const byRow = new Map<string, string[]>()
  for (const { id, of } of found) if (of) byRow.set(of, [...(byRow.get(of) ?? []), id])
  return byRow
}

export async function addHub(runtime: Runtime, site: Site, slug: string, title = { en: slug }): Promise<string> {
  const id = createId()
  await runtime.database.site(site.id).tx((tx) => tx.insert(hubs).values({ siteId: site.id, id, slug, title }))
  return id
}

export async function addTopic(runtime: Runtime, site: Site, slug: string): Promise<string> {
  const id = createId()
  await runtime.database.site(site.id).tx((tx) => tx.insert(topics).values({ siteId: site.id, id, slug, title: { en: slug } }))
  return id
}

export async function addProject(runtime: Runtime, site: Site, project: Partial<Project> & { slug: string }): Promise<string> {
  const id = project.id ?? createId()
  const title = { en: project.slug, 'fr-CA': `${project.slug} (fr)` }
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(projects).values({ title, status: 'published', ...project, siteId: site.id, id }))
  return id
}

/** Signs somebody in and returns the token. */
export async function signIn(runtime: Runtime, site: Site, email = 'ana@example.org'): Promise<string> {
  const userId = createId()
  const token = createToken()
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(users).values({ siteId: site.id, id: userId, email, login: 'Ana' })
    await tx
      .insert(sessions)
      .values({ siteId: site.id, id: createId(), userId, tokenHash: hashToken(token), expiresAt: new Date(Date.now() + 3_600_000) })
  })
  return token
}
