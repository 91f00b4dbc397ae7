import { and, desc, eq, sql } from 'drizzle-orm'
import { loadOutcomesOfActivity } from '#app/features/outcomes/outcomes.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { findSuppressedCells } from '#app/lib/suppressed-cells.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { ContributionSource } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { requireActivityFor } from '../record/activities.policy.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { canEnterContributions } from '../record/entered-contribution.server.ts'
import { countAnswers } from './answer-counts.server.ts'
import { findAll, loadContributionFigures } from './contribution-figures.server.ts'
import type { ActivityResults, ResultLine } from './activity-results.schema.ts'
import { loadPlaceSquares, PERSON } from './place-squares.server.ts'

const MOST_SUPPORTED = 10

/** Sorts what belongs to no group after all ids. */
const NO_GROUP = '~'

interface CountedRow extends Record<string, unknown> {
  id: string | null
  name: string | null
  total: number
  people: number
}

/**
 * The figures of an activity, for people who may see what was sent. Without access to personal data, groups of fewer than five people are
 * left out, with as many others as it takes to hide them. Squares of the map are left out for everybody. The number of statements does not
 * depend on how many contributions there are.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function getActivityResults(ctx: Ctx, activityId: string): Promise<ActivityResults> {
  return ctx.db.read(async (tx) => {
    const placed = await requireActivityFor(ctx, tx, 'responses.see', activityId)
    const { activity, project } = placed
    const { settings, tools } = readActivitySettings(activity)
    const mayExportPersonal = checkPermission(ctx.viewer, 'responses.export-personal', toPermissionTarget(project)).ok
    const localise = (text: Parameters<typeof localiseText>[0]) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
    const suppress = (rows: readonly CountedRow[], name: (row: CountedRow) => string): ResultLine[] =>
      hideSmallGroups(rows, !mayExportPersonal).map(({ row, count }) => ({ id: row.id ?? '', name: name(row), count }))
    const isPublic = sql`c.site_id = ${ctx.site.id} and c.activity_id = ${activity.id} and c.state in ('published', 'merged')`
    const states = await loadStates(ctx, tx, activity.id)
    const { total, supports, disagrees, replies, answered, medianDays } = findAll(
      await loadContributionFigures(ctx, tx, { where: sql`c.activity_id = ${activity.id}` }),
    )
    const groups = await loadGroups(ctx, tx, isPublic)
    const byKind = (kind: string) => groups.filter((row) => row.kind === kind)
    const categories = await loadCategories(tx, isPublic)
    return {
      activity: { id: activity.id, title: localise(activity.title), slug: activity.slug, projectId: project.id },
      entryPath: canEnterContributions(ctx, placed) ? `/projects/${project.slug}/${activity.slug}/new` : null,
      states,
      total,
      supports,
      replies,
      disagrees: tools.reactions.includes('disagree') ? disagrees : null,
      days: byKind('day').map(({ id, total }) => ({ day: id ?? '', count: total })),
      categories: suppress(categories, ({ id }) => {
        const category = settings.categories.find((one) => one.id === id)
        return category ? localise(category.title).text : ''
      }),
      areas: suppress(byKind('area'), ({ name }) => name ?? ''),
      statuses: tools.answers ? suppress(byKind('status'), ({ name }) => (name ? localise(JSON.parse(name)).text : '')) : [],
      sources: suppress(byKind('source'), () => '').map(({ id, count }) => ({ id: id as ContributionSource, count })),
      answers: await countAnswers(
        ctx,
        tx,
        { activity, isPublic, person: PERSON },
        {
          staff: checkPermission(ctx.viewer, 'contributions.moderate', toPermissionTarget(project)).ok,
          suppresses: !mayExportPersonal,
        },
      ),
      supported: await loadMostSupported(ctx, tx, activity.id),
      answered: { count: answered, medianDays },
      map: tools.places ? await loadPlaceSquares(ctx, tx, isPublic) : null,
      outcomes: (await loadOutcomesOfActivity(ctx, tx, activity.id)).map(({ outcome }) => outcome),
      isSuppressed: !mayExportPersonal,
      mayExportPersonal,
    }
  })
}

/**
 * Each group with its count, or without it: those of few people, and others that would give them away. What is hidden comes last, by id:
 * its place among the others would say how large it is.
 */
function hideSmallGroups(rows: readonly CountedRow[], isNeeded: boolean): { row: CountedRow; count: number | null }[] {
  const cells = rows.map((row) => ({ row, count: row.people, sums: ['all'] }))
  const hidden = isNeeded ? findSuppressedCells(cells, 'known') : new Set()
  const findPlace = ({ row }: (typeof cells)[number]) => row.id ?? NO_GROUP
  const unseen = cells.filter((cell) => hidden.has(cell)).toSorted((a, b) => (findPlace(a) < findPlace(b) ? -1 : 1))
  const hiddenLast = [...cells.filter((cell) => !hidden.has(cell)), ...unseen]
  return hiddenLast.map((cell) => ({ row: cell.row, count: hidden.has(cell) ? null : cell.row.total }))
}

const loadStates = (ctx: Ctx, tx: Tx, activityId: string) =>
  tx
    .select({ state: contributions.state, count: sql<number>`count(*)::int` })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.activityId, activityId)))
    .groupBy(contributions.state)

/** By day, area, status and source in one pass. */
async function loadGroups(ctx: Ctx, tx: Tx, isPublic: ReturnType<typeof sql>) {
  const { rows } = await tx.execute<CountedRow & { kind: string }>(sql`
    with c as materialized (
      select c.*, (c.submitted_at at time zone ${ctx.site.timeZone})::date::text as day from contributions c where ${isPublic}
    ), grouped as (
      select case when grouping(c.day) = 0 then 'day' when grouping(c.area_id) = 0 then 'area'
          when grouping(c.status_id) = 0 then 'status' else 'source' end as kind,
        coalesce(c.day, c.area_id::text, c.status_id::text, c.source) as id, count(*)::int as total, count(distinct ${PERSON})::int as people
      from c group by grouping sets ((c.day), (c.area_id), (c.status_id), (c.source))
    )
    select g.kind, g.id, coalesce(a.name, s.title::text) as name, g.total, g.people from grouped g
    left join areas a on a.site_id = ${ctx.site.id} and g.kind = 'area' and a.id::text = g.id
    left join contribution_statuses s on s.site_id = ${ctx.site.id} and g.kind = 'status' and s.id::text = g.id
    order by g.kind, case when g.kind = 'day' then g.id end, s.position, g.total desc, g.id`)
  return rows
}

/** A contribution counts for each of its categories. */
async function loadCategories(tx: Tx, isPublic: ReturnType<typeof sql>): Promise<CountedRow[]> {
  const { rows } = await tx.execute<CountedRow>(sql`
    select category as id, null as name, count(*)::int as total, count(distinct ${PERSON})::int as people
    from contributions c left join unnest(c.categories) as category on true where ${isPublic}
    group by category order by total desc, category`)
  return rows
}

const loadMostSupported = (ctx: Ctx, tx: Tx, activityId: string) =>
  tx
    .select({
      id: contributions.id,
      number: contributions.number,
      title: contributions.title,
      language: contributions.language,
      supports: contributions.supports,
      disagrees: contributions.disagrees,
    })
    .from(contributions)
    .where(
      and(eq(contributions.siteId, ctx.site.id), eq(contributions.activityId, activityId), isPublished, sql`${contributions.supports} > 0`),
    )
    .orderBy(desc(contributions.supports), contributions.number)
    .limit(MOST_SUPPORTED)
