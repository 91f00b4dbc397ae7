import { sql } from 'drizzle-orm'
import { findOrAddTheme, listThemesNamed, loadThemeNames, nameThemes, type ThemeNames } from '#app/features/heard/theme-names.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { recordSurveyAudit } from '../managing/editing.server.ts'
import type { ResultsFilter } from '../results/results-filter.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { listWrittenIds, type WrittenSearch } from './written-answers.server.ts'

// A tag is the name of a theme that an answer, or a passage of it, was coded to.

/** The tags of one question, each with its number of answers. @throws {AppError} `not-found`, `forbidden` */
export function listTags(ctx: Ctx, input: { surveyId: string; question: string }): Promise<{ tag: string; answers: number }[]> {
  return ctx.db.read(async (tx) => {
    const { project } = await requireSurveyFor(ctx, tx, 'responses.see', input.surveyId)
    const names = await loadThemeNames(ctx, tx, project.id)
    const { rows } = await tx.execute<{ tag: string; answers: number }>(sql`
      select n.tag, count(distinct e.response_id)::int as answers from theme_evidence e
      join jsonb_each_text(${JSON.stringify(Object.fromEntries(names))}::jsonb) n(theme, tag) on n.theme::uuid = e.theme_id
      join ${responses} r on r.site_id = e.site_id and r.id = e.response_id and r.withdrawn_at is null and r.counted
      where e.site_id = ${ctx.site.id} and e.project_id = ${project.id} and r.survey_id = ${input.surveyId} and e.question = ${input.question}
        and e.state = 'confirmed'
      group by n.tag order by answers desc, n.tag`)
    return rows
  })
}

/** Tags in use for each question of a survey, by name. */
export async function listTagsByQuestion(ctx: Ctx, tx: Tx, surveyId: string, names: ThemeNames): Promise<Map<string, string[]>> {
  const { rows } = await tx.execute<{ question: string; theme: string }>(sql`
    select distinct e.question, e.theme_id as theme from theme_evidence e
    join ${responses} r on r.site_id = e.site_id and r.id = e.response_id and r.withdrawn_at is null and r.counted
    where e.site_id = ${ctx.site.id} and r.survey_id = ${surveyId} and e.state = 'confirmed'`)
  return new Map(
    [...Map.groupBy(rows, ({ question }) => question)].map(([question, found]) => [
      question,
      nameThemes(
        names,
        found.map(({ theme }) => theme),
      ),
    ]),
  )
}

export interface Tagging {
  id: string
  survey: string
  question: string
  tag: string
  remove: boolean
  changed: number
}

interface TaggingInput {
  survey: string
  question: string
  tag: string
  remove?: boolean | undefined
  answers?: string[] | undefined
  found?: (WrittenSearch & Omit<ResultsFilter, 'answers'> & { answers?: string | undefined }) | undefined
}

/**
 * Codes whole answers to the theme of that name, or takes it from them: those listed, or all that match a search. Idempotent.
 * @throws {AppError} `not-found`; `forbidden` if the viewer may not see the responses; `invalid` if neither is given
 */
export function tagAnswers(ctx: Ctx, { survey, question, tag, remove = false, answers, found }: TaggingInput): Promise<Tagging> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'responses.see', survey)
    if (!answers && !found) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/data/attributes/answers' }] })
    const { q, word, tag: having, untagged, answers: said, ...part } = found ?? {}
    const search = { surveyId: survey, question, q, word, tag: having, untagged, part: { ...part, answers: said?.split(',') } }
    const ids = JSON.stringify(answers ?? (await listWrittenIds(ctx, tx, search)))
    const changed = remove
      ? await removeTag(ctx, tx, placed.project.id, { question, tag, ids })
      : await addTag(ctx, tx, placed.project.id, { survey, question, tag, ids })
    if (changed > 0) await recordSurveyAudit(ctx, tx, placed, remove ? 'surveys.untag' : 'surveys.tag', { tag, question, answers: changed })
    return { id: createId(), survey, question, tag, remove, changed }
  })
}

async function removeTag(
  ctx: Ctx,
  tx: Tx,
  projectId: string,
  { question, tag, ids }: { question: string; tag: string; ids: string },
): Promise<number> {
  const named = JSON.stringify(listThemesNamed(await loadThemeNames(ctx, tx, projectId), tag))
  const { rows } = await tx.execute<{ answers: number }>(sql`
    with gone as (
      delete from theme_evidence where site_id = ${ctx.site.id} and question = ${question}
        and theme_id in (select id::uuid from jsonb_array_elements_text(${named}::jsonb) given(id))
        and response_id in (select id::uuid from jsonb_array_elements_text(${ids}::jsonb) given(id))
      returning response_id)
    select count(distinct response_id)::int as answers from gone`)
  return rows[0]?.answers ?? 0
}

async function addTag(
  ctx: Ctx,
  tx: Tx,
  projectId: string,
  { survey, question, tag, ids }: { survey: string; question: string; tag: string; ids: string },
): Promise<number> {
  const theme = await findOrAddTheme(ctx, tx, projectId, tag)
  const by = ctx.viewer.kind === 'user' ? ctx.viewer.id : null
  const chosen = sql`from ${responses} r where r.site_id = ${ctx.site.id} and r.survey_id = ${survey} and r.withdrawn_at is null
    and r.id in (select id::uuid from jsonb_array_elements_text(${ids}::jsonb) given(id))`
  const { rowCount } = await tx.execute(sql`
    insert into theme_evidence (site_id, id, project_id, theme_id, source, response_id, question, version, created_by, created_at)
    select r.site_id, gen_random_uuid(), ${projectId}, ${theme}, 'response', r.id, ${question}, r.version, ${by}::uuid, ${ctx.now()}::timestamptz ${chosen}
      and not exists (select from theme_evidence e where e.site_id = r.site_id and e.theme_id = ${theme} and e.response_id = r.id
        and e.question = ${question} and e.state = 'confirmed')
    on conflict do nothing`)
  await tx.execute(sql`
    insert into theme_readings (site_id, source_id, question, project_id, read_by, read_at)
    select r.site_id, r.id, ${question}, ${projectId}, ${by}::uuid, ${ctx.now()}::timestamptz ${chosen}
    on conflict do nothing`)
  return rowCount ?? 0
}
