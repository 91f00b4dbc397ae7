import { createHmac } from 'node:crypto'
import { and, count, eq, isNotNull, isNull, type SQL, sql, sum } from 'drizzle-orm'
import { assertHarmless } from '#app/features/media/assert-harmless.server.ts'
import { requireStorageRoom } from '#app/features/media/media.uploads.server.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { createConcurrencyLimit } from '#app/lib/concurrency-limit.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responseFiles } from '#app/server/db/schema/responses.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { limitByAddress, countAttempt, toNetwork } from '#app/server/limits/limits.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import type { SentFile } from '#app/features/surveys/questionnaire/question-types/files/files.ts'
import { listQuestions } from '#app/features/surveys/questionnaire/answers.ts'
import { hashSending } from '../drafts.server.ts'
import {
  getInvitationOwner,
  type GuestCredentials,
  hasAnswered,
  type PlacedSurvey,
  findRefusal,
} from '#app/features/surveys/surveys.policy.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { assertOpen, ERROR_BY_REFUSAL } from '../submit-response.server.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { loadVersion } from '#app/features/surveys/questionnaire/versions.server.ts'
import { readFileContent, toSafeName, withEnding } from './file-content.server.ts'
import { MAX_GIVEN_FILES, MAX_GIVEN_MEGABYTES, MAX_UNSENT_MEGABYTES } from './files.limits.ts'
import { toSentFile, type FileRow, whereHeldBy, buildFolder, buildStorageKey, whereIds } from './response-files.server.ts'

/** Each file is held in memory while it is inspected, so only a few at once. */
export const inspectionLimit = createConcurrencyLimit({ atOnce: 3, waiting: 60, full: () => new AppError('unavailable') })

export interface GivenFile {
  sending: Sending
  version: number | undefined
  /** The question's id. */
  question: string
  /** The name the participant gave it. */
  name: string
  /** The file is larger than any question accepts: the rest was not read. */
  isCut: boolean
  bytes: number
  read: () => Promise<Buffer>
}

/**
 * Stores a file for a question, tied to the sending whose answer will reference it.
 * @param find the survey, as the viewer sees it
 * @returns the file as an answer references it
 * @throws {AppError} as `submitResponse` if the viewer may not answer; `not-found` if there is no such file question; `invalid` with what
 * is wrong with the file, at `/answers/<question>`, including `file-infected`, `too-many-unsent-files` if too much is already waiting and `file-gone` if the
 * same form was sent twice at once; `too-many-requests`, `unavailable`
 */
export async function keepFile(
  ctx: Ctx,
  find: (tx: Tx) => Promise<PlacedSurvey>,
  broughtTo: ReadGuestCredentials,
  given: GivenFile,
): Promise<SentFile> {
  await countAttempt(ctx, limitByAddress(ctx, { name: 'survey-file', most: 150, minutes: 15 }))
  const { sending, bytes, isCut } = given
  const pointer = `/answers/${given.question}`
  const giver = hashGiver(ctx)
  const createFileError = (fault: Fault) => new AppError('invalid', { faults: [{ ...fault, pointer }] })
  const { placed, question, before } = await ctx.db.tx(async (tx) => {
    const seen = await find(tx)
    const asking = await assertMayGive(ctx, tx, seen, broughtTo, given)
    if (isCut || bytes > asking.maxMegabytes * 1_000_000)
      throw createFileError({ code: 'file-too-large', values: { max: asking.maxMegabytes } })
    const [used] = await tx
      .select({ files: count(), bytes: sum(responseFiles.bytes).mapWith(Number) })
      .from(responseFiles)
      .where(whereHeldBy(ctx, sending.id))
    if ((used?.files ?? 0) >= MAX_GIVEN_FILES || (used?.bytes ?? 0) + bytes > MAX_GIVEN_MEGABYTES * 1_000_000)
      throw createFileError({ code: 'files-too-large', values: { max: MAX_GIVEN_MEGABYTES } })
    await assertMayWait(ctx, tx, { surveyId: seen.survey.id, sending, bytes, giver, pointer })
    return { placed: seen, question: asking, before: used?.files ?? 0 }
  })
  return inspectionLimit(async () => {
    const received = await given.read()
    const { project, survey } = placed
    await assertHarmless(ctx, received, {
      subject: { type: 'surveys', id: survey.id },
      projectId: project.id,
      pointer,
      isParticipants: true,
    })
    const content = await readFileContent(received, question.kinds).catch((error: unknown) => {
      const [fault] = isAppError(error) ? error.faults : []
      throw fault ? createFileError(fault) : error
    })
    const name = placed.survey.anonymous ? withEnding(String(before + 1), content.type) : toSafeName(given.name, content.type)
    const row: FileRow = {
      siteId: ctx.site.id,
      id: createId(),
      surveyId: placed.survey.id,
      question: question.id,
      heldBy: sending.id,
      keyHash: hashSending(ctx, sending),
      name,
      mediaType: content.type,
      bytes: content.bytes.length,
      touchedAt: ctx.now(),
      sentAt: null,
      giverHash: giver,
    }
    // Insert the row first, so that every object in storage has one. Check again: other files may have arrived during the inspection.
    await ctx.db.tx(async (tx) => {
      await assertMayWait(ctx, tx, { surveyId: row.surveyId, sending, bytes: row.bytes, giver, pointer })
      await tx.insert(responseFiles).values(row)
    })
    try {
      await openStorage(ctx.runtime.env).put(buildStorageKey(row), content.bytes)
    } catch (error) {
      // Writing also fails if the folder is deleted meanwhile.
      const deleted = await ctx.db.tx((tx) =>
        tx
          .delete(responseFiles)
          .where(whereIds(ctx, [row.id]))
          .returning({ id: responseFiles.id }),
      )
      throw deleted.length > 0 ? error : createFileError({ code: 'file-gone' })
    }
    if (!(await isStillKept(ctx, row))) {
      await openStorage(ctx.runtime.env).removeBelow(buildFolder(row))
      throw createFileError({ code: 'file-gone' })
    }
    return toSentFile(row)
  })
}

/** False if the same form, sent twice at once, was stored without this file while it was being written. */
async function isStillKept(ctx: Ctx, { id }: FileRow): Promise<boolean> {
  const rows = await ctx.db.tx((tx) =>
    tx
      .select({ id: responseFiles.id })
      .from(responseFiles)
      .where(whereIds(ctx, [id]))
      .for('share'),
  )
  return rows.length > 0
}

/** Groups the unsent files of one network address without storing the address. */
export const hashGiver = ({ address, site, runtime }: Ctx): Buffer | null =>
  address === null
    ? null
    : createHmac('sha256', runtime.secret)
        .update(`giver of files ${site.id} ${toNetwork(address)}`)
        .digest()

interface UnsentFile {
  surveyId: string
  sending: Sending
  bytes: number
  giver: Buffer | null
  pointer: string
}

/**
 * Unsent files do not count towards the site's storage quota, so nobody can fill it with them; but a file that could never be sent is
 * refused too. Holds a lock until the transaction ends.
 * @throws {AppError} `invalid` with `storage-full` or `too-many-unsent-files`
 */
async function assertMayWait(ctx: Ctx, tx: Tx, { surveyId, sending, bytes, giver, pointer }: UnsentFile): Promise<void> {
  const bytesWhere = (where: SQL) => sql<number>`coalesce(sum(${responseFiles.bytes}) filter (where ${where}), 0)`.mapWith(Number)
  await lockForTransaction(tx, ctx.site.id, 'storage')
  const [waiting] = await tx
    .select({
      ofSending: bytesWhere(eq(responseFiles.heldBy, sending.id)),
      ofSurvey: bytesWhere(eq(responseFiles.surveyId, surveyId)),
      ofAddress: giver ? bytesWhere(eq(responseFiles.giverHash, giver)) : sql<number>`0`.mapWith(Number),
    })
    .from(responseFiles)
    .where(and(eq(responseFiles.siteId, ctx.site.id), isNull(responseFiles.sentAt)))
  for (const whose of ['ofAddress', 'ofSurvey'] as const) {
    const max = MAX_UNSENT_MEGABYTES[whose]
    if ((waiting?.[whose] ?? 0) + bytes > max * 1_000_000)
      throw new AppError('invalid', { faults: [{ code: 'too-many-unsent-files', pointer, values: { max } }] })
  }
  await requireStorageRoom(ctx, tx, (waiting?.ofSending ?? 0) + bytes, pointer)
}

/**
 * Whether the viewer may upload files to the survey now, as far as we know before reading their form: true if in doubt, false instead of an
 * AppError.
 */
export async function canBringFiles(ctx: Ctx, find: (tx: Tx) => Promise<PlacedSurvey>, broughtTo: ReadGuestCredentials): Promise<boolean> {
  try {
    return await ctx.db.read(async (tx) => {
      const placed = await find(tx)
      const { survey } = placed
      assertOpen(placed, OPENED_LONG_AGO, ctx.now())
      if (!survey.changeable && (await findRefusal(ctx, tx, placed, broughtTo(getInvitationOwner(ctx, survey))))) return false
      for (let version = survey.publishedVersion ?? 0; version > 0; version--) {
        if (listQuestions(await loadVersion(tx, ctx.site.id, survey.id, version)).some(({ type }) => type === 'file')) return true
      }
      return false
    })
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}

/** A form that we have not read yet may have been opened before the survey closed. */
const OPENED_LONG_AGO = createSending(new Date(0)).id

/** @throws {AppError} as `keepFile`, if the viewer may not upload to the question */
export async function assertMayGiveTo(
  ctx: Ctx,
  find: (tx: Tx) => Promise<PlacedSurvey>,
  broughtTo: ReadGuestCredentials,
  given: Pick<GivenFile, 'sending' | 'version' | 'question'>,
): Promise<void> {
  await ctx.db.read(async (tx) => assertMayGive(ctx, tx, await find(tx), broughtTo, given))
}

export type ReadGuestCredentials = (ownerId: string) => GuestCredentials

/** The question, if the viewer may answer it now. */
async function assertMayGive(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedSurvey,
  broughtTo: ReadGuestCredentials,
  { sending, version, question }: Pick<GivenFile, 'sending' | 'version' | 'question'>,
): Promise<QuestionOf<'file'>> {
  const { survey } = placed
  assertOpen(placed, sending.id, ctx.now())
  if (!(survey.changeable && (await isChange(ctx, tx, survey.id, sending)))) {
    const brought = broughtTo(getInvitationOwner(ctx, survey))
    const refusal = await findRefusal(ctx, tx, placed, brought)
    if (refusal) throw new AppError(ERROR_BY_REFUSAL[refusal])
    if (await hasAnswered(ctx, tx, survey, brought)) throw new AppError('already-answered')
  }
  const published = survey.publishedVersion ?? 0
  const asked = version && version <= published ? version : published
  const definition = await loadVersion(tx, ctx.site.id, survey.id, asked)
  const found = listQuestions(definition).find(({ id }) => id === question)
  if (found?.type !== 'file') throw new AppError('not-found')
  return found
}

async function isChange(ctx: Ctx, tx: Tx, surveyId: string, sending: Sending): Promise<boolean> {
  const rows = await tx
    .select({ id: responseDrafts.id })
    .from(responseDrafts)
    .where(
      and(
        eq(responseDrafts.siteId, ctx.site.id),
        eq(responseDrafts.id, sending.id),
        eq(responseDrafts.surveyId, surveyId),
        eq(responseDrafts.resumeHash, hashSending(ctx, sending)),
        isNotNull(responseDrafts.replaces),
      ),
    )
  return rows.length > 0
}
