import { type SQL, sql } from 'drizzle-orm'
import { UNDO_MS } from '#app/features/contributions/moderation/undoable.schema.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { OwnKind } from './notifications.schema.ts'

/**
 * Queries for news about the viewer's own contributions and reports, which is also sent by email. One query per source, with the columns
 * `id`, `kind`, `title` as JSON, `subject` and `at`. They leave out what the viewer did.
 */
export function buildOwnQueries({ site, now }: Ctx, viewer: SignedInViewer, since: Date): SQL[] {
  const ofContribution = sql`join activities a on a.site_id = c.site_id and a.id = c.activity_id
    join projects p on p.site_id = a.site_id and p.id = a.project_id`
  const page = sql`'/projects/' || p.slug || '/' || a.slug || '/' || c.number`
  const receipt = sql`'/projects/' || p.slug || '/' || a.slug || '/receipt?number=' || c.number`
  const title = sql`to_jsonb(c.title)`
  const kind = (name: OwnKind) => sql`${name}::text`
  // `offset 0` keeps PostgreSQL from reading all rows of the site to join them, which it expects to be few on a site of average size.
  const eachOwn = (table: SQL, condition: SQL) =>
    sql`cross join lateral (select * from ${table} where site_id = ${site.id} and ${condition} offset 0)`
  const undoableAfter = new Date(now().getTime() - UNDO_MS)
  return [
    // No notification while a decision can still be undone.
    sql`(select d.id as id, case d.decision when 'publish' then ${kind('own-published')} when 'hold' then ${kind('own-held')}
        when 'decline' then ${kind('own-declined')} when 'remove' then ${kind('own-removed')} when 'mask' then ${kind('own-masked')}
        else ${kind('own-unmasked')} end as kind, ${title} as title,
        case when m.reply_id is null and d.decision in ('hold', 'decline', 'remove') then ${receipt} else ${page} end as subject,
        d.decided_at as at
      from ((select id as contribution_id, null::uuid as reply_id from contributions where site_id = ${site.id} and author_id = ${viewer.id})
        union all (select contribution_id, id from replies where site_id = ${site.id} and author_id = ${viewer.id})) own
      ${eachOwn(sql`moderation_cases`, sql`contribution_id = own.contribution_id and reply_id is not distinct from own.reply_id`)} m
      ${eachOwn(sql`moderation_decisions`, sql`case_id = m.id and decided_at >= ${since}`)} d
      ${eachOwn(sql`contributions`, sql`id = own.contribution_id`)} c ${ofContribution}
      where d.decision not in ('keep', 'restore') and d.decided_by is distinct from ${viewer.id}
        and (d.before is null or d.decided_at <= ${undoableAfter}))`,
    sql`(select o.id, ${kind('own-answered')}, ${title}, case o.visibility when 'private' then ${receipt} else ${page} end, o.created_at
      from official_responses o join contributions c on c.site_id = o.site_id and c.id = o.contribution_id ${ofContribution}
      where o.site_id = ${site.id} and o.created_at >= ${since} and o.withdrawn_at is null and c.author_id = ${viewer.id}
        and (o.group_id is null or not exists (select from official_responses s join contributions a on a.site_id = s.site_id and a.id = s.contribution_id
          where s.site_id = ${site.id} and s.group_id = o.group_id and s.withdrawn_at is null and s.id < o.id and a.author_id = ${viewer.id}))
        and o.created_by is distinct from ${viewer.id})`,
    sql`(select l.id, ${kind('own-merged')}, ${title}, ${page}, l.created_at
      from contribution_links l join contributions c on c.site_id = l.site_id and c.id = l.contribution_id ${ofContribution}
      where l.site_id = ${site.id} and l.kind = 'duplicate_of' and l.ended_at is null and l.created_at >= ${since}
        and c.author_id = ${viewer.id} and l.created_by is distinct from ${viewer.id})`,
    sql`(select q.id, ${kind('own-appeal')}, ${title}, '/appeals/' || q.decision_id, q.decided_at
      from moderation_appeals q join moderation_cases m on m.site_id = q.site_id and m.id = q.case_id
      join contributions c on c.site_id = m.site_id and c.id = m.contribution_id
      where q.site_id = ${site.id} and q.appellant_id = ${viewer.id} and q.state in ('upheld', 'overturned') and q.decided_at >= ${since})`,
    // Each outcome of a proposal is news of its own.
    sql`(select md5(o.id::text || o.told)::uuid, 'own-' || replace(o.told, '_', '-'), ${title},
        '/projects/' || p.slug || '/budgets/' || r.slug || case o.told when 'decided' then '/results' else '' end, o.told_at
      from contributions c
      ${eachOwn(sql`budget_options`, sql`contribution_id = c.id and told_at >= ${since}`)} o
      join budget_rounds r on r.site_id = o.site_id and r.id = o.round_id join projects p on p.site_id = r.site_id and p.id = r.project_id
      where c.site_id = ${site.id} and c.author_id = ${viewer.id})`,
    // As by mail: once the decision can no longer be undone.
    sql`(select e.id, ${kind('own-report')}, ${title}, ${page}, e.told_at
      from moderation_reports e join contributions c on c.site_id = e.site_id and c.id = e.contribution_id ${ofContribution}
      where e.site_id = ${site.id} and e.reporter_id = ${viewer.id} and e.told_at >= ${since})`,
  ]
}
