import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { decisionPublications, decisions, decisionThemes } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { decisionPublicationShape, decisionShape } from './decisions.api.schema.ts'
import { createDecision, type DecisionRow, deleteDecision, updateDecision } from './decisions.server.ts'
import { publishDecisions } from './publish-decisions.server.ts'

type PlacedDecision = DecisionRow & { themes: string[]; place: ReturnType<typeof toPermissionTarget> }

const inScope = (ctx: Ctx) => scopeWhere(ctx.viewer, 'projects.see-draft', { hub: projects.hubId, project: projects.id })

const selectDecisions = (tx: Tx, ctx: Ctx, more: SQL | undefined) =>
  tx
    .select({ decision: decisions, project: { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt } })
    .from(decisions)
    .innerJoin(projects, and(eq(projects.siteId, decisions.siteId), eq(projects.id, decisions.projectId)))
    .where(and(eq(decisions.siteId, ctx.site.id), inScope(ctx), more))

async function addThemes(ctx: Ctx, tx: Tx, found: Awaited<ReturnType<typeof selectDecisions>>): Promise<PlacedDecision[]> {
  const ids = found.map(({ decision }) => decision.id)
  const links = ids.length
    ? await tx
        .select({ decision: decisionThemes.decisionId, theme: decisionThemes.themeId })
        .from(decisionThemes)
        .where(and(eq(decisionThemes.siteId, ctx.site.id), inArray(decisionThemes.decisionId, ids)))
        .orderBy(asc(decisionThemes.themeId))
    : []
  const byDecision = Map.groupBy(links, ({ decision }) => decision)
  return found.map(({ decision, project }) => ({
    ...decision,
    themes: (byDecision.get(decision.id) ?? []).map(({ theme }) => theme),
    place: toPermissionTarget(project),
  }))
}

/** For those who see the project's drafts; the public reads published decisions on their page. */
export const decisionResource = implementResource(decisionShape, {
  load: (ctx, ids) => ctx.db.read(async (tx) => addThemes(ctx, tx, await selectDecisions(tx, ctx, inArray(decisions.id, [...ids])))),
  list: (ctx, { filter, sort, page }) =>
    ctx.db.read(async (tx) => {
      const where = filter.project ? eq(decisions.projectId, filter.project) : undefined
      const [counted] = await tx
        .select({ total: count() })
        .from(decisions)
        .innerJoin(projects, and(eq(projects.siteId, decisions.siteId), eq(projects.id, decisions.projectId)))
        .where(and(eq(decisions.siteId, ctx.site.id), inScope(ctx), where))
      const direction = sort.some(({ descending }) => descending) ? sql`desc` : sql`asc`
      const found = await selectDecisions(tx, ctx, where)
        .orderBy(asc(decisions.projectId), sql`${decisions.number} ${direction}`)
        .limit(page.limit)
        .offset(page.offset)
      return { rows: await addThemes(ctx, tx, found), total: counted?.total ?? 0 }
    }),
  can: ({ viewer }, row) => ({ update: checkPermission(viewer, 'projects.edit', row.place).ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row) => ({
    number: row.number,
    title: row.title,
    text: row.text,
    outcome: row.outcome,
    reason: row.reason,
    body: row.body,
    decidedOn: row.decidedOn,
    delivery: row.delivery,
    deliveryNote: row.deliveryNote,
    dueOn: row.dueOn,
    publishedAt: row.publishedAt,
  }),
  relationships: {
    project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' },
    themes: { ids: (_, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, row.themes]))) },
  },
  create: createDecision,
  update: (ctx, row, input, lock) => updateDecision(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteDecision(ctx, row),
})

export const decisionPublicationResource = implementResource(decisionPublicationShape, {
  list: (ctx, { filter, page }) =>
    ctx.db.read(async (tx) => {
      const where = and(
        eq(decisionPublications.siteId, ctx.site.id),
        inScope(ctx),
        filter.project ? eq(decisionPublications.projectId, filter.project) : undefined,
      )
      const isOfProject = and(eq(projects.siteId, decisionPublications.siteId), eq(projects.id, decisionPublications.projectId))
      const [counted] = await tx.select({ total: count() }).from(decisionPublications).innerJoin(projects, isOfProject).where(where)
      const rows = await tx
        .select({ publication: decisionPublications })
        .from(decisionPublications)
        .innerJoin(projects, isOfProject)
        .where(where)
        .orderBy(desc(decisionPublications.publishedAt), asc(decisionPublications.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows: rows.map(({ publication }) => publication), total: counted?.total ?? 0 }
    }),
  attributes: ({
    version,
    publishedAt,
    texts,
    textsRead,
  }: {
    id: string
    projectId: string
    version: number
    publishedAt: Date
    texts: number
    textsRead: number
  }) => ({
    version,
    publishedAt,
    texts,
    textsRead,
  }),
  relationships: { project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' } },
  create: publishDecisions,
})
