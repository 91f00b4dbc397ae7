import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { checkPermission, requirePermissionSomewhere, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { type ContributionState, STATUS_CODES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import {
  activities,
  contributions,
  contributionStatuses,
  officialAnswerSets,
  officialResponseDrafts,
} from '#app/server/db/schema/contributions.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { joinTexts, toSearchWords } from '#app/server/db/text-search.ts'
import { isActivityKind, readActivitySettings } from '../kinds/kinds.ts'
import { isInActivities } from '../record/activities.policy.server.ts'
import { OPEN_STATUSES } from '../questions/question-state.server.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { buildModeratedScope, loadWrittenByCondition } from '../record/written-by.server.ts'
import { DESK_PAGE_SIZE, type DeskSearch, type DeskSort, type DeskWait } from './desk-search.ts'

const DAY_MS = 86_400_000
const MAX_OPTIONS = 500

interface DeskRow {
  id: string
  number: number
  title: string
  language: ContentLanguage
  state: ContributionState
  /** Localised; null before one is given, and in activities without answers. */
  status: string | null
  activity: string
  area: string | null
  supports: number
  submittedAt: string
  /** It still needs a decision or an answer. */
  isWaiting: boolean
  isOverdue: boolean
  assignee: string | null
}

/** One page of contributions that the viewer may moderate. */
interface DeskPage {
  data: DeskRow[]
  meta: { total: number }
}

/** What is counted and offered beside the list. The counts are those of the whole list. */
interface DeskFrame {
  counts: { all: number; waiting: number; mine: number; questions: number; week: number; agreement: number }
  hasActivities: boolean
  /** Of the activity that was asked about, if the viewer moderates it. */
  activity: {
    categories: { id: string; title: string }[]
    /** Those that the team named itself. */
    statuses: { id: string; title: string }[]
  } | null
  areas: { id: string; name: string }[]
  assignees: { id: string; name: string }[]
  /** Whether the viewer manages people, and may filter by what they said about themselves. */
  managesPeople: boolean
}

/**
 * Contributions that still need a decision or an answer. The first part repeats the condition of the partial index, so that it is used. Statuses such
 * as "received" only say how far the team is; any other status counts as an answer, and activities without statuses expect none.
 */
const isWaiting = ({ site }: Ctx): SQL => sql`(${contributions.answered} is null and ${contributions.state} in ('held', 'published')
  and (${contributions.state} = 'held' or ${contributions.statusId} = any (array(select ${contributionStatuses.id} from ${contributionStatuses}
    where ${contributionStatuses.siteId} = ${site.id} and ${inArray(contributionStatuses.code, [...OPEN_STATUSES])}))))`

function waitsFor(ctx: Ctx, wait: DeskWait): SQL {
  switch (wait) {
    case 'any':
      return isWaiting(ctx)
    case 'decision':
      return sql`${isWaiting(ctx)} and ${contributions.state} = 'held'`
    case 'answer':
      return sql`${isWaiting(ctx)} and ${contributions.state} = 'published'`
    case 'question':
      return sql`${isWaiting(ctx)} and ${contributions.dueAt} is not null`
    case 'draft':
      return hasDraft(ctx, sql`true`)
    case 'agreement':
      return sql`(${hasDraft(ctx, sql`${officialResponseDrafts.askedBy} is not null`)} or ${isInAskedSet(ctx)})`
  }
}

/** Its next answer is being written. */
const hasDraft = ({ site }: Ctx, such: SQL): SQL =>
  sql`${contributions.id} = any (array(select ${officialResponseDrafts.contributionId} from ${officialResponseDrafts}
    where ${officialResponseDrafts.siteId} = ${site.id} and ${such}))`

/** A colleague should agree to an answer that it gets with others. */
const isInAskedSet = ({ site }: Ctx): SQL =>
  sql`${contributions.id} = any (array(select unnest(${officialAnswerSets.contributionIds}) from ${officialAnswerSets}
    where ${officialAnswerSets.siteId} = ${site.id} and ${officialAnswerSets.askedBy} is not null and ${officialAnswerSets.state} = 'draft'))`

/** The columns to order by. `kept` stands where it would stand if it still waited. */
const orderBy = (ctx: Ctx, sort: DeskSort, kept?: string): SQL => {
  switch (sort) {
    case 'waiting':
      // The longest wait has the earliest time.
      return sql`case when ${kept ? sql`${contributions.id} = ${kept} or ` : sql``}${isWaiting(ctx)} then -extract(epoch from ${contributions.submittedAt}) end`
    case 'submittedAt':
      return sql`${contributions.submittedAt}`
    case 'supports':
      return sql`${contributions.supports}`
    case 'replies':
      return sql`${contributions.repliesCount}`
  }
}

/** The order of a list; every order ends with what has no value to sort by. */
export function buildDeskOrder(ctx: Ctx, sort: DeskSearch['sort'] = '-submittedAt', kept?: string): SQL {
  const column = orderBy(ctx, sort.replace(/^-/, '') as DeskSort, kept)
  return sql`${column} ${sql.raw(sort.startsWith('-') ? 'desc' : 'asc')} nulls last, ${contributions.id}`
}

const openCasesOf = (ctx: Ctx, assignee: SQL): SQL =>
  sql`array(select ${moderationCases.contributionId} from ${moderationCases} where ${moderationCases.siteId} = ${ctx.site.id}
    and ${moderationCases.state} = 'open' and ${assignee})`

function isAssignedTo(ctx: Ctx, assignee: string): SQL {
  if (assignee === 'nobody') {
    const taken = openCasesOf(ctx, sql`${moderationCases.assigneeId} is not null`)
    return sql`${contributions.assigneeId} is null and ${contributions.id} <> all (${taken})`
  }
  const person = assignee === 'me' ? (ctx.viewer.kind === 'user' ? ctx.viewer.id : null) : assignee
  const cases = openCasesOf(ctx, sql`${moderationCases.assigneeId} = ${person}`)
  return sql`(${contributions.assigneeId} = ${person} or ${contributions.id} = any (${cases}))`
}

function hasStatus(ctx: Ctx, status: string): SQL {
  if (!STATUS_CODES.some((code) => code === status)) return eq(contributions.statusId, status)
  return sql`${contributions.statusId} = any (array(select ${contributionStatuses.id} from ${contributionStatuses}
    where ${contributionStatuses.siteId} = ${ctx.site.id} and ${contributionStatuses.code} = ${status}))`
}

/** The condition of a filtered list, without its search words. */
export async function loadDeskFilter(ctx: Ctx, tx: Tx, search: DeskSearch): Promise<SQL | undefined> {
  return and(buildDeskFilter(ctx, search), search.profile === undefined ? undefined : await loadWrittenByCondition(ctx, tx, search.profile))
}

/** The same without what people said about themselves. */
export function buildDeskFilter(ctx: Ctx, search: Omit<DeskSearch, 'profile' | 'q'>): SQL | undefined {
  const { longer } = search
  return and(
    eq(contributions.siteId, ctx.site.id),
    buildModeratedScope(ctx),
    search.project ? isInActivities(ctx, eq(projects.id, search.project)) : undefined,
    search.activity ? eq(contributions.activityId, search.activity) : undefined,
    search.state ? eq(contributions.state, search.state) : undefined,
    search.status ? hasStatus(ctx, search.status) : undefined,
    search.category ? sql`${contributions.categories} @> array[${search.category}]::text[]` : undefined,
    search.area ? eq(contributions.areaId, search.area) : undefined,
    search.assignee ? isAssignedTo(ctx, search.assignee) : undefined,
    search.language ? eq(contributions.language, search.language) : undefined,
    search.waits ? waitsFor(ctx, search.waits) : undefined,
    longer
      ? sql`${isWaiting(ctx)} and ${contributions.submittedAt} < ${new Date(ctx.now().getTime() - Number(longer) * DAY_MS)}`
      : undefined,
  )
}

interface StoredRow extends Record<string, unknown> {
  id: string
  number: number
  title: string
  language: ContentLanguage
  state: ContributionState
  status: Translated | null
  activity: Translated
  area: string | null
  supports: number
  submitted: number
  waits: boolean
  overdue: boolean
  assignee: string | null
  total: number
}

/**
 * The list in one statement, which hands over no more rows than a page shows.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export function listDesk(ctx: Ctx, search: DeskSearch): Promise<DeskPage> {
  requirePermissionSomewhere(ctx, 'contributions.moderate')
  const { site } = ctx
  const words = toSearchWords(search.q ?? '')
  const found = words.length > 0 ? joinTexts(site.id, words) : undefined
  const order = buildDeskOrder(ctx, search.sort)
  const offset = ((search.page ?? 1) - 1) * DESK_PAGE_SIZE
  return ctx.db.read(async (tx) => {
    const where = and(await loadDeskFilter(ctx, tx, search), found?.where(contributions.id))
    const { rows } = await tx.execute<StoredRow>(sql`
      with ${found ? sql`${found.found},` : sql``}
      counted as (select count(*)::int as total from ${contributions} where ${where}),
      page as (
        select ${contributions.id} as id, row_number() over (order by ${order}) as place
        from ${contributions} where ${where} order by ${order} limit ${DESK_PAGE_SIZE} offset ${offset})
      select counted.total, one.* from counted left join lateral (
        select ${contributions.id} as id, ${contributions.number} as number, ${contributions.title} as title, ${contributions.language} as language,
          ${contributions.state} as state, ${contributionStatuses.title} as status, ${activities.title} as activity, ${areas.name} as area,
          ${contributions.supports} as supports, (extract(epoch from ${contributions.submittedAt}) * 1000)::float8 as submitted,
          ${isWaiting(ctx)} as waits, (${isWaiting(ctx)} and ${contributions.dueAt} < ${ctx.now()}) is true as overdue, ${users.login} as assignee, page.place
        from page
        join ${contributions} on ${contributions.siteId} = ${site.id} and ${contributions.id} = page.id
        join ${activities} on ${activities.siteId} = ${site.id} and ${activities.id} = ${contributions.activityId}
        left join ${contributionStatuses} on ${contributionStatuses.siteId} = ${site.id} and ${contributionStatuses.id} = ${contributions.statusId}
        left join ${areas} on ${areas.siteId} = ${site.id} and ${areas.id} = ${contributions.areaId}
        left join ${users} on ${users.siteId} = ${site.id} and ${users.id} = coalesce(${contributions.assigneeId},
          (select ${moderationCases.assigneeId} from ${moderationCases} where ${moderationCases.siteId} = ${site.id}
            and ${moderationCases.state} = 'open' and ${moderationCases.contributionId} = ${contributions.id} and ${moderationCases.replyId} is null))
      ) as one on true order by one.place`)
    const localise = createLocaliser(ctx)
    return {
      // Past the last page, the only row holds the total and no contribution.
      data: rows
        .filter(({ id }) => id !== null)
        .map((row) => ({
          id: row.id,
          number: row.number,
          title: row.title,
          language: row.language,
          state: row.state,
          status: row.status && localise(row.status).text,
          activity: localise(row.activity).text,
          area: row.area,
          supports: row.supports,
          submittedAt: new Date(row.submitted).toISOString(),
          isWaiting: row.waits,
          isOverdue: row.overdue,
          assignee: row.assignee,
        })),
      meta: { total: rows[0]?.total ?? 0 },
    }
  })
}

interface StoredFrame extends Record<string, unknown> {
  total: number
  counts: Omit<DeskFrame['counts'], 'all' | 'agreement'>
  agreement: number
  hasActivities: boolean
  activity: { kind: string; settings: unknown } | null
  statuses: { id: string; title: Translated }[]
  areas: { id: string; name: string }[]
  assignees: { id: string; name: string }[]
}

/**
 * Counts of the whole list, and what it can be filtered by, in one statement.
 * @param chosen id of the activity that the list is filtered by
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export function readDeskFrame(ctx: Ctx, chosen: string | null = null): Promise<DeskFrame> {
  requirePermissionSomewhere(ctx, 'contributions.moderate')
  const { site } = ctx
  const scope = scopeWhere(ctx.viewer, 'contributions.moderate', { hub: projects.hubId, project: projects.id }) ?? sql`true`
  const ofSite = and(eq(contributions.siteId, site.id), buildModeratedScope(ctx))
  const weekAgo = new Date(ctx.now().getTime() - 7 * DAY_MS)
  return ctx.db.read(async (tx) => {
    const { rows } = await tx.execute<StoredFrame>(sql`
      with offered as (
        select ${activities.id} as id, ${activities.kind} as kind, ${activities.settings} as settings
        from ${activities} join ${projects} on ${projects.siteId} = ${activities.siteId} and ${projects.id} = ${activities.projectId}
        where ${activities.siteId} = ${site.id} and ${scope}),
      chosen as (select * from offered where id = ${chosen}::uuid)
      select (select count(*)::int from ${contributions} where ${ofSite}) as total,
        (select jsonb_build_object('waiting', count(*), 'mine', count(*) filter (where ${isAssignedTo(ctx, 'me')}),
          'questions', count(*) filter (where ${contributions.dueAt} is not null),
          'week', count(*) filter (where ${contributions.submittedAt} < ${weekAgo}))
          from ${contributions} where ${ofSite} and ${isWaiting(ctx)}) as counts,
        (select count(*)::int from ${contributions} where ${ofSite} and ${waitsFor(ctx, 'agreement')}) as agreement,
        exists (select from offered) as "hasActivities",
        (select jsonb_build_object('kind', kind, 'settings', settings) from chosen) as activity,
        (select coalesce(jsonb_agg(jsonb_build_object('id', ${contributionStatuses.id}, 'title', ${contributionStatuses.title}) order by ${contributionStatuses.position}), '[]') from ${contributionStatuses}
          where ${contributionStatuses.siteId} = ${site.id} and ${contributionStatuses.code} is null
            and ${contributionStatuses.activityId} in (select id from chosen)) as statuses,
        (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by name), '[]') from (
          select ${areas.id} as id, ${areas.name} as name from ${areas} where ${areas.siteId} = ${site.id} and ${areas.goneAt} is null
          order by ${areas.name} limit ${MAX_OPTIONS}) listed) as areas,
        (select coalesce(jsonb_agg(jsonb_build_object('id', ${users.id}, 'name', ${users.login}) order by ${users.login}), '[]') from ${users}
          where ${and(eq(users.siteId, site.id), inArray(users.id, assignedPeople(ctx)))}) as assignees`)
    const [stored] = rows
    if (!stored) throw new Error('The statement answers with one row')
    const text = (translated: Translated) => createLocaliser(ctx)(translated).text
    return {
      counts: { ...stored.counts, all: stored.total, agreement: stored.agreement },
      hasActivities: stored.hasActivities,
      activity: stored.activity && {
        categories: listCategories(stored.activity).map(({ id, title }) => ({ id, title: text(title) })),
        statuses: stored.statuses.map(({ id, title }) => ({ id, title: text(title) })),
      },
      areas: stored.areas,
      assignees: stored.assignees,
      managesPeople: managesPeople(ctx),
    }
  })
}

const listCategories = ({ kind, settings }: { kind: string; settings: unknown }) =>
  isActivityKind(kind) ? readActivitySettings({ kind, settings }).settings.categories : []

const managesPeople = ({ viewer }: Ctx): boolean =>
  viewer.kind === 'user' && viewer.roles.some((place) => checkPermission(viewer, 'participants.manage', place).ok)

/** Team members who have contributions or cases assigned to them. */
const assignedPeople = ({ site }: Ctx): SQL =>
  sql`(select ${contributions.assigneeId} from ${contributions} where ${contributions.siteId} = ${site.id} and ${contributions.assigneeId} is not null
    union select ${moderationCases.assigneeId} from ${moderationCases} where ${moderationCases.siteId} = ${site.id}
      and ${moderationCases.assigneeId} is not null and ${moderationCases.state} = 'open')`
