import { sql } from 'drizzle-orm'
import { isOverdue } from '#app/features/heard/heard.schema.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Delivery, Outcome } from '#app/lib/vocabulary/heard.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Period } from './report.search.ts'

/** More are on the pages of their projects. */
const MAX_DECISIONS = 200

/** A published decision, and what became of it. */
export interface ReportDecision {
  title: string
  project: string
  /** Surveys whose answers it rests on. */
  surveys: string[]
  outcome: Outcome
  delivery: Delivery
  dueOn: string | null
  isLate: boolean
}

/** Published decisions of the projects that were taken in the period, the oldest first. */
export async function loadReportDecisions(
  ctx: Ctx,
  tx: Tx,
  { projects, period, today }: { projects: readonly string[]; period: Period; today: string },
): Promise<ReportDecision[]> {
  const { rows } = await tx.execute<{
    title: Translated
    project: Translated
    surveys: Translated[]
    outcome: Outcome
    delivery: Delivery
    due_on: string | null
  }>(sql`
    select d.title, p.title as project, d.outcome, d.delivery, to_char(d.due_on, 'YYYY-MM-DD') as due_on,
      (select coalesce(jsonb_agg(distinct s.title), '[]') from decision_themes dt
        join themes t on t.site_id = dt.site_id and (t.id = dt.theme_id or t.merged_into = dt.theme_id)
        join theme_evidence e on e.site_id = t.site_id and e.theme_id = t.id and e.published_version is not null
        join responses r on r.site_id = e.site_id and r.id = e.response_id
        join surveys s on s.site_id = r.site_id and s.id = r.survey_id
        where dt.site_id = d.site_id and dt.decision_id = d.id) as surveys
    from decisions d join projects p on p.site_id = d.site_id and p.id = d.project_id
    where d.site_id = ${ctx.site.id} and d.project_id = any (${sql.param([...projects])}::uuid[]) and d.published_at is not null
      and d.decided_on between ${period.from}::date and ${period.until}::date
    order by d.decided_on, d.project_id, d.number limit ${MAX_DECISIONS}`)
  const translate = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  return rows.map(({ title, project, surveys, outcome, delivery, due_on: dueOn }) => ({
    title: translate(title),
    project: translate(project),
    surveys: surveys.map(translate),
    outcome,
    delivery,
    dueOn,
    isLate: isOverdue({ delivery, dueOn }, today),
  }))
}
