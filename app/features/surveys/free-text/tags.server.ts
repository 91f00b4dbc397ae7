import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { answerTags, isCounted, responses } from '#app/server/db/schema/responses.ts'
import { recordSurveyAudit } from '../managing/editing.server.ts'
import type { ResultsFilter } from '../results/results-filter.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { listWrittenIds, type WrittenSearch } from './written-answers.server.ts'

/** The tags of one question, each with its number of answers. @throws {AppError} `not-found`, `forbidden` */
export function listTags(ctx: Ctx, input: { surveyId: string; question: string }): Promise<{ tag: string; answers: number }[]> {
  return ctx.db.read(async (tx) => {
    await requireSurveyFor(ctx, tx, 'responses.see', input.surveyId)
    const { rows } = await tx.execute<{ tag: string; answers: number }>(sql`
      select tag, count(*)::int as answers from ${answerTags}
      join ${responses} r on r.site_id = ${answerTags.siteId} and r.id = ${answerTags.responseId} and r.withdrawn_at is null and r.counted
      where ${answerTags.siteId} = ${ctx.site.id} and ${answerTags.surveyId} = ${input.surveyId} and ${answerTags.question} = ${input.question}
      group by tag order by answers desc, tag`)
    return rows
  })
}

/** Tags in use for each question of a survey, by name. */
export async function loadTagsByQuestion(tx: Tx, siteId: string, surveyId: string): Promise<Map<string, string[]>> {
  const rows = await tx
    .selectDistinct({ question: answerTags.question, tag: answerTags.tag })
    .from(answerTags)
    .innerJoin(responses, and(eq(responses.siteId, answerTags.siteId), eq(responses.id, answerTags.responseId), isCounted))
    .where(and(eq(answerTags.siteId, siteId), eq(answerTags.surveyId, surveyId)))
    .orderBy(answerTags.question, answerTags.tag)
  return new Map([...Map.groupBy(rows, ({ question }) => question)].map(([question, found]) => [question, found.map(({ tag }) => tag)]))
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
 * Adds a tag to answers or removes it: those listed, or all that match a search. Idempotent.
 * @throws {AppError} `not-found`; `forbidden` if the viewer may not see the responses; `invalid` if neither is given
 */
export function tagAnswers(ctx: Ctx, { survey, question, tag, remove = false, answers, found }: TaggingInput): Promise<Tagging> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'responses.see', survey)
    if (!answers && !found) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/data/attributes/answers' }] })
    const { q, word, tag: having, untagged, answers: said, ...part } = found ?? {}
    const search = { surveyId: survey, question, q, word, tag: having, untagged, part: { ...part, answers: said?.split(',') } }
    const ids = JSON.stringify(answers ?? (await listWrittenIds(ctx, tx, search)))
    const given = sql`select id::uuid from jsonb_array_elements_text(${ids}::jsonb) given(id)`
    const { rowCount } = remove
      ? await tx.execute(sql`
          delete from ${answerTags} where site_id = ${ctx.site.id} and survey_id = ${survey} and question = ${question} and tag = ${tag}
            and response_id in (${given})`)
      : await tx.execute(sql`
          insert into ${answerTags} (site_id, survey_id, question, tag, response_id, created_by, created_at)
          select site_id, survey_id, ${question}, ${tag}, id, ${ctx.viewer.kind === 'user' ? ctx.viewer.id : null}::uuid, ${ctx.now()}::timestamptz
          from ${responses} where site_id = ${ctx.site.id} and survey_id = ${survey} and withdrawn_at is null and id in (${given})
          on conflict do nothing`)
    const changed = rowCount ?? 0
    if (changed > 0) await recordSurveyAudit(ctx, tx, placed, remove ? 'surveys.untag' : 'surveys.tag', { tag, question, answers: changed })
    return { id: createId(), survey, question, tag, remove, changed }
  })
}

/** For a response that was withdrawn or changed. */
export async function deleteResponseTags(tx: Tx, siteId: string, responseId: string): Promise<void> {
  await tx.delete(answerTags).where(and(eq(answerTags.siteId, siteId), eq(answerTags.responseId, responseId)))
}
