import { type SQL, sql } from 'drizzle-orm'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Delivery, Outcome } from '#app/lib/vocabulary/heard.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { isOverdue } from '#app/features/heard/heard.schema.ts'
import type { OutcomeView } from './outcomes.schema.ts'

/** Of one survey, or of the activities. More are on the page of the decisions. */
const MAX_OUTCOMES = 500

/** A decision, and one place where people wrote what it rests on: a question of a survey, or an activity. */
export interface PlacedOutcome {
  /** Null if it is an activity. */
  survey: string | null
  question: string
  /** The title of the activity. */
  activity: LocalisedText | null
  outcome: OutcomeView
}

interface OutcomeRow extends Record<string, unknown> {
  survey: string | null
  question: string
  activity: Translated | null
  slug: string
  number: number
  title: Translated
  outcome: Outcome
  delivery: Delivery
  due_on: string | null
}

/** What changed because of the answers to each of some surveys. */
export async function loadOutcomesOfSurveys(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<Map<string, PlacedOutcome[]>> {
  const found = await loadOutcomes(
    ctx,
    tx,
    sql`e.response_id is not null and r.survey_id = any (${sql.param([...ids])}::uuid[])`,
    MAX_OUTCOMES * ids.length,
  )
  const bySurvey = Map.groupBy(found, ({ survey }) => survey)
  return new Map(ids.map((id) => [id, bySurvey.get(id) ?? []]))
}

/** What changed because of what people wrote in an activity, replies included. */
export const loadOutcomesOfActivity = (ctx: Ctx, tx: Tx, activityId: string): Promise<PlacedOutcome[]> =>
  loadOutcomes(ctx, tx, sql`a.id = ${activityId}`)

/** The same of all activities of some projects. */
export const loadOutcomesOfActivities = (ctx: Ctx, tx: Tx, projects: readonly string[]): Promise<PlacedOutcome[]> =>
  loadOutcomes(ctx, tx, sql`e.response_id is null and d.project_id = any (${sql.param([...projects])}::uuid[])`)

/** Published decisions with the evidence that was published for their themes, in the order of the decisions. */
async function loadOutcomes(ctx: Ctx, tx: Tx, where: SQL, limit = MAX_OUTCOMES): Promise<PlacedOutcome[]> {
  const { rows } = await tx.execute<OutcomeRow>(sql`
    select survey, question, activity, slug, number, title, outcome, delivery, due_on from (
      select distinct on (d.id, r.survey_id, e.question, a.id)
        r.survey_id as survey, e.question, a.id as activity_id, a.title as activity, p.slug, d.number, d.title, d.outcome, d.delivery,
        to_char(d.due_on, 'YYYY-MM-DD') as due_on, d.decided_on
      from decisions d
      join projects p on p.site_id = d.site_id and p.id = d.project_id
      join decision_themes dt on dt.site_id = d.site_id and dt.decision_id = d.id
      join themes t on t.site_id = dt.site_id and (t.id = dt.theme_id or t.merged_into = dt.theme_id)
      join theme_evidence e on e.site_id = t.site_id and e.theme_id = t.id and e.published_version is not null and e.state = 'confirmed'
      left join responses r on r.site_id = e.site_id and r.id = e.response_id
      left join contributions c on c.site_id = e.site_id and c.id = e.contribution_id
      left join replies on replies.site_id = e.site_id and replies.id = e.reply_id
      left join contributions replied on replied.site_id = replies.site_id and replied.id = replies.contribution_id
      left join activities a on a.site_id = e.site_id and a.id = coalesce(c.activity_id, replied.activity_id)
      where d.site_id = ${ctx.site.id} and d.published_at is not null and ${where}
      order by d.id, r.survey_id, e.question, a.id
    ) placed order by decided_on, number, survey, question, activity_id limit ${limit}`)
  const today = toCalendarDay(ctx.site.timeZone, ctx.now())
  return rows.map(({ survey, question, activity, ...decision }) => ({
    survey,
    question,
    activity: activity && localiseText(activity, ctx.contentLanguage, ctx.site.locale),
    outcome: toView(ctx, decision, today),
  }))
}

function toView(
  { language, contentLanguage, site }: Ctx,
  {
    slug,
    number,
    title,
    outcome,
    delivery,
    due_on: dueOn,
  }: Pick<OutcomeRow, 'slug' | 'number' | 'title' | 'outcome' | 'delivery' | 'due_on'>,
  today: string,
): OutcomeView {
  const t = getTranslator(language, 'heard')
  const format = getFormatter({ language, timeZone: 'UTC', region: site.region })
  const done = t(`deliveries.${delivery}`)
  const words = [t(`outcomes.${outcome}`), dueOn === null || delivery === 'done' ? done : `${done}, ${format.date(`${dueOn}T12:00:00Z`)}`]
  return {
    title: localiseText(title, contentLanguage, site.locale),
    words: [...words, ...(isOverdue({ delivery, dueOn }, today) ? [t('late')] : [])].join(' · '),
    href: `/projects/${slug}/decisions#decision-${number}`,
  }
}
