import { sql } from 'drizzle-orm'
import { canSendMail } from '#app/features/marketplace/site-mail-transport.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { FirstStep, FirstStepName } from './first-steps.schema.ts'

/** Privacy and terms of use. */
const LEGAL_PAGES = 2

interface Existing extends Record<string, unknown> {
  legal: boolean
  appearance: boolean
  homepage: boolean
  hub: boolean
  project: boolean
  survey: boolean
  activity: boolean
  rules: boolean
  publish: boolean
  invite: boolean
}

/**
 * The steps of a new site's administrators, computed from what exists. Moderation rules are among them only if there is something to moderate,
 * an email service only until there is one, and publishing is done only if there is something to take part in. Empty for anybody else.
 */
export async function loadFirstSteps(ctx: Ctx): Promise<FirstStep[]> {
  if (!checkPermission(ctx.viewer, 'site.edit').ok) return []
  const { id, contactEmail } = ctx.site
  const sendsMail = await canSendMail(ctx)
  const existing = await ctx.db.read(async (tx) => {
    const { rows } = await tx.execute<Existing>(sql`select
      (select count(*) >= ${LEGAL_PAGES} from pages where site_id = ${id} and kind = 'legal' and published_at is not null) as legal,
      exists (select from appearance_revisions where site_id = ${id} and hub_id is null and published_at is not null) as appearance,
      exists (select from homepage_revisions where site_id = ${id} and hub_id is null and published_at is not null) as homepage,
      exists (select from hubs where site_id = ${id}) as hub,
      exists (select from projects where site_id = ${id}) as project,
      exists (select from surveys where site_id = ${id}) as survey,
      exists (select from activities where site_id = ${id}) as activity,
      exists (select from moderation_rules where site_id = ${id}) as rules,
      exists (
        select from projects project
        where project.site_id = ${id} and project.status in ('published', 'archived') and (
          exists (select from surveys where site_id = ${id} and project_id = project.id and status in ('published', 'archived'))
          or exists (select from activities where site_id = ${id} and project_id = project.id and status in ('published', 'archived'))
        )
      ) as publish,
      (select count(*) > 1 from (select from users where site_id = ${id} limit 2) few) as invite`)
    return rows[0]
  })
  if (!existing) return []
  const { activity, rules, survey, ...exists } = existing
  const done: Partial<Record<FirstStepName, boolean>> = {
    settings: contactEmail !== null,
    ...(!sendsMail && { mail: false }),
    legal: exists.legal,
    appearance: exists.appearance,
    homepage: exists.homepage,
    hub: exists.hub,
    project: exists.project,
    survey: survey || activity,
    ...(activity && { rules }),
    publish: exists.publish,
    invite: exists.invite,
  }
  return Object.entries(done).map(([name, isDone]) => ({ name: name as FirstStepName, isDone }))
}
