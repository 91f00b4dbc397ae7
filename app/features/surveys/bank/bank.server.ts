import { and, asc, count, desc, eq, inArray } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { bankQuestions } from '#app/server/db/schema/surveys.ts'
import { recordSurveyAudit } from '../managing/editing.server.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import type { Question } from '../surveys.schema.ts'
import type { bankQuestionShape } from './bank.api.schema.ts'
import { detachFromSurvey } from './bank.schema.ts'

type BankRow = typeof bankQuestions.$inferSelect

/** More than anybody would look through. */
const MAX_KEPT = 1000

/** Whether somebody edits surveys anywhere on the site: all of them share the bank. */
const canEditSurveys = (viewer: Viewer): boolean =>
  viewer.kind === 'user' && viewer.roles.some(({ hubId, projectId }) => checkPermission(viewer, 'projects.edit', { hubId, projectId }).ok)

/** A question can be removed by the person who saved it, and by people who may edit every survey of the site. */
export const canDropQuestion = (viewer: Viewer, row: BankRow): boolean =>
  canEditSurveys(viewer) && (checkPermission(viewer, 'projects.edit').ok || (viewer.kind === 'user' && row.createdBy === viewer.id))

/** Questions in the bank, for people who edit surveys; empty for everyone else. */
export function loadBankQuestions(ctx: Ctx, ids: readonly string[]): Promise<BankRow[]> {
  if (!canEditSurveys(ctx.viewer)) return Promise.resolve([])
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(bankQuestions)
      .where(and(eq(bankQuestions.siteId, ctx.site.id), inArray(bankQuestions.id, [...ids]))),
  )
}

export async function listBankQuestions(ctx: Ctx, { sort, page }: ListQuery<typeof bankQuestionShape>): Promise<ListResult<BankRow>> {
  if (!canEditSurveys(ctx.viewer)) return { rows: [], total: 0 }
  return ctx.db.read(async (tx) => {
    const own = eq(bankQuestions.siteId, ctx.site.id)
    const rows = await tx
      .select()
      .from(bankQuestions)
      .where(own)
      .orderBy(...sort.map(({ descending }) => (descending ? desc : asc)(bankQuestions.createdAt)), desc(bankQuestions.id))
      .limit(page.limit)
      .offset(page.offset)
    const [counted] = await tx.select({ total: count() }).from(bankQuestions).where(own)
    return { rows, total: counted?.total ?? 0 }
  })
}

/**
 * Saves a question to the site's bank, without the rules that refer to other questions of its survey.
 * @returns its id in the bank
 * @throws {AppError} `not-found`; `forbidden` if the viewer may not edit the survey; `conflict` if the bank is full
 */
export async function keepBankQuestion(ctx: Ctx, { survey, question }: { survey: string; question: Question }): Promise<string> {
  const id = createId()
  await ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'projects.edit', survey)
    const [counted] = await tx.select({ total: count() }).from(bankQuestions).where(eq(bankQuestions.siteId, ctx.site.id))
    if ((counted?.total ?? 0) >= MAX_KEPT) throw new AppError('conflict', { detail: { key: 'bank-full', values: { max: MAX_KEPT } } })
    await tx.insert(bankQuestions).values({
      siteId: ctx.site.id,
      id,
      surveyId: survey,
      question: detachFromSurvey(question),
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: ctx.now(),
    })
    await recordSurveyAudit(ctx, tx, placed, 'surveys.keep-question', { question: question.title })
  })
  return id
}

/** Removes a question from the bank. Surveys that use it keep it. @throws {AppError} `forbidden` */
export async function dropBankQuestion(ctx: Ctx, row: BankRow): Promise<void> {
  if (!canDropQuestion(ctx.viewer, row)) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    await tx.delete(bankQuestions).where(and(eq(bankQuestions.siteId, ctx.site.id), eq(bankQuestions.id, row.id)))
    await recordAudit(ctx, tx, {
      action: 'surveys.drop-question',
      subject: { type: 'bank-questions', id: row.id },
      hubId: null,
      projectId: null,
      detail: { question: (row.question as Question).title },
    })
  })
}
