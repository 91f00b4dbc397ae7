import { and, eq, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { storeOldAddress } from '#app/features/sites/old-addresses.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { chooseFreeSlug, refuseDuplicate } from '#app/server/save-checks.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import type { hubShape, topicShape } from './hubs.api.schema.ts'
import { listHubTexts, listTopicTexts } from './hubs.schema.ts'

export type HubRow = typeof hubs.$inferSelect
export type TopicRow = typeof topics.$inferSelect
type HubInput = UpdateInput<typeof hubShape>

const toHubColumns = (input: HubInput): Partial<typeof hubs.$inferInsert> => ({
  ...(input.slug && { slug: input.slug }),
  ...(input.titleTranslations && { title: input.titleTranslations }),
  ...(input.summaryTranslations && { summary: input.summaryTranslations }),
  ...(input.bodyTranslations && { body: input.bodyTranslations }),
  ...(input.picture !== undefined && { picture: input.picture }),
  ...(input.pictureAltTranslations && { pictureAlt: input.pictureAltTranslations }),
  ...(input.contactEmail !== undefined && { contactEmail: input.contactEmail }),
  ...(input.position !== undefined && { position: input.position }),
  ...(input.isPublished === false && { publishedAt: null }),
})

/** Creates a hub, as a draft unless `isPublished` is true. @returns the new hub's id @throws {AppError} `forbidden`, or `invalid` with `taken` */
export async function createHub(ctx: Ctx, input: CreateInput<typeof hubShape>): Promise<string> {
  requirePermission(ctx, 'hubs.create')
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'hub', async (wanted) => {
        const found = await tx
          .select({ id: hubs.id })
          .from(hubs)
          .where(and(eq(hubs.siteId, ctx.site.id), eq(hubs.slug, wanted)))
        return found.length > 0
      })
      await tx.insert(hubs).values({
        ...toHubColumns(input),
        ...buildSearchFields(input.titleTranslations, input.summaryTranslations, input.bodyTranslations),
        siteId: ctx.site.id,
        id,
        slug,
        title: input.titleTranslations,
        publishedAt: input.isPublished ? ctx.now() : null,
      })
      await recordAudit(ctx, tx, { action: 'hubs.create', subject: { type: 'hubs', id }, hubId: id })
    }),
  )
  return id
}

/** @throws {AppError} `forbidden`, `stale`, or `invalid` with `taken` */
export async function updateHub(ctx: Ctx, row: HubRow, input: HubInput, lockVersion: number): Promise<void> {
  requirePermission(ctx, 'hubs.edit-homepage', { hubId: row.id })
  const saved = { ...toHubColumns(input), ...(input.isPublished && { publishedAt: row.publishedAt ?? ctx.now() }) }
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const changed = await tx
        .update(hubs)
        .set({
          ...saved,
          ...buildSearchFields(
            input.titleTranslations ?? row.title,
            input.summaryTranslations ?? row.summary,
            input.bodyTranslations ?? row.body,
          ),
          updatedAt: ctx.now(),
          lockVersion: sql`${hubs.lockVersion} + 1`,
        })
        .where(and(eq(hubs.siteId, ctx.site.id), eq(hubs.id, row.id), eq(hubs.lockVersion, lockVersion)))
        .returning({ id: hubs.id })
      if (!changed.length) throw new AppError('stale')
      await recordSourceChanges(ctx, tx, row.id, listHubTexts(row), listHubTexts({ ...row, ...saved }))
      await storeOldAddress(ctx, tx, 'hubs', row, input.slug)
      await recordAudit(ctx, tx, {
        action: 'hubs.update',
        subject: { type: 'hubs', id: row.id },
        hubId: row.id,
        changes: listChanges(row, saved as Partial<HubRow>),
      })
    }),
  )
}

/** Deletes a hub without projects. @throws {AppError} `forbidden`, `conflict` */
export async function deleteHub(ctx: Ctx, row: HubRow): Promise<void> {
  requirePermission(ctx, 'hubs.create')
  await ctx.db.tx(async (tx) => {
    const [project] = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.hubId, row.id)))
      .limit(1)
    if (project) throw new AppError('conflict', { detail: { key: 'hub-has-projects' } })
    await tx.delete(hubs).where(and(eq(hubs.siteId, ctx.site.id), eq(hubs.id, row.id)))
    await recordAudit(ctx, tx, { action: 'hubs.delete', subject: { type: 'hubs', id: row.id }, detail: { title: row.title } })
  })
}

/** @returns the new topic's id @throws {AppError} `forbidden`, or `invalid` with `taken` */
export async function createTopic(ctx: Ctx, input: CreateInput<typeof topicShape>): Promise<string> {
  requirePermission(ctx, 'site.edit')
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'topic', async (wanted) => {
        const found = await tx
          .select({ id: topics.id })
          .from(topics)
          .where(and(eq(topics.siteId, ctx.site.id), eq(topics.slug, wanted)))
        return found.length > 0
      })
      await tx.insert(topics).values({ siteId: ctx.site.id, id, slug, title: input.titleTranslations })
      await recordAudit(ctx, tx, { action: 'topics.create', subject: { type: 'topics', id } })
    }),
  )
  return id
}

/** @throws {AppError} `forbidden`, or `invalid` with `taken` */
export async function updateTopic(ctx: Ctx, row: TopicRow, input: UpdateInput<typeof topicShape>): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      await tx
        .update(topics)
        .set({ slug: input.slug ?? row.slug, title: input.titleTranslations ?? row.title })
        .where(and(eq(topics.siteId, ctx.site.id), eq(topics.id, row.id)))
      const { titleTranslations: title = row.title } = input
      await recordSourceChanges(ctx, tx, row.id, listTopicTexts(row), listTopicTexts({ title }))
      await recordAudit(ctx, tx, {
        action: 'topics.update',
        subject: { type: 'topics', id: row.id },
        changes: listChanges(row, { slug: input.slug ?? row.slug, title: input.titleTranslations ?? row.title }),
      })
    }),
  )
}

/** Deletes an unused topic. @throws {AppError} `forbidden`, `conflict` */
export async function deleteTopic(ctx: Ctx, row: TopicRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    const [used] = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.topicId, row.id)))
      .limit(1)
    if (used) throw new AppError('conflict', { detail: { key: 'topic-in-use' } })
    await tx.delete(topics).where(and(eq(topics.siteId, ctx.site.id), eq(topics.id, row.id)))
    await recordAudit(ctx, tx, { action: 'topics.delete', subject: { type: 'topics', id: row.id }, detail: { title: row.title } })
  })
}
