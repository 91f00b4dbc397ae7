import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { ModerationDecision } from '#app/lib/vocabulary/moderation.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { contributions, contributionStatuses, officialResponses } from '#app/server/db/schema/contributions.ts'
import { moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { joinTexts, toSearchWords } from '#app/server/db/text-search.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { loadShownLayers } from '../layers/draw-layers.server.ts'
import { drawContributionMap } from '../places/contribution-map.server.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { requireContributionFor } from '../record/loading.server.ts'
import type { ContributionMapView } from '../record/places.schema.ts'
import { buildDeskOrder, loadDeskFilter } from './desk-list.server.ts'
import type { DeskSearch } from './desk-search.ts'

const MAX_EVENTS = 100

/** Where one contribution stands in the list from which it was opened. */
interface DeskNeighbours {
  previous: string | null
  next: string | null
  /** From 1; null if it is no longer of the list, between whose entries it still stands. */
  place: number | null
  total: number
}

type DeskEvent =
  | { kind: 'sent'; at: string; by: null }
  | { kind: 'decided'; at: string; by: string | null; decision: ModerationDecision; automatic: boolean; ofReply: boolean }
  | { kind: 'answered'; at: string; by: string | null; status: string }

/** What the public sees of a contribution besides its words, and what was done with it. */
interface DeskEntry {
  neighbours: DeskNeighbours
  /** Of its page; null while it has none. */
  path: string | null
  /** As shown to everybody; empty for those who are not named. */
  author: string
  place: string
  categories: string[]
  status: string | null
  map: ContributionMapView | null
  /** The newest first. */
  history: DeskEvent[]
}

/** @throws {AppError} `not-found`, `forbidden` */
export function readDeskEntry(ctx: Ctx, id: string, search: DeskSearch): Promise<DeskEntry> {
  return ctx.db.read(async (tx) => {
    const { contribution: row, activity, project } = await requireContributionFor(ctx, tx, 'contributions.moderate', id)
    const { settings, tools } = readActivitySettings(activity)
    const localise = createLocaliser(ctx)
    const [shown] = await tx
      .select({ area: areas.name, status: contributionStatuses.title })
      .from(contributions)
      .leftJoin(areas, and(eq(areas.siteId, contributions.siteId), eq(areas.id, contributions.areaId)))
      .leftJoin(
        contributionStatuses,
        and(eq(contributionStatuses.siteId, contributions.siteId), eq(contributionStatuses.id, contributions.statusId)),
      )
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id)))
    return {
      neighbours: await findNeighbours(ctx, tx, id, search),
      path:
        READABLE_STATES.includes(row.state) && activity.status !== 'draft'
          ? `/projects/${project.slug}/${activity.slug}/${row.number}`
          : null,
      author: row.shownAs === 'resident' ? (shown?.area ?? '') : row.shownName,
      place: [row.placeText, shown?.area].filter(Boolean).join(', '),
      categories: settings.categories.filter((category) => row.categories.includes(category.id)).map(({ title }) => localise(title).text),
      status: tools.answers && shown?.status ? localise(shown.status).text : null,
      map: tools.places ? await drawContributionMap(ctx, row, await loadShownLayers(ctx, tx, activity)) : null,
      history: [
        ...(await loadDecisions(ctx, tx, id)),
        ...(await loadAnswerEvents(ctx, tx, id)),
        { kind: 'sent' as const, at: row.submittedAt.toISOString(), by: null },
      ].toSorted((a, b) => b.at.localeCompare(a.at)),
    }
  })
}

async function findNeighbours(ctx: Ctx, tx: Tx, id: string, search: DeskSearch): Promise<DeskNeighbours> {
  const words = toSearchWords(search.q ?? '')
  const found = words.length > 0 ? joinTexts(ctx.site.id, words) : undefined
  const matches: SQL = and(await loadDeskFilter(ctx, tx, search), found?.where(contributions.id)) ?? sql`true`
  // One that was decided meanwhile has left the list of what waits: its neighbours are still those of its place.
  const { rows } = await tx.execute<{ previous: string | null; next: string | null; place: number; total: number; listed: boolean }>(sql`
    with ${found ? sql`${found.found},` : sql``}
    listed as (
      select ${contributions.id} as id, (${matches}) is true as listed, row_number() over shown as place, count(*) over () as total,
        lag(${contributions.id}) over shown as previous, lead(${contributions.id}) over shown as next
      from ${contributions}
      where ${contributions.siteId} = ${ctx.site.id} and ((${matches}) or ${contributions.id} = ${id})
      window shown as (order by ${buildDeskOrder(ctx, search.sort, id)}))
    select previous, next, place::int, total::int, listed from listed where id = ${id}`)
  const [one] = rows
  if (!one) return { previous: null, next: null, place: null, total: 0 }
  return { previous: one.previous, next: one.next, place: one.listed ? one.place : null, total: one.total }
}

async function loadDecisions(ctx: Ctx, tx: Tx, id: string): Promise<DeskEvent[]> {
  const deciders = alias(users, 'deciders')
  const rows = await tx
    .select({
      at: moderationDecisions.decidedAt,
      decision: moderationDecisions.decision,
      automatic: moderationDecisions.automatic,
      by: deciders.login,
      replyId: moderationCases.replyId,
    })
    .from(moderationCases)
    .innerJoin(
      moderationDecisions,
      and(eq(moderationDecisions.siteId, moderationCases.siteId), eq(moderationDecisions.caseId, moderationCases.id)),
    )
    .leftJoin(deciders, and(eq(deciders.siteId, moderationDecisions.siteId), eq(deciders.id, moderationDecisions.decidedBy)))
    .where(and(eq(moderationCases.siteId, ctx.site.id), eq(moderationCases.contributionId, id)))
    .orderBy(asc(moderationDecisions.decidedAt))
    .limit(MAX_EVENTS)
  return rows.map(({ at, decision, automatic, by, replyId }) => ({
    kind: 'decided',
    at: at.toISOString(),
    by,
    decision,
    automatic,
    ofReply: replyId !== null,
  }))
}

async function loadAnswerEvents(ctx: Ctx, tx: Tx, id: string): Promise<DeskEvent[]> {
  const localise = createLocaliser(ctx)
  const rows = await tx
    .select({ at: officialResponses.createdAt, by: users.login, status: contributionStatuses.title })
    .from(officialResponses)
    .leftJoin(users, and(eq(users.siteId, officialResponses.siteId), eq(users.id, officialResponses.createdBy)))
    .leftJoin(
      contributionStatuses,
      and(eq(contributionStatuses.siteId, officialResponses.siteId), eq(contributionStatuses.id, officialResponses.statusId)),
    )
    .where(and(eq(officialResponses.siteId, ctx.site.id), eq(officialResponses.contributionId, id)))
    .orderBy(asc(officialResponses.version))
    .limit(MAX_EVENTS)
  return rows.map(({ at, by, status }) => ({ kind: 'answered', at: at.toISOString(), by, status: status ? localise(status).text : '' }))
}
