import { type SQL, sql } from 'drizzle-orm'
import { loadPeopleById, requirePeopleManager } from '#app/features/accounts/people.list.server.ts'
import { loadParticipations, type Participation } from '#app/features/accounts/participation.server.ts'
import { recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { ACTIVITIES_PER_PAGE, type ActivityKind, type PersonActivity, type PersonSearch } from './activity.schema.ts'
import { OWN_DATA } from './own-data.registry.server.ts'

/**
 * In how many projects of the viewer's hubs these people took part, and when first and last. Those who did not are left out.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export async function readParticipations(ctx: Ctx, ids: readonly string[]): Promise<Participation[]> {
  const viewer = requirePeopleManager(ctx.viewer)
  const managed = (await loadPeopleById(ctx, ids)).map(({ id }) => id)
  return ctx.db.read((tx) =>
    loadParticipations(tx, ctx.site.id, managed, scopeWhere(viewer, 'participants.manage', { hub: projects.hubId })),
  )
}

interface ActivityRow {
  kind: ActivityKind
  /** ISO timestamp with the database's offset. */
  at: string
  target: string | null
  survey: string | null
  /** A title in several languages, or words as they were typed. */
  title: Translated | null
  words: string | null
  project_id: string | null
  project: Translated | null
}

/**
 * A page of what the person did here and what was sent to them, newest first, limited to the viewer's hubs.
 * @throws {AppError} `unauthenticated`, `forbidden`, `not-found`
 */
export async function readActivity(
  ctx: Ctx,
  userId: string,
  { kind, project, page = 1 }: PersonSearch = {},
): Promise<{ data: PersonActivity[]; meta: { total: number } }> {
  const viewer = requirePeopleManager(ctx.viewer)
  const [person] = await loadPeopleById(ctx, [userId])
  if (!person) throw new AppError('not-found')
  const inHubs = scopeWhere(viewer, 'participants.manage', { hub: projects.hubId })
  const wanted = sql.join(
    [sql`true`, kind ? sql`kind = ${kind}` : sql`true`, project ? sql`project_id = ${project}::uuid` : sql`true`],
    sql` and `,
  )
  const newestFirst = sql`at desc, kind, target, survey`
  const [found] = await ctx.db.read(
    async (tx) =>
      (
        await tx.execute<{ total: number; rows: ActivityRow[] }>(sql`
          with found as (select * from (${buildActivities(ctx.site.id, userId, inHubs)}) done where ${wanted}),
            page as (select * from found order by ${newestFirst} limit ${ACTIVITIES_PER_PAGE} offset ${(page - 1) * ACTIVITIES_PER_PAGE})
          select (select count(*)::int from found) as total,
            coalesce((select jsonb_agg(to_jsonb(page) order by ${newestFirst}) from page), '[]') as rows`)
      ).rows,
  )
  return { data: (found?.rows ?? []).map((row) => toActivity(ctx, row)), meta: { total: found?.total ?? 0 } }
}

function toActivity(ctx: Ctx, { kind, at, target, survey, title, words, project_id, project }: ActivityRow): PersonActivity {
  const localise = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  return {
    id: [kind, target, at].join(' '),
    kind,
    at: new Date(at).toISOString(),
    project: project_id && project ? { id: project_id, title: localise(project) } : null,
    title: title ? localise(title) : words,
    target,
    survey,
  }
}

/** One row for each thing that the person did, or that was sent to them. */
function buildActivities(siteId: string, userId: string, inHubs: SQL | undefined): SQL {
  const inScope = inHubs ? sql`and ${inHubs}` : sql``
  const ofProject = (column: SQL) => sql`join projects on projects.site_id = ${siteId} and projects.id = ${column} ${inScope}`
  const own = (table: string) => sql`${sql.raw(table)}.site_id = ${siteId} and ${sql.raw(table)}.user_id = ${userId}`
  const ofContribution = sql`join contributions c on c.site_id = ${siteId}`
  const ofActivity = sql`join activities a on a.site_id = ${siteId} and a.id = c.activity_id ${ofProject(sql`a.project_id`)}`
  const isThere = (table: string) => sql`${sql.raw(table)}.state not in ('withdrawn', 'erased')`
  const place = sql`projects.id, projects.title`
  const none = sql`null::jsonb, null::text`
  const sent = (kind: ActivityKind, at: SQL, table: string) => sql`
    select ${kind}::text, ${at}, s.id, null::uuid, null::jsonb, s.name, ${place} from ${sql.raw(table)} m
      join campaigns s on s.site_id = ${siteId} and s.id = m.campaign_id
      left ${ofProject(sql`s.project_id`)} where ${own('m')} and ${at} is not null and ${inHubs ?? sql`true`}`
  const signUps = (kind: ActivityKind, at: SQL) => sql`
    select ${kind}::text, ${at}, e.id, null::uuid, e.title, null::text, ${place} from event_sign_ups g
      join events e on e.site_id = ${siteId} and e.id = g.event_id ${ofProject(sql`e.project_id`)}
      where ${own('g')} and ${at} is not null and g.state <> 'cancelled'`
  const withProjects = [
    sql`select 'answered'::text as kind, r.submitted_at as at, r.id as target, s.id as survey, s.title as title, null::text as words,
        projects.id as project_id, projects.title as project from responses r
      join surveys s on s.site_id = ${siteId} and s.id = r.survey_id and not s.anonymous ${ofProject(sql`s.project_id`)}
      where ${own('r')} and r.withdrawn_at is null`,
    sql`select 'contributed', c.submitted_at, c.id, null::uuid, null::jsonb, c.title, ${place} from contributions c
      join activities a on a.site_id = ${siteId} and a.id = c.activity_id ${ofProject(sql`a.project_id`)}
      where c.site_id = ${siteId} and c.author_id = ${userId} and ${isThere('c')}`,
    sql`select 'replied', r.created_at, c.id, null::uuid, null::jsonb, c.title, ${place} from replies r
      ${ofContribution} and c.id = r.contribution_id ${ofActivity}
      where r.site_id = ${siteId} and r.author_id = ${userId} and ${isThere('r')}`,
    signUps('signed-up', sql`g.created_at`),
    signUps('attended', sql`g.attended_at`),
    sql`select 'follows-contribution', f.created_at, c.id, null::uuid, null::jsonb, c.title, ${place} from contribution_follows f
      ${ofContribution} and c.id = f.contribution_id ${ofActivity} where ${own('f')} and ${isThere('c')}`,
    sql`select 'follows', f.created_at, projects.id, null::uuid, ${none}, ${place} from project_follows f
      ${ofProject(sql`f.project_id`)} where ${own('f')}`,
    sql`select 'member', m.created_at, projects.id, null::uuid, ${none}, ${place} from project_members m
      ${ofProject(sql`m.project_id`)} where ${own('m')}`,
    sent('mailed', sql`m.sent_at`, 'outbox_mails'),
    sent('returned', sql`m.returned_at`, 'outbox_mails'),
    sent('texted', sql`m.sent_at`, 'sms_messages'),
  ]
  const nowhere = sql`null::uuid, null::uuid, ${none}, null::uuid, null::jsonb`
  const consents = (table: string, things: string) => sql`
    select case when g.given then ${`agreed-${things}`}::text else ${`refused-${things}`}::text end, g.at, ${nowhere} from ${sql.raw(table)} g where ${own('g')}`
  const withoutProject = [
    sql`select 'joined', u.created_at, ${nowhere} from users u where u.site_id = ${siteId} and u.id = ${userId}`,
    sql`select 'verified', v.created_at, ${nowhere} from verifications v where ${own('v')}`,
    consents('mail_consents', 'mails'),
    consents('sms_consents', 'texts'),
  ]
  return sql.join([...withProjects, ...(inHubs ? [] : withoutProject)], sql` union all `)
}

/**
 * Everything the site holds about one person, for subject access requests in writing. The export is audited.
 * @throws {AppError} `forbidden`, `fresh-sign-in-required`, `not-found`
 */
export async function exportPerson(ctx: Ctx, userId: string): Promise<Record<string, unknown>> {
  requirePermission(ctx, 'participants.export-one')
  const [person] = await loadPeopleById(ctx, [userId])
  if (!person) throw new AppError('not-found')
  return ctx.db.tx(async (tx) => {
    const who = { siteId: ctx.site.id, userId, email: person.email }
    const sections: [string, unknown][] = []
    for (const section of OWN_DATA) sections.push([section.name, await section.read(ctx, tx, who)])
    await recordPersonalDownload(ctx, tx, { action: 'users.export', subject: { type: 'users', id: userId } })
    return { site: ctx.site.name, readAt: ctx.now(), ...Object.fromEntries(sections) }
  })
}
