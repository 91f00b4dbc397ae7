import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isNotReadBlind } from './double-coding/blind-reading.server.ts'
import { addEvidence, deleteEvidence, type EvidenceRow, updateEvidence } from './evidence.server.ts'
import type { ThemeFigures } from './heard.schema.ts'
import { countThemes, loadProjectThemes, type ThemeRow } from './theme-figures.server.ts'
import { themeEvidenceShape, themeShape } from './themes.api.schema.ts'
import { createTheme, deleteTheme, updateTheme } from './themes.server.ts'

type Place = ReturnType<typeof toPermissionTarget>
type PlacedTheme = ThemeRow & ThemeFigures & { place: Place }
type PlacedEvidence = EvidenceRow & { place: Place }

const place = { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt }
const inScope = (ctx: Ctx) => scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id })

/** Themes and passages are for those who may read what people wrote; the public sees those of published decisions on their page. */
const selectThemes = (tx: Tx, ctx: Ctx, more: SQL | undefined) =>
  tx
    .select({ theme: themes, project: place })
    .from(themes)
    .innerJoin(projects, and(eq(projects.siteId, themes.siteId), eq(projects.id, themes.projectId)))
    .where(and(eq(themes.siteId, ctx.site.id), inScope(ctx), more))

const isVisibleEvidence = (ctx: Ctx, more: SQL | undefined) =>
  and(
    eq(themeEvidence.siteId, ctx.site.id),
    inScope(ctx),
    isNotReadBlind(
      ctx,
      sql`coalesce(${themeEvidence.responseId}, ${themeEvidence.contributionId}, ${themeEvidence.replyId})`,
      sql`${themeEvidence.question}`,
    ),
    more,
  )

const selectEvidence = (tx: Tx, ctx: Ctx, more: SQL | undefined) =>
  tx
    .select({ evidence: themeEvidence, project: place })
    .from(themeEvidence)
    .innerJoin(projects, and(eq(projects.siteId, themeEvidence.siteId), eq(projects.id, themeEvidence.projectId)))
    .where(isVisibleEvidence(ctx, more))

async function countPeople(ctx: Ctx, tx: Tx, found: Awaited<ReturnType<typeof selectThemes>>): Promise<PlacedTheme[]> {
  const figures = new Map<string, ThemeFigures>()
  for (const projectId of new Set(found.map(({ theme }) => theme.projectId)))
    for (const [id, counted] of await countThemes(ctx, tx, projectId, await loadProjectThemes(ctx, tx, projectId))) figures.set(id, counted)
  return found.map(({ theme, project }) => ({
    ...theme,
    ...(figures.get(theme.id) ?? { people: 0, passages: 0 }),
    place: toPermissionTarget(project),
  }))
}

export const themeResource = implementResource(themeShape, {
  load: (ctx, ids) => ctx.db.read(async (tx) => countPeople(ctx, tx, await selectThemes(tx, ctx, inArray(themes.id, [...ids])))),
  list: (ctx, { filter, sort, page }) =>
    ctx.db.read(async (tx) => {
      const where = filter.project ? eq(themes.projectId, filter.project) : undefined
      const [counted] = await tx
        .select({ total: count() })
        .from(themes)
        .innerJoin(projects, and(eq(projects.siteId, themes.siteId), eq(projects.id, themes.projectId)))
        .where(and(eq(themes.siteId, ctx.site.id), inScope(ctx), where))
      const direction = sort.some(({ descending }) => descending) ? sql`desc` : sql`asc`
      const found = await selectThemes(tx, ctx, where)
        .orderBy(sql`${themes.position} ${direction}`, asc(themes.createdAt), asc(themes.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows: await countPeople(ctx, tx, found), total: counted?.total ?? 0 }
    }),
  can: ({ viewer }, row) => ({ update: checkPermission(viewer, 'responses.see', row.place).ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ title, description, stance, position, people, passages }) => ({ title, description, stance, position, people, passages }),
  relationships: {
    project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' },
    parent: { id: (row) => row.parentId },
    mergedInto: { id: (row) => row.mergedInto },
  },
  create: createTheme,
  update: (ctx, row, input, lock) => updateTheme(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteTheme(ctx, row),
})

const toPlacedEvidence = ({ evidence, project }: Awaited<ReturnType<typeof selectEvidence>>[number]): PlacedEvidence => ({
  ...evidence,
  place: toPermissionTarget(project),
})

export const themeEvidenceResource = implementResource(themeEvidenceShape, {
  load: (ctx, ids) => ctx.db.read(async (tx) => (await selectEvidence(tx, ctx, inArray(themeEvidence.id, [...ids]))).map(toPlacedEvidence)),
  list: (ctx, { filter, page }) =>
    ctx.db.read(async (tx) => {
      const where = and(
        filter.project ? eq(themeEvidence.projectId, filter.project) : undefined,
        filter.theme ? eq(themeEvidence.themeId, filter.theme) : undefined,
        filter.state ? inArray(themeEvidence.state, filter.state) : undefined,
      )
      const [counted] = await tx
        .select({ total: count() })
        .from(themeEvidence)
        .innerJoin(projects, and(eq(projects.siteId, themeEvidence.siteId), eq(projects.id, themeEvidence.projectId)))
        .where(isVisibleEvidence(ctx, where))
      const found = await selectEvidence(tx, ctx, where)
        .orderBy(asc(themeEvidence.createdAt), asc(themeEvidence.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows: found.map(toPlacedEvidence), total: counted?.total ?? 0 }
    }),
  can: ({ viewer }, row) => ({ update: checkPermission(viewer, 'responses.see', row.place).ok }),
  attributes: (row) => ({
    source: row.source,
    sourceId: row.responseId ?? row.contributionId ?? row.replyId ?? '',
    question: row.question,
    version: row.version,
    start: row.startAt,
    quote: row.quote,
    state: row.state,
    isQuoted: row.isQuoted,
  }),
  relationships: { theme: { id: (row) => row.themeId } },
  create: addEvidence,
  update: (ctx, row, input) => updateEvidence(ctx, row, input),
  remove: (ctx, row) => deleteEvidence(ctx, row),
})
