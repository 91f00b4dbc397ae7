import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
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
export async function readersWhere(ctx: Ctx, tx: Tx, { hubId, projectId, audience }: AudienceOf): Promise<SQL | undefined> {
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

/** People of the audience by their ids, some at a time. */
export async function readersAfter(ctx: Ctx, tx: Tx, of: AudienceOf, after: string | null, most: number): Promise<Reader[]> {
  return tx
    .select({ id: users.id, login: users.login, phone: userPhones.phone, locale: users.locale })
    .from(userPhones)
    .innerJoin(users, and(eq(users.siteId, userPhones.siteId), eq(users.id, userPhones.userId)))
    .where(and(await readersWhere(ctx, tx, of), after ? sql`${users.id} > ${after}` : undefined))
    .orderBy(users.id)
    .limit(most)
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
