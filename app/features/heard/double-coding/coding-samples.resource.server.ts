import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { codingSamples } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { codingSampleShape } from './coding-samples.api.schema.ts'
import { drawSample, type SampleRow } from './draw-sample.server.ts'
import { measureAgreement } from './measure-agreement.server.ts'

interface CountedSample extends SampleRow {
  texts: number
  read: number
  alpha: number | null
  textsOfTwo: number
}

const isOfProject = and(eq(projects.siteId, codingSamples.siteId), eq(projects.id, codingSamples.projectId))
/** Of projects in which the viewer may read what people wrote. */
const isVisible = (ctx: Ctx, more: SQL | undefined) =>
  and(eq(codingSamples.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id }), more)

const countTexts = (what: SQL) => sql<number>`(select count(${what})::int from coding_sample_texts t
  where t.site_id = ${codingSamples.siteId} and t.sample_id = ${codingSamples.id})`

const selectSamples = (tx: Tx, ctx: Ctx, more: SQL | undefined) =>
  tx
    .select({ sample: codingSamples, texts: countTexts(sql`t.id`), read: countTexts(sql`t.read_at`) })
    .from(codingSamples)
    .innerJoin(projects, isOfProject)
    .where(isVisible(ctx, more))

async function measureEach(ctx: Ctx, tx: Tx, found: Awaited<ReturnType<typeof selectSamples>>): Promise<CountedSample[]> {
  const rows: CountedSample[] = []
  for (const { sample, texts, read } of found) {
    const agreement = await measureAgreement(ctx, tx, sample.projectId, sample.source)
    rows.push({ ...sample, texts, read, alpha: agreement.alpha, textsOfTwo: agreement.texts })
  }
  return rows
}

export const codingSampleResource = implementResource(codingSampleShape, {
  load: (ctx, ids) => ctx.db.read(async (tx) => measureEach(ctx, tx, await selectSamples(tx, ctx, inArray(codingSamples.id, [...ids])))),
  list: (ctx, { filter, sort, page }) =>
    ctx.db.read(async (tx) => {
      const where = and(
        filter.project ? eq(codingSamples.projectId, filter.project) : undefined,
        filter.source ? eq(codingSamples.source, filter.source) : undefined,
      )
      const [counted] = await tx
        .select({ total: count() })
        .from(codingSamples)
        .innerJoin(projects, isOfProject)
        .where(isVisible(ctx, where))
      const inOrder = sort.some(({ descending }) => descending) ? desc : asc
      const found = await selectSamples(tx, ctx, where)
        .orderBy(inOrder(codingSamples.createdAt), inOrder(codingSamples.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows: await measureEach(ctx, tx, found), total: counted?.total ?? 0 }
    }),
  attributes: ({ source, language, size, seed, drawnFrom, texts, read, createdAt, alpha, textsOfTwo }) => ({
    source,
    language,
    size,
    seed,
    drawnFrom,
    texts,
    read,
    createdAt: createdAt.toISOString(),
    alpha,
    textsOfTwo,
  }),
  relationships: { project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' } },
  create: drawSample,
})
