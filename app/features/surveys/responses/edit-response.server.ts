import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { sealSecret, getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { limitByAddress, countAttempt } from '#app/server/limits/limits.ts'
import { countAsSent, reassignFiles, removeFilesOf } from './files/response-files.server.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { countResponses } from './response-counts.server.ts'
import { hashSending } from './drafts.server.ts'
import type { PlacedSurvey } from '../surveys.policy.server.ts'
import { givePlacesBack, listQuotaPlaces, takePlaces } from './quotas.server.ts'
import { requireReceipt, type ReceiptKey } from './receipts.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { acceptSubmittedAnswers, assertOpen, type Receipt, type ResponseInput } from './submit-response.server.ts'
import type { Answers } from '../surveys.schema.ts'
import { getSurveyState } from '../surveys.state.server.ts'
import { loadVersion, resolveForDay } from '../questionnaire/versions.server.ts'

/** Whether participants may change their responses to the survey now. */
const canChangeResponse = (ctx: Ctx, placed: PlacedSurvey): boolean =>
  placed.survey.changeable && getSurveyState(ctx.now(), placed) === 'open'

/**
 * Starts changing a response: copies its answers into a draft. The response is unchanged until the draft is sent.
 * @returns the survey's address, and the draft's sending
 * @throws {AppError} `wrong-format`, `not-found`, `survey-closed`, `forbidden` if the survey does not allow it, `too-many-requests`
 */
export async function startChange(
  ctx: Ctx,
  key: ReceiptKey,
): Promise<{ address: { project: string; survey: string }; surveyId: string; sending: Sending }> {
  await countAttempt(ctx, limitByAddress(ctx, { name: 'survey-change', most: 300, minutes: 15 }))
  const now = ctx.now()
  const sending = createSending(now)
  return ctx.db.tx(async (tx) => {
    const { response, survey, project, code } = await requireReceipt(ctx, tx, key)
    if (response.withdrawnAt) throw new AppError('not-found')
    if (!canChangeResponse(ctx, { survey, project })) throw new AppError(survey.changeable ? 'survey-closed' : 'forbidden')
    await tx.insert(responseDrafts).values({
      siteId: ctx.site.id,
      id: sending.id,
      surveyId: survey.id,
      version: response.version,
      userId: response.userId,
      language: response.language,
      answers: response.answers,
      resumeHash: hashSending(ctx, sending),
      startedAt: now,
      updatedAt: now,
      replaces: response.id,
      replacesEdit: response.editId,
      receiptSealed: sealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, sending), code ?? BY_ACCOUNT),
    })
    return { address: { project: project.slug, survey: survey.slug }, surveyId: survey.id, sending }
  })
}

/** Replaces the code if the change was started from the account, without the code. */
const BY_ACCOUNT = 'account'
const toReceiptCode = (sealed: string): string | null => (sealed === BY_ACCOUNT ? null : sealed)

/** The code is null if the change was started from the account. */
export type ChangeReceipt = Omit<Receipt, 'code'> & { code: string | null }

/** Only the holder of the sending's key can decrypt the code. */
const buildSealContext = (ctx: Ctx, { id, sendKey }: Sending) => `changed-responses/${ctx.site.id}/${id}/${sendKey}`

/**
 * Replaces a response's answers with its draft: same response, same receipt, counted by its new answers only. Idempotent: sending it again
 * returns the same receipt and changes nothing.
 * @returns undefined if the sending is not a change
 * @throws {AppError} as `submitResponse`; `not-found` if the response was withdrawn, `forbidden` if the survey no longer allows it; `stale` if
 * another change was sent since this one began, with both versions (`meta.saved`, `meta.sent`) and the name of the saved one (`meta.edit`),
 * which `input.over` replaces
 */
export async function submitChange(
  ctx: Ctx,
  find: (tx: Tx) => Promise<PlacedSurvey>,
  input: ResponseInput,
): Promise<ChangeReceipt | undefined> {
  const now = ctx.now()
  const changed = await ctx.db.tx(async (tx) => {
    const before = await findEarlierChange(ctx, tx, input)
    if (before) return before
    const [draft] = await tx
      .select()
      .from(responseDrafts)
      .where(
        and(
          eq(responseDrafts.siteId, ctx.site.id),
          eq(responseDrafts.id, input.id),
          eq(responseDrafts.resumeHash, hashSending(ctx, input)),
          isNotNull(responseDrafts.replaces),
        ),
      )
    if (!draft?.replaces || !draft.receiptSealed) return undefined
    const placed = await find(tx)
    const { survey } = placed
    const code = unsealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, input), draft.receiptSealed)
    if (!code || draft.surveyId !== survey.id) throw new AppError('not-found')
    assertOpen(placed, input.id, now)
    if (!survey.changeable) throw new AppError('forbidden')
    const { version, answers, places } = await acceptSubmittedAnswers(ctx, tx, placed, input, draft.replaces)
    await tx
      .select({ id: surveys.id })
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, survey.id)))
      .for('update')
    const [former] = await tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, ctx.site.id), eq(responses.id, draft.replaces), isNull(responses.withdrawnAt)))
      .for('update')
    if (!former) throw new AppError('not-found')
    const said = former.answers as Answers
    if (former.editId !== draft.replacesEdit && former.editId !== input.over)
      throw new AppError('stale', { meta: { edit: former.editId, saved: said, sent: answers } })
    const formerDefinition = resolveForDay(
      ctx,
      await loadVersion(tx, ctx.site.id, survey.id, former.version),
      former.editedAt ?? former.submittedAt,
    )
    const after = { ...former, version, answers, language: ctx.contentLanguage }
    if (former.counted) {
      await givePlacesBack(tx, ctx.site.id, survey.id, listQuotaPlaces(formerDefinition, said))
      const full = await takePlaces(tx, ctx.site.id, survey.id, places)
      if (full) throw new AppError('quota-full', { meta: { end: full.end ?? '' } })
      await countResponses(tx, ctx.site.id, survey.id, [{ ...former, answers: said }], -1)
      await countResponses(tx, ctx.site.id, survey.id, [after], 1)
    }
    await tx
      .update(responses)
      .set({ version, answers, language: ctx.contentLanguage, editedAt: now, editId: input.id, editReceipt: draft.receiptSealed })
      .where(and(eq(responses.siteId, ctx.site.id), eq(responses.id, former.id)))
    await tx.delete(responseDrafts).where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.id, input.id)))
    await reassignFiles(ctx, tx, answers, former.id)
    await countAsSent(ctx, tx, answers)
    return { code: toReceiptCode(code), stored: true, response: toStoredResponse(after) }
  })
  if (changed?.stored) for (const holder of [changed.response.id, input.id]) await removeFilesOf(ctx, holder, changed.response.answers)
  return changed
}

/**
 * Gives up a change: what was sent before or meanwhile stays.
 * @returns the response, and its receipt's code; undefined if the sending is not a change
 */
export async function discardChange(ctx: Ctx, sending: Sending): Promise<{ responseId: string; code: string | null } | undefined> {
  const [draft] = await ctx.db.tx((tx) =>
    tx
      .delete(responseDrafts)
      .where(
        and(
          eq(responseDrafts.siteId, ctx.site.id),
          eq(responseDrafts.id, sending.id),
          eq(responseDrafts.resumeHash, hashSending(ctx, sending)),
          isNotNull(responseDrafts.replaces),
        ),
      )
      .returning({ replaces: responseDrafts.replaces, receiptSealed: responseDrafts.receiptSealed, surveyId: responseDrafts.surveyId }),
  )
  if (!draft?.replaces || !draft.receiptSealed) return undefined
  await removeFilesOf(ctx, sending.id)
  const code = unsealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, sending), draft.receiptSealed)
  return { responseId: draft.replaces, code: code ? toReceiptCode(code) : null }
}

/** The receipt of a change that was already stored. */
async function findEarlierChange(ctx: Ctx, tx: Tx, input: Sending): Promise<ChangeReceipt | undefined> {
  const [row] = await tx
    .select()
    .from(responses)
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.editId, input.id)))
  const code = row?.editReceipt ? unsealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, input), row.editReceipt) : undefined
  if (!row || !code) return undefined
  if (code !== BY_ACCOUNT && !row.receiptHash.equals(hashReceiptCode(ctx.site.id, code))) return undefined
  return { code: toReceiptCode(code), stored: false, response: toStoredResponse({ ...row, answers: row.answers as Answers }) }
}

function toStoredResponse(row: Omit<typeof responses.$inferSelect, 'answers'> & { answers: Answers }): Receipt['response'] {
  const { id, surveyId, version, language, source, submittedAt, seconds, counted, answers } = row
  return { id, surveyId, version, language, source, submittedAt, seconds, counted, answers }
}
