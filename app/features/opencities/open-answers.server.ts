import { createHash } from 'node:crypto'
import { and, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { type PlacedSurvey, requireSurveyFor } from '#app/features/surveys/surveys.policy.server.ts'
import type { QuestionType } from '#app/features/surveys/surveys.schema.ts'
import { loadEveryVersion } from '#app/features/surveys/questionnaire/versions.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { isCounted, responses } from '#app/server/db/schema/responses.ts'
import { openAnswers } from '#app/server/db/schema/results.ts'
import type { openAnswerDecisionShape } from './open-answers.api.schema.ts'
import type { OpenAnswerState } from './open-answers.schema.ts'

export interface OpenAnswer {
  /** `{response}.{question}` */
  id: string
  question: string
  questionText: string
  text: string
  language: Language
  approved: boolean
}

const FREE_TEXT_TYPES: ReadonlySet<QuestionType> = new Set<QuestionType>(['short_text', 'long_text'])

/** Free text only: the answer to a text question or the text beside "other". Never an address, a number or a place. */
const writtenText = sql<string>`case jsonb_typeof(answer.value) when 'string' then answer.value #>> '{}' else answer.value ->> 'other' end`
const hasApprovedHash = sql`${openAnswers.textHash} = sha256(convert_to(${writtenText}, 'UTF8'))`
const joinAnswers = sql`cross join lateral jsonb_each(${responses.answers}) as answer (key, value)`
const joinApproval = sql`left join ${openAnswers} on ${openAnswers.siteId} = ${responses.siteId}
  and ${openAnswers.responseId} = ${responses.id} and ${openAnswers.question} = answer.key and ${hasApprovedHash}`

/** Questions of a survey that ask for, or allow, free text. */
async function loadFreeTextQuestions(ctx: Ctx, tx: Tx, surveyId: string) {
  const { everything } = await loadEveryVersion(tx, ctx.site.id, surveyId)
  return everything.pages
    .flatMap((page) => page.questions)
    .filter(
      (question) => FREE_TEXT_TYPES.has(question.type) || ('options' in question && question.options.some((option) => 'other' in option)),
    )
}

const isWrittenAnswer = (ctx: Ctx, surveyId: string, questions: readonly string[]): SQL | undefined =>
  and(
    eq(responses.siteId, ctx.site.id),
    eq(responses.surveyId, surveyId),
    isCounted,
    sql`answer.key = any (${`{${questions.map((id) => JSON.stringify(id)).join(',')}}`}::text[])`,
    sql`coalesce(${writtenText}, '') <> ''`,
  )

/** Only those who may publish a survey's project decide which answers are published. */
function requireApprover(ctx: Ctx, { project }: PlacedSurvey): void {
  const decision = checkPermission(ctx.viewer, 'projects.publish', toPermissionTarget(project))
  if (!decision.ok || decision.only) throw new AppError('forbidden')
}

/** Free-text answers to a survey, by question, newest first. @throws {AppError} `not-found`, `forbidden` */
export function listOpenAnswers(
  ctx: Ctx,
  query: { survey: string; state: OpenAnswerState | undefined; offset: number; limit: number },
): Promise<{ rows: OpenAnswer[]; total: number }> {
  return ctx.db.read(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'responses.see', query.survey)
    requireApprover(ctx, placed)
    const questions = await loadFreeTextQuestions(ctx, tx, placed.survey.id)
    if (questions.length === 0) return { rows: [], total: 0 }
    const ids = questions.map((question) => question.id)
    const approved = sql`${openAnswers.responseId} is not null`
    const inState = query.state === 'approved' ? approved : query.state === 'waiting' ? sql`not (${approved})` : undefined
    const from = sql`from ${responses} ${joinAnswers} ${joinApproval} where ${and(isWrittenAnswer(ctx, placed.survey.id, ids), inState)}`
    const counted = await tx.execute<{ total: number }>(sql`select count(*)::int as total ${from}`)
    const found = await tx.execute<{ response: string; question: string; text: string; language: Language; approved: boolean }>(sql`
      select ${responses.id} as response, answer.key as question, ${writtenText} as text, ${responses.language} as language, ${approved} as approved
      ${from} order by ${responses.submittedAt} desc, ${responses.id}, answer.key limit ${query.limit} offset ${query.offset}`)
    const titles = new Map(questions.map(({ id, title }) => [id, localiseText(title, ctx.contentLanguage, ctx.site.locale).text]))
    const rows = found.rows.map(({ response, ...row }) => ({
      ...row,
      id: `${response}.${row.question}`,
      questionText: titles.get(row.question) ?? row.question,
    }))
    return { rows, total: counted.rows[0]?.total ?? 0 }
  })
}

/**
 * Approves answers for publication with the survey's results, or withdraws approval, which removes them from every version at once.
 * @returns the survey's id
 * @throws {AppError} `not-found`, `forbidden`
 */
export async function decideOpenAnswers(
  ctx: Ctx,
  input: CreateInput<typeof openAnswerDecisionShape>,
): Promise<{ id: string; decided: number }> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'responses.see', input.survey)
    requireApprover(ctx, placed)
    const { survey, project } = placed
    const ids = (await loadFreeTextQuestions(ctx, tx, survey.id)).map((question) => question.id)
    const wanted = `{${input.answers.map((id) => JSON.stringify(id)).join(',')}}`
    const named = sql`(${responses.id}::text || '.' || answer.key) = any (${wanted}::text[])`
    const responseIds = [...new Set(input.answers.map((id) => id.slice(0, id.indexOf('.'))))]
    const { rowCount } = input.approved
      ? await tx.execute(sql`
          insert into open_answers (site_id, survey_id, response_id, question, text_hash, approved_at)
          select ${responses.siteId}, ${responses.surveyId}, ${responses.id}, answer.key, sha256(convert_to(${writtenText}, 'UTF8')), ${ctx.now().toISOString()}
          from ${responses} ${joinAnswers} where ${and(isWrittenAnswer(ctx, survey.id, ids), inArray(responses.id, responseIds), named)}
          on conflict (site_id, response_id, question) do update set text_hash = excluded.text_hash, approved_at = excluded.approved_at`)
      : await tx.execute(sql`
          delete from open_answers where site_id = ${ctx.site.id} and survey_id = ${survey.id}
            and (response_id::text || '.' || question) = any (${wanted}::text[])`)
    await recordAudit(ctx, tx, {
      action: input.approved ? 'open-answers.approve' : 'open-answers.refuse',
      subject: { type: 'surveys', id: survey.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { answers: input.answers },
    })
    return { id: survey.id, decided: rowCount ?? 0 }
  })
}

/** An approved answer, as referenced by a version of the results. */
export interface ApprovedAnswer {
  response: string
  question: string
}

/** The survey's answers that are approved in their current wording. */
export async function loadApprovedAnswers(ctx: Ctx, tx: Tx, surveyId: string): Promise<ApprovedAnswer[]> {
  const { rows } = await tx.execute<{ response: string; question: string }>(sql`
    select ${responses.id} as response, answer.key as question from ${responses} ${joinAnswers} ${joinApproval}
    where ${and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isCounted, sql`${openAnswers.responseId} is not null`)}`)
  return rows
}

/** The texts of these answers that are still approved, in an order that reveals neither who wrote which nor when. */
export async function loadApprovedTexts(
  ctx: Ctx,
  tx: Tx,
  surveyId: string,
  answers: readonly ApprovedAnswer[],
): Promise<{ question: string; text: string }[]> {
  if (answers.length === 0) return []
  const { rows } = await tx.execute<{ response: string; question: string; text: string }>(sql`
    select ${responses.id} as response, answer.key as question, ${writtenText} as text from ${responses} ${joinAnswers} ${joinApproval}
    where ${and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isCounted, sql`${openAnswers.responseId} is not null`)}`)
  const listed = new Set(answers.map(({ response, question }) => `${response}.${question}`))
  const hashForOrder = ({ question, text }: { question: string; text: string }) =>
    createHash('sha256').update(`${question}\n${text}`).digest('hex')
  return rows
    .filter(({ response, question }) => listed.has(`${response}.${question}`))
    .map(({ question, text }) => ({ question, text, order: hashForOrder({ question, text }) }))
    .toSorted((a, b) => (a.question === b.question ? (a.order < b.order ? -1 : 1) : a.question < b.question ? -1 : 1))
    .map(({ question, text }) => ({ question, text }))
}

export async function countApprovedSince(ctx: Ctx, tx: Tx, surveyId: string, since: Date): Promise<number> {
  const [counted] = await tx
    .select({ total: count() })
    .from(openAnswers)
    .where(
      and(eq(openAnswers.siteId, ctx.site.id), eq(openAnswers.surveyId, surveyId), sql`${openAnswers.approvedAt} > ${since.toISOString()}`),
    )
  return counted?.total ?? 0
}
