import { and, eq, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { inGroup } from '#app/features/accounts/people.list.server.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { peopleGroups, projectFollows, projects, responses, surveys, userPhones, users } from '#app/server/db/schema.ts'
import type { Audience } from './campaigns.schema.ts'

export interface Reader {
  id: string
  login: string
  phone: string
  locale: Language
}

/** To whom a campaign goes: its department's or its project's people, narrowed. */
export interface AudienceOf {
  hubId: string | null
  projectId: string | null
  audience: Audience
}

/** What a person of the audience is: has confirmed a number, agreed to texts, and belongs. */
async function readersWhere(ctx: Ctx, tx: Tx, { hubId, projectId, audience }: AudienceOf): Promise<SQL | undefined> {
  const siteId = ctx.site.id
  const [group] = audience.group
    ? await tx
        .select()
        .from(peopleGroups)
        .where(and(eq(peopleGroups.siteId, siteId), eq(peopleGroups.id, audience.group)))
    : []
  return and(
    eq(userPhones.siteId, siteId),
    eq(users.siteId, siteId),
    eq(users.id, userPhones.userId),
    isNull(users.blockedAt),
    isNotNull(users.emailConfirmedAt),
    // Of each number the latest line of the ledger counts.
    sql`(select c.given from sms_consents c where c.site_id = ${siteId} and c.phone = ${userPhones.phone} order by c.at desc, c.id desc limit 1)`,
    projectId ? tookPart(siteId, sql`${projects.id} = ${projectId}`) : undefined,
    hubId && !projectId ? tookPart(siteId, sql`${projects.hubId} = ${hubId}`) : undefined,
    audience.topic ? tookPart(siteId, sql`${projects.topicId} = ${audience.topic}`) : undefined,
    audience.language ? eq(users.locale, audience.language) : undefined,
    audience.group ? (group ? inGroup(ctx, group) : sql`false`) : undefined,
  )
}

/**
 * The audience among the next confirmed numbers, by their owners' ids: however large the site is, a look costs what so many numbers cost.
 * @returns who of them belongs, and the id the next look goes on after; null at the end
 */
export async function readersAfter(
  ctx: Ctx,
  tx: Tx,
  of: AudienceOf,
  after: string | null,
  most: number,
): Promise<{ readers: Reader[]; until: string | null }> {
  const beyond = and(eq(userPhones.siteId, ctx.site.id), after ? gt(userPhones.userId, after) : undefined)
  const [last] = await tx
    .select({ id: userPhones.userId })
    .from(userPhones)
    .where(beyond)
    .orderBy(userPhones.userId)
    .limit(1)
    .offset(most - 1)
  const readers = await tx
    .select({ id: users.id, login: users.login, phone: userPhones.phone, locale: users.locale })
    .from(userPhones)
    .innerJoin(users, and(eq(users.siteId, userPhones.siteId), eq(users.id, userPhones.userId)))
    .where(and(await readersWhere(ctx, tx, of), beyond, last ? lte(userPhones.userId, last.id) : undefined))
    .orderBy(userPhones.userId)
  return { readers, until: last?.id ?? null }
}

/** The whole audience, some at a time. */
export async function* everyReader(ctx: Ctx, of: AudienceOf, most: number): AsyncGenerator<Reader[]> {
  for (let after: string | null = null; ;) {
    const from: string | null = after
    const found: { readers: Reader[]; until: string | null } = await ctx.db.tx((tx) => readersAfter(ctx, tx, of, from, most))
    yield found.readers
    if (!found.until) return
    after = found.until
  }
}

/** Who follows a project or answered one of its surveys. */
const tookPart = (siteId: string, project: SQL): SQL => sql`${users.id} in (
  select ${projectFollows.userId} from ${projectFollows}
    join ${projects} on ${projects.siteId} = ${siteId} and ${projects.id} = ${projectFollows.projectId} and ${project}
    where ${projectFollows.siteId} = ${siteId}
  union all select ${responses.userId} from ${responses}
    join ${surveys} on ${surveys.siteId} = ${siteId} and ${surveys.id} = ${responses.surveyId}
    join ${projects} on ${projects.siteId} = ${siteId} and ${projects.id} = ${surveys.projectId} and ${project}
    where ${responses.siteId} = ${siteId} and ${responses.userId} is not null)`
