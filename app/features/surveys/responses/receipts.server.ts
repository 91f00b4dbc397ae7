import { and, eq, isNull, sql } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { removeFilesOf } from './files/response-files.server.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { countResponses, lockSurvey } from './response-counts.server.ts'
import { addParticipants, deleteParticipation, countReturningPeople } from './intake.server.ts'
import { type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { getInvitationOwner, type GuestCredentials, isVisible, hashPerson, type SurveyRow } from '../surveys.policy.server.ts'
import { walkSurvey } from '../questionnaire/walk-survey.ts'
import { recordSurveyAudit } from '../managing/editing.server.ts'
import { givePlacesBack, listQuotaPlaces } from './quotas.server.ts'
import type { Answers } from '../surveys.schema.ts'
import { toSurveyView } from '../surveys.server.ts'
import { keepAnsweredOptions } from '../questionnaire/answered-options.ts'
import { loadVersion, resolveForDay } from '../questionnaire/versions.server.ts'
import { type Contribution, localiseDefinition } from '../surveys.views.ts'

interface FoundResponse {
  response: typeof responses.$inferSelect
  survey: SurveyRow
  project: ProjectRow
}

/** Finds a contribution: the receipt code as typed, for anyone who has it, or the response id, for the account that sent it. */
export type ReceiptKey = string | { responseId: string }

/**
 * What somebody contributed, found by receipt code (signed in or not) or by account.
 * @throws {AppError} `wrong-format` if it cannot be a code, `not-found` if no contribution has it or it is not the viewer's
 */
export async function requireContribution(ctx: Ctx, key: ReceiptKey): Promise<Contribution> {
  return ctx.db.read(async (tx) => {
    const { response, survey, project, code } = await requireReceipt(ctx, tx, key)
    const definition = resolveForDay(
      ctx,
      await loadVersion(tx, ctx.site.id, survey.id, response.version),
      response.editedAt ?? response.submittedAt,
    )
    const seen = toSurveyView(ctx, { survey, project })
    const answers = response.answers as Answers
    const { end } = walkSurvey(definition, answers, response.id)
    const ending = definition.endings?.find(({ id }) => id === end)
    return {
      code,
      language: response.language,
      submittedAt: response.submittedAt,
      withdrawnAt: response.withdrawnAt,
      counted: response.counted,
      anonymous: survey.anonymous,
      answers,
      definition: localiseDefinition(keepAnsweredOptions(definition, answers), ctx.contentLanguage, ctx.site.locale),
      survey: seen,
      project: {
        ...seen.project,
        outcome: localiseText(project.outcome, ctx.contentLanguage, ctx.site.locale),
        reachable: await isVisible(ctx, tx, project),
      },
      mayWithdraw: response.withdrawnAt === null && seen.state === 'open',
      mayChange: response.withdrawnAt === null && seen.state === 'open' && survey.changeable,
      editedAt: response.editedAt,
      ending: ending
        ? {
            title: localiseText(ending.title, ctx.contentLanguage, ctx.site.locale),
            text: localiseText(ending.text, ctx.contentLanguage, ctx.site.locale),
          }
        : null,
    }
  })
}

/**
 * Withdraws a contribution while its survey is open: its answers and files are deleted and no longer count. Idempotent.
 * @param broughtTo lets a browser or invitation holder answer again if each may answer once
 * @throws {AppError} `wrong-format`, `not-found`, `survey-closed`
 */
export async function withdrawContribution(ctx: Ctx, key: ReceiptKey, broughtTo?: (ownerId: string) => GuestCredentials): Promise<void> {
  const holders = await ctx.db.tx(async (tx) => {
    const { response, survey, project } = await requireReceipt(ctx, tx, key)
    if (response.withdrawnAt) return []
    if (toSurveyView(ctx, { survey, project }).state !== 'open') throw new AppError('survey-closed')
    const gone = await withdrawResponse(ctx, tx, { response, survey, project })
    const brought = broughtTo?.(getInvitationOwner(ctx, survey)) ?? {}
    const hashes = await hashPerson(ctx, tx, survey, brought, { use: 'store', userId: response.userId ?? undefined })
    if (gone.length > 0) await deleteParticipation(tx, ctx.site.id, survey.id, hashes)
    return gone
  })
  for (const holder of holders) await removeFilesOf(ctx, holder)
}

/**
 * Erases a response, even if the survey is closed. Like withdrawing, except that an account that may answer once cannot answer again.
 * @param input.reason kept in the audit trail
 * @throws {AppError} `unauthenticated`, `forbidden`; `not-found`, also if it was already withdrawn
 */
export async function eraseResponse(ctx: Ctx, input: { responseId: string; reason: string }): Promise<{ id: string; erasedAt: Date }> {
  requirePermission(ctx, 'participants.erase')
  const { responseId: id, reason } = input
  const holders = await ctx.db.tx(async (tx) => {
    const [found] = await selectResponses(tx).where(and(eq(responses.siteId, ctx.site.id), eq(responses.id, id)))
    const gone = found ? await withdrawResponse(ctx, tx, found) : []
    if (!found || gone.length === 0) throw new AppError('not-found')
    await recordSurveyAudit(ctx, tx, found, 'responses.erase', { response: id, reason })
    return gone
  })
  for (const holder of holders) await removeFilesOf(ctx, holder)
  return { id, erasedAt: ctx.now() }
}

/**
 * Deletes the answers and removes them from all counts.
 * @returns ids that may hold files: the response and changes in progress; empty if it was already withdrawn
 */
async function withdrawResponse(ctx: Ctx, tx: Tx, { response, survey, project }: FoundResponse): Promise<string[]> {
  // Locks the survey before the response, in the same order as the decision whether it counts.
  await lockSurvey(tx, ctx.site.id, survey.id)
  const [withdrawn] = await tx
    .update(responses)
    .set({ withdrawnAt: ctx.now(), answers: {}, userId: null })
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.id, response.id), isNull(responses.withdrawnAt)))
    .returning({ counted: responses.counted })
  if (!withdrawn) return []
  const changes = await tx
    .delete(responseDrafts)
    .where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.replaces, response.id)))
    .returning({ id: responseDrafts.id })
  if (withdrawn.counted) await uncountResponse(ctx, tx, { response, survey, project })
  return [response.id, ...changes.map(({ id }) => id)]
}

async function uncountResponse(ctx: Ctx, tx: Tx, { response, survey, project }: FoundResponse): Promise<void> {
  const definition = resolveForDay(
    ctx,
    await loadVersion(tx, ctx.site.id, survey.id, response.version),
    response.editedAt ?? response.submittedAt,
  )
  await givePlacesBack(tx, ctx.site.id, survey.id, listQuotaPlaces(definition, response.answers as Answers))
  await tx
    .update(surveys)
    .set({ responsesCount: sql`greatest(0, ${surveys.responsesCount} - 1)` })
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, survey.id)))
  await countResponses(tx, ctx.site.id, survey.id, [{ ...response, answers: response.answers as Answers }], -1)
  const stillThere = response.userId ? await countReturningPeople(tx, ctx.site.id, project.id, [response.userId], [response.id]) : 0
  if (stillThere === 0) await addParticipants(tx, ctx.site.id, project.id, -1)
}

/** Parses a receipt code as typed. @throws {AppError} `invalid` with `required` or `wrong-format` at `/code` */
function requireCode(typed: string): string {
  if (!typed.trim()) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/code' }] })
  const code = parseReceiptCode(typed)
  if (!code) throw new AppError('invalid', { faults: [{ code: 'wrong-format', pointer: '/code' }] })
  return code
}

/** @returns the response, and its code if the key was a code */
export async function requireReceipt(ctx: Ctx, tx: Tx, key: ReceiptKey): Promise<FoundResponse & { code: string | null }> {
  const code = typeof key === 'string' ? requireCode(key) : null
  const [found] = await selectResponses(tx).where(
    and(eq(responses.siteId, ctx.site.id), typeof key === 'string' ? whereCode(ctx, code ?? '') : whereOwn(ctx, key.responseId)),
  )
  if (!found) throw new AppError('not-found', typeof key === 'string' ? { pointer: '/code' } : {})
  return { ...found, code }
}

const selectResponses = (tx: Tx) =>
  tx
    .select({ response: responses, survey: surveys, project: projects })
    .from(responses)
    .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))

const whereCode = (ctx: Ctx, code: string) => eq(responses.receiptHash, hashReceiptCode(ctx.site.id, code))

/** Responses to anonymous surveys have no account, so this finds none of them. */
const whereOwn = ({ viewer }: Ctx, responseId: string) =>
  and(viewer.kind === 'user' ? eq(responses.userId, viewer.id) : sql`false`, eq(responses.id, responseId))
