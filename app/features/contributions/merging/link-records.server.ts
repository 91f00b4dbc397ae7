import { and, asc, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWhere, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributionLinks, contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { contributionLinkShape } from './contribution-links.api.schema.ts'
import { answerObjection } from './answer-objection.server.ts'
import type { LinkRow } from './links.server.ts'
import { endRelation, mergeContributions, relateContributions, undoMerge } from './merge-contributions.server.ts'

export type LinkRecord = LinkRow & { project: ProjectRow }

const targets = alias(contributions, 'target')

const mayModerate = (ctx: Ctx): SQL =>
  scopeWhere(ctx.viewer, 'contributions.moderate', { hub: projects.hubId, project: projects.id }) ?? sql`true`

/** Links between contributions that everybody can read; former ones and all others only for those who may moderate them. */
function isVisible(ctx: Ctx, more: SQL | undefined): SQL | undefined {
  const isPublic = and(
    isNull(contributionLinks.endedAt),
    inArray(contributions.state, [...READABLE_STATES]),
    inArray(targets.state, [...READABLE_STATES]),
    sql`${activities.status} <> 'draft'`,
  )
  return and(eq(contributionLinks.siteId, ctx.site.id), knownWhere(ctx), or(isPublic, mayModerate(ctx)), more)
}

const selectLinks = (tx: Tx) =>
  tx
    .select({ link: contributionLinks, project: projects })
    .from(contributionLinks)
    .innerJoin(
      contributions,
      and(eq(contributions.siteId, contributionLinks.siteId), eq(contributions.id, contributionLinks.contributionId)),
    )
    .innerJoin(targets, and(eq(targets.siteId, contributionLinks.siteId), eq(targets.id, contributionLinks.targetId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))

const toRecord = ({ link, project }: Awaited<ReturnType<typeof selectLinks>>[number]): LinkRecord => ({ ...link, project })

export const loadLinks = (ctx: Ctx, ids: readonly string[]): Promise<LinkRecord[]> =>
  ctx.db.read(async (tx) => (await selectLinks(tx).where(isVisible(ctx, inArray(contributionLinks.id, [...ids])))).map(toRecord))

export function listLinks(ctx: Ctx, { filter, sort, page }: ListQuery<typeof contributionLinkShape>): Promise<ListResult<LinkRecord>> {
  return ctx.db.read(async (tx) => {
    const where = isVisible(
      ctx,
      and(
        filter.contribution
          ? or(eq(contributionLinks.contributionId, filter.contribution), eq(contributionLinks.targetId, filter.contribution))
          : undefined,
        filter.kind ? inArray(contributionLinks.kind, filter.kind) : undefined,
        filter.ended === undefined ? undefined : (filter.ended ? isNotNull : isNull)(contributionLinks.endedAt),
        filter.objected === undefined
          ? undefined
          : and(mayModerate(ctx), (filter.objected ? isNotNull : isNull)(contributionLinks.objectedAt)),
        filter.objectionAnswered === undefined
          ? undefined
          : and(mayModerate(ctx), (filter.objectionAnswered ? isNotNull : isNull)(contributionLinks.objectionAnsweredAt)),
      ),
    )
    const [counted] = await tx
      .select({ total: count() })
      .from(contributionLinks)
      .innerJoin(
        contributions,
        and(eq(contributions.siteId, contributionLinks.siteId), eq(contributions.id, contributionLinks.contributionId)),
      )
      .innerJoin(targets, and(eq(targets.siteId, contributionLinks.siteId), eq(targets.id, contributionLinks.targetId)))
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(where)
    const order = sort[0]?.descending === false ? asc : desc
    const rows = await selectLinks(tx)
      .where(where)
      .orderBy(order(contributionLinks.createdAt), asc(contributionLinks.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })
}

/** @returns the link's id @throws as `mergeContributions` */
export function createLink(
  ctx: Ctx,
  { kind, reason = '', contribution, target }: CreateInput<typeof contributionLinkShape>,
): Promise<string> {
  const link = kind === 'related' ? relateContributions : mergeContributions
  return link(ctx, { contributionId: contribution, targetId: target, reason })
}

/** @throws as `undoMerge` or `answerObjection`; `conflict` to bring an ended link back */
export async function updateLink(
  ctx: Ctx,
  { id, kind }: LinkRecord,
  { ended, endReason = '', objectionAnswer }: UpdateInput<typeof contributionLinkShape>,
): Promise<void> {
  if (objectionAnswer !== undefined && !ended) return answerObjection(ctx, id, objectionAnswer)
  if (!ended) throw new AppError('conflict')
  await (kind === 'related' ? endRelation(ctx, id) : undoMerge(ctx, id, endReason))
}
