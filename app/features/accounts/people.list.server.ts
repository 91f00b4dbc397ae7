import { and, type AnyColumn, asc, count, desc, eq, gte, inArray, isNotNull, isNull, like, ne, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { PERMISSIONS } from '#app/features/permissions/permissions.schema.ts'
import { buildProfileQuery } from '#app/features/profile-answers/profile-answers.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import type { Language } from '#app/lib/languages.ts'
import { highestRole, type Role } from '#app/lib/roles.ts'
import type { SignedInViewer, Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { memberships, peopleGroupMembers, peopleGroups, users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { matchesApproximately, setSimilarityThreshold } from '#app/server/db/text-search.ts'
import { loadSupporters } from './supporters.server.ts'
import type { GroupRule, PEOPLE_SORTS, PeopleFilter, PeopleQuery, Person, PersonStatus, SiteRole } from './accounts.schema.ts'
import { getRealmDb } from './account-realm.server.ts'
import { buildAnswererCondition } from './answerers.server.ts'
import {
  buildInvolvementCondition,
  buildParticipationTimeCondition,
  buildProjectCountCondition,
  buildTopicFollowerCondition,
} from './participation.server.ts'

const MAX_SEARCH_WORDS = 8
/** `work_mem` for a hashed set of more people than any hub has. */
const SET_MEMORY = '64MB'

/** Ids of the people whose answers about themselves match the filter. */
const TOLD = sql`select user_id from told`
/** Filters that compare each person with a set of others. */
const SET_FILTERS = ['hub', 'project', 'projectsAtLeast', 'tookPart', 'followsTopic', 'group'] as const

/** The people the viewer may manage: everyone on the site, or participants of the viewer's own hubs. */
export async function listPeople(ctx: Ctx, query: PeopleQuery): Promise<{ rows: Person[]; total: number }> {
  const viewer = requirePeopleManager(ctx.viewer)
  const words = listSearchWords(query)
  // What people said about themselves is found first: the few who said all of it are all that the other filters look at.
  const told = query.profile === undefined ? undefined : buildAboutQuery(ctx, query.profile)
  const among = told && TOLD
  return ctx.db.read(async (tx) => {
    // Participants of a hub that the viewer manages are all within the viewer's scope: no second check needed.
    const isOwnHub = query.hub !== undefined && checkPermission(viewer, 'participants.manage', { hubId: query.hub }).ok
    const inHubs = isOwnHub ? undefined : buildHubPeopleCondition(ctx, viewer, among)
    const narrowing = [inHubs, ...(await loadFilterConditions(ctx, tx, query, among))]
    // With filters that compare many rows, read page and total in one scan; otherwise by two indexes.
    const comparesSets = words.length > 0 || inHubs !== undefined || SET_FILTERS.some((name) => query[name])
    const narrowed = comparesSets || told !== undefined
    if (comparesSets && (!told || query.group)) await tx.execute(sql`select set_config('work_mem', ${SET_MEMORY}, true)`)
    const sets = comparesSets ? narrowing.map((condition) => condition && forceSetLookup(condition)) : narrowing
    const within = [...sets, among && sql`${users.id} in (${among})`]
    const loadPage = (found?: SQL, exact?: SQL) =>
      loadIdPage(tx, and(eq(users.siteId, ctx.site.id), ...within, found), { ...query, language: ctx.language }, { narrowed, told, exact })
    const written = and(...words.map((word) => like(users.searchText, toLikePattern(word))))
    const alike = buildAlikeCondition(query, words)
    if (alike) await setSimilarityThreshold(tx)
    // Building the set of participants costs more than comparing them, so search exact and fuzzy matches in one query.
    const atOnce = alike && (inHubs ?? query.hub ?? query.project) !== undefined
    let { ids, total } = atOnce ? await loadPage(or(written, alike), written) : await loadPage(written)
    if (total === 0 && alike && !atOnce) ({ ids, total } = await loadPage(alike))
    const rows = ids.length ? await selectPeople(tx, lookUpRows(users, ctx.site.id, ids)) : []
    const byId = new Map(rows.map((row) => [row.user.id, toPerson(row)]))
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), total }
  })
}

const listSearchWords = ({ q = '' }: PeopleQuery): string[] => normaliseText(q).split(' ').filter(Boolean).slice(0, MAX_SEARCH_WORDS)

/** If no name contains the words, similar spellings are tried. Email addresses and numbers must match exactly. */
const buildAlikeCondition = ({ q = '' }: PeopleQuery, words: readonly string[]): SQL | undefined =>
  words.length > 0 && !/[\d@]/.test(q) ? and(...words.map(buildFuzzyCondition)) : undefined

interface IdPage extends Record<string, unknown> {
  ids: string[]
  total: number
}

/**
 * Ids of a page, and the total, in one statement: one scan if filters narrow the rows, otherwise two by indexes only.
 * @param told a query that the condition knows as `told`
 * @param exact if it matches anyone, only its matches are returned
 */
async function loadIdPage(
  tx: Tx,
  where: SQL | undefined,
  query: PeopleQuery & { language: Language },
  { narrowed, told, exact }: { narrowed: boolean; told: SQL | undefined; exact: SQL | undefined },
): Promise<IdPage> {
  if (!narrowed) {
    const page = tx
      .select({ id: users.id })
      .from(users)
      .where(where)
      .orderBy(...buildOrder(query, users))
      .limit(query.limit)
      .offset(query.offset)
    const counted = tx.select({ total: count() }).from(users).where(where)
    const { rows } = await tx.execute<IdPage>(sql`select array${page} as ids, ${counted}::int as total`)
    return rows[0] ?? { ids: [], total: 0 }
  }
  const found = tx.$with('found').as(
    tx
      .select({ ...pickSortColumns(query.sort), ...(exact ? { exact: exact.as('exact') } : {}) })
      .from(users)
      .where(where),
  )
  const best = exact && sql`(exact or not exists (select from ${found} where exact))`
  const page = tx
    .select({ id: found.id })
    .from(found)
    .where(best)
    .orderBy(...buildOrder(query, found))
    .limit(query.limit)
    .offset(query.offset)
  const [row] = await tx
    .with(...(told ? [tx.$with('told', { userId: sql<string>`user_id`.as('user_id') }).as(told)] : []), found)
    .select({ total: count(), ids: sql<string[]>`array${page}` })
    .from(found)
    .where(best)
  return row ?? { ids: [], total: 0 }
}

/** Stops the planner from turning the set into a join with one lookup per person: it is built once and probed. */
const forceSetLookup = (condition: SQL): SQL => sql`(${condition}) is true`

/** Similar enough and with the same first letter, which misspellings rarely change: this spares comparing most people. */
const buildFuzzyCondition = (word: string): SQL => {
  const [first = ''] = word
  const begins = sql`(${users.searchText} like ${`${first}%`} or ${users.searchText} like ${`% ${first}%`})`
  return matchesApproximately(word, users.searchText, begins)
}

/** Loads people by id: the viewer's own account, and those they manage. */
export async function loadPeopleById(ctx: Ctx, ids: readonly string[]): Promise<Person[]> {
  const { viewer } = ctx
  if (viewer.kind === 'visitor' || ids.length === 0) return []
  const own = and(eq(users.siteId, viewer.siteId), eq(users.id, viewer.id))
  const managed = await ctx.db.read((tx) =>
    selectPeople(tx, lookUpRows(users, ctx.site.id, ids)).where(and(buildManagedPeopleCondition(ctx, viewer), ne(users.id, viewer.id))),
  )
  const self = ids.includes(viewer.id) ? await getRealmDb(ctx, viewer.siteId).read((tx) => selectPeople(tx).where(own)) : []
  return [...self, ...managed].map(toPerson)
}

/** Counts the managed people that match a condition. */
export async function countPeople(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<number> {
  const [counted] = await tx
    .select({ total: count() })
    .from(users)
    .where(and(buildManagedPeopleCondition(ctx, requirePeopleManager(ctx.viewer)), where))
  return counted?.total ?? 0
}

/** Ids of up to `most` members of a group that the viewer manages. */
export async function loadGroupPeopleIds(ctx: Ctx, tx: Tx, group: GroupBasis, most: number): Promise<string[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(buildManagedPeopleCondition(ctx, requirePeopleManager(ctx.viewer)), await loadGroupCondition(ctx, tx, group)))
    .orderBy(asc(users.id))
    .limit(most)
  return rows.map(({ id }) => id)
}

/** @throws {AppError} if the viewer manages no one */
export function requirePeopleManager(viewer: Viewer): SignedInViewer {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!viewer.roles.some(({ role }) => PERMISSIONS['participants.manage'][role] !== 'no')) throw new AppError('forbidden')
  return viewer
}

/** Matches people the viewer manages: those who belong to a project of the viewer's hubs. */
export const buildManagedPeopleCondition = (ctx: Ctx, viewer: SignedInViewer): SQL | undefined =>
  and(eq(users.siteId, ctx.site.id), buildHubPeopleCondition(ctx, viewer))

/** @param among a query of the only people who are asked for */
function buildHubPeopleCondition(ctx: Ctx, viewer: SignedInViewer, among?: SQL): SQL | undefined {
  const hubs = scopeWhere(viewer, 'participants.manage', { hub: projects.hubId })
  return hubs && buildParticipationCondition(ctx.site.id, hubs, among)
}

type GroupBasis = Pick<typeof peopleGroups.$inferSelect, 'id' | 'rule' | 'hubId'>

/**
 * Matches members of a group, added by hand or by rule. A hub's rule only matches that hub's own participants.
 * @param userId if only this account is asked for
 */
export async function loadGroupCondition(ctx: Ctx, tx: Tx, group: GroupBasis, userId?: string): Promise<SQL | undefined> {
  if (group.rule === null)
    return sql`${users.id} in (select ${peopleGroupMembers.userId} from ${peopleGroupMembers}
      where ${peopleGroupMembers.siteId} = ${ctx.site.id} and ${peopleGroupMembers.groupId} = ${group.id})`
  const rule = group.rule as GroupRule
  const daysAgo = (days: number) => new Date(ctx.now().getTime() - days * 86_400_000)
  const ofHub = group.hubId ? eq(projects.hubId, group.hubId) : undefined
  const supporters = await loadSupporterCondition(ctx, tx, { rule, inScope: ofHub, userId })
  return and(
    ofHub && or(buildParticipationCondition(ctx.site.id, ofHub), supporters),
    ...buildFilterConditions(ctx, rule, ofHub),
    rule.contributedTo ? buildContributorCondition(ctx.site.id, rule.contributedTo, ofHub) : undefined,
    supporters,
    rule.answered ? buildAnswererCondition(ctx.site.id, rule.answered, ofHub) : undefined,
    rule.profile === undefined ? undefined : sql`${users.id} in (${buildAboutQuery(ctx, rule.profile)})`,
    rule.joinedWithinDays ? gte(users.createdAt, daysAgo(rule.joinedWithinDays)) : undefined,
    rule.seenWithinDays ? gte(users.lastSeenAt, daysAgo(rule.seenWithinDays)) : undefined,
  )
}

/** Matches people who support something in the rule's activity; undefined if the rule names none. */
export async function loadSupporterCondition(
  ctx: Ctx,
  tx: Tx,
  { rule, inScope, userId }: { rule: GroupRule | null; inScope: SQL | undefined; userId?: string | undefined },
): Promise<SQL | undefined> {
  if (!rule?.supportedIn) return undefined
  const ids = await loadSupporters(ctx, tx, { activityId: rule.supportedIn, inScope, userId })
  return sql`${users.id} = any(${sql.param(ids)}::uuid[])`
}

/** People whose contribution to an activity is public or waits for a moderator. */
const buildContributorCondition = (siteId: string, activityId: string, inScope: SQL | undefined): SQL => sql`${users.id} in (
  select ${contributions.authorId} from ${contributions}
    join ${activities} on ${activities.siteId} = ${siteId} and ${activities.id} = ${contributions.activityId}
    join ${projects} on ${projects.siteId} = ${siteId} and ${projects.id} = ${activities.projectId}${inScope ? sql` and ${inScope}` : sql``}
    where ${contributions.siteId} = ${siteId} and ${contributions.activityId} = ${activityId} and ${contributions.authorId} is not null
      and ${contributions.state} in ('published', 'merged', 'held'))`

/** @param among a query of the only people who are asked for */
async function loadFilterConditions(ctx: Ctx, tx: Tx, query: PeopleFilter, among: SQL | undefined): Promise<(SQL | undefined)[]> {
  const inScope = scopeWhere(ctx.viewer, 'participants.manage', { hub: projects.hubId })
  const scope = { siteId: ctx.site.id, column: sql`${users.id}`, inScope, among }
  return [
    ...buildFilterConditions(ctx, query, inScope, among),
    query.ids ? inArray(users.id, [...query.ids]) : undefined,
    query.projectsAtLeast ? buildProjectCountCondition(scope, query.projectsAtLeast) : undefined,
    query.tookPart ? buildParticipationTimeCondition(scope, query.tookPart, ctx.now()) : undefined,
    query.followsTopic ? buildTopicFollowerCondition(scope, query.followsTopic) : undefined,
    buildFlagCondition(query.blocked, users.blockedAt),
    buildFlagCondition(query.confirmed, users.emailConfirmedAt),
    query.status?.length ? or(...query.status.map((status) => STATUS_CONDITIONS[status])) : undefined,
    query.group ? await loadVisibleGroupCondition(ctx, tx, query.group) : undefined,
  ]
}

/** People cannot be listed by their sensitive answers. */
const buildAboutQuery = (ctx: Ctx, filter: string): SQL =>
  buildProfileQuery({ siteId: ctx.site.id, now: ctx.now(), filter, includesSensitive: false })

/**
 * @param inScope projects in which participation may be queried; any other counts as nonexistent
 * @param among a query of the only people who are asked for
 */
function buildFilterConditions(
  ctx: Ctx,
  { role, hub, project, locale, marketingConsent }: PeopleFilter,
  inScope: SQL | undefined,
  among?: SQL,
): (SQL | undefined)[] {
  const roles = role?.filter((one) => one !== 'participant')
  const buildRoleCondition = (some?: readonly SiteRole[]) =>
    sql`${users.id} in (select ${memberships.userId} from ${memberships}
      where ${memberships.siteId} = ${ctx.site.id}${some ? sql` and ${inArray(memberships.role, [...some])}` : sql``})`
  return [
    role === undefined
      ? undefined
      : or(
          roles?.length ? buildRoleCondition(roles) : undefined,
          role.includes('participant') ? sql`not ${buildRoleCondition()}` : undefined,
        ),
    hub ? buildParticipationCondition(ctx.site.id, and(eq(projects.hubId, hub), inScope), among) : undefined,
    project ? buildParticipationCondition(ctx.site.id, and(eq(projects.id, project), inScope), among) : undefined,
    locale ? eq(users.locale, locale) : undefined,
    buildFlagCondition(marketingConsent, users.marketingConsentAt),
  ]
}

/** A group that the viewer may not see has no members. */
async function loadVisibleGroupCondition(ctx: Ctx, tx: Tx, id: string): Promise<SQL | undefined> {
  const [group] = await tx
    .select()
    .from(peopleGroups)
    .where(
      and(
        eq(peopleGroups.siteId, ctx.site.id),
        eq(peopleGroups.id, id),
        scopeWhere(ctx.viewer, 'participants.manage', { hub: peopleGroups.hubId }),
      ),
    )
  return group ? loadGroupCondition(ctx, tx, group) : sql`false`
}

const buildParticipationCondition = (siteId: string, inScope: SQL | undefined, among?: SQL): SQL =>
  buildInvolvementCondition({ siteId, column: sql`${users.id}`, inScope, among }, true)

const invitedCondition = and(isNull(users.passwordHash), isNull(users.emailConfirmedAt))
const STATUS_CONDITIONS: Record<PersonStatus, SQL | undefined> = {
  blocked: isNotNull(users.blockedAt),
  invited: and(isNull(users.blockedAt), invitedCondition),
  unconfirmed: and(isNull(users.blockedAt), isNotNull(users.passwordHash), isNull(users.emailConfirmedAt)),
  active: and(isNull(users.blockedAt), isNotNull(users.emailConfirmedAt)),
}

const buildFlagCondition = (
  wanted: boolean | undefined,
  column: typeof users.blockedAt | typeof users.emailConfirmedAt | typeof users.marketingConsentAt,
) => (wanted === undefined ? undefined : wanted ? isNotNull(column) : isNull(column))

type SortColumns = Record<(typeof PEOPLE_SORTS)[number] | 'id', AnyColumn>

/** Only the columns that the page is sorted by. */
const pickSortColumns = (sort: PeopleQuery['sort']): Pick<typeof users, keyof SortColumns> => {
  const columns: Partial<SortColumns> = { id: users.id }
  for (const { by } of sort) columns[by] = users[by]
  return columns as Pick<typeof users, keyof SortColumns>
}

/** Matches the order of the indexes, with the id in the same direction. */
function buildOrder({ sort, language }: Pick<PeopleQuery, 'sort'> & { language: Language }, columns: SortColumns): SQL[] {
  return [
    ...sort.map(({ by, descending }) =>
      by === 'lastSeenAt'
        ? sql`${columns.lastSeenAt} ${sql.raw(descending ? 'desc nulls last' : 'asc nulls first')}`
        : (descending ? desc : asc)(by === 'login' ? collateFor(language, columns.login) : columns[by]),
    ),
    (sort[0]?.descending && sort[0].by !== 'lastSeenAt' ? desc : asc)(columns.id),
  ]
}

const rolesHeld = sql<Role[]>`array(select m.role from memberships m where m.site_id = users.site_id and m.user_id = users.id)`

const personColumns = { user: users, roles: rolesHeld }

const selectPeople = (tx: Tx, found: typeof users = users) => tx.select(personColumns).from(found)

function toPerson({ user, roles }: { user: typeof users.$inferSelect; roles: Role[] }): Person {
  return {
    id: user.id,
    email: user.email,
    login: user.login,
    locale: user.locale,
    type: roles.length ? 'administrator' : 'participant',
    roleName: highestRole(roles) ?? 'participant',
    status: toPersonStatus(user),
    confirmed: user.emailConfirmedAt !== null,
    hasSecondStep: user.secondStepSince !== null,
    marketingConsent: user.marketingConsentAt !== null,
    blockedAt: user.blockedAt,
    blockedReason: user.blockedReason,
    lastSeenAt: user.lastSeenAt,
    createdAt: user.createdAt,
  }
}

function toPersonStatus(user: typeof users.$inferSelect): PersonStatus {
  if (user.blockedAt) return 'blocked'
  if (user.emailConfirmedAt) return 'active'
  return user.passwordHash === null ? 'invited' : 'unconfirmed'
}
