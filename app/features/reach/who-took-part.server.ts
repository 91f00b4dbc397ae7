import { and, eq, gte, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import { listAreas } from '#app/features/areas/areas.server.ts'
import { countPeopleByOption, type SaidByPeople } from '#app/features/profile-answers/profile-answers.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isCounted, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { ReachAnswers, ReachPlace } from './reach.schema.ts'

/**
 * What people who took part said about themselves: those whose account stands with an answer, a contribution or a place at an event. Anonymous surveys store none.
 * @param from the first day, in the site's calendar
 */
export async function loadWhoTookPart(ctx: Ctx, tx: Tx, { kind, id }: ReachPlace, from: string): Promise<ReachAnswers[]> {
  const people = selectPeople(ctx, kind === 'site' ? undefined : eq(kind === 'hub' ? projects.hubId : projects.id, id), from)
  const counted = await tx.execute<{ all: number }>(sql`select count(*)::int as all from (${people}) people`)
  const said = await countPeopleByOption(tx, { siteId: ctx.site.id, now: ctx.now(), people, all: counted.rows[0]?.all ?? 0 })
  const areas = said.some(({ question }) => question.type === 'area') ? await listAreas(ctx, tx) : []
  const areaNames = new Map(areas.map(({ slug, name }) => [slug, name]))
  return said.map(({ question, options }) => ({
    key: question.key,
    title: localiseText(question.label, ctx.contentLanguage, ctx.site.locale).text,
    options: options.map(({ option, people: number }) => ({ option, label: nameOption(ctx, question, option, areaNames), people: number })),
  }))
}

/** Null for an age group, which the screen names. */
function nameOption(
  ctx: Ctx,
  { type, options }: SaidByPeople['question'],
  option: string,
  areaNames: ReadonlyMap<string, string>,
): string | null {
  if (type === 'year-of-birth') return null
  if (type === 'area') return areaNames.get(option) ?? option
  const label = options.find(({ id }) => id === option)?.label
  return (label && localiseText(label, ctx.contentLanguage, ctx.site.locale).text) || option
}

/**
 * Ids of people who answered with their account, contributed or have a place at an event, each once.
 * @param from the first day, in the site's calendar
 * @param until the last one; without it, until now
 */
export function selectPeople({ site, now }: Ctx, place: SQL | undefined, from: string, until?: string): SQL {
  const since = sql`(${from}::date::timestamp at time zone ${site.timeZone})`
  const end =
    until === undefined ? sql`${now().toISOString()}::timestamptz` : sql`((${until}::date + 1)::timestamp at time zone ${site.timeZone})`
  const ofProjects = and(eq(projects.siteId, site.id), place)
  return sql`select ${responses.userId} as id from ${responses}
      join ${surveys} on ${surveys.siteId} = ${responses.siteId} and ${surveys.id} = ${responses.surveyId}
      join ${projects} on ${projects.siteId} = ${surveys.siteId} and ${projects.id} = ${surveys.projectId}
      where ${and(eq(responses.siteId, site.id), isCounted, isNotNull(responses.userId), gte(responses.submittedAt, since), lte(responses.submittedAt, end), ofProjects)}
    union select ${contributions.authorId} from ${contributions}
      join ${activities} on ${activities.siteId} = ${contributions.siteId} and ${activities.id} = ${contributions.activityId}
      join ${projects} on ${projects.siteId} = ${activities.siteId} and ${projects.id} = ${activities.projectId}
      where ${and(eq(contributions.siteId, site.id), eq(contributions.state, 'published'), isNotNull(contributions.authorId), gte(contributions.submittedAt, since), lte(contributions.submittedAt, end), ofProjects)}
    union select ${eventSignUps.userId} from ${eventSignUps}
      join ${events} on ${events.siteId} = ${eventSignUps.siteId} and ${events.id} = ${eventSignUps.eventId}
      join ${projects} on ${projects.siteId} = ${events.siteId} and ${projects.id} = ${events.projectId}
      where ${and(eq(eventSignUps.siteId, site.id), eq(eventSignUps.state, 'going'), isNotNull(eventSignUps.userId), gte(eventSignUps.createdAt, since), lte(eventSignUps.createdAt, end), ofProjects)}`
}
