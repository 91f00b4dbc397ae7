import { and, count, eq, isNotNull, sum } from 'drizzle-orm'
import { assertRoom } from '#app/features/media/media.uploads.server.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { Gate } from '#app/lib/gate.ts'
import { newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responseFiles } from '#app/server/db/schema.ts'
import { byAddress, countAttempt } from '#app/server/limits/limits.ts'
import { storageOf } from '#app/server/storage/storage.ts'
import type { SentFile } from '../question-types/files/files.ts'
import { questionsOf } from '../surveys.answers.ts'
import { hashSending } from '../surveys.drafts.server.ts'
import { type Brought, hasAnswered, type PlacedSurvey, refusalOf } from '../surveys.policy.server.ts'
import { assertOpen, REFUSED, type Sending } from '../surveys.responses.server.ts'
import type { QuestionOf } from '../surveys.schema.ts'
import { versionOf } from '../surveys.versions.server.ts'
import { readContent, safeName, withEnding } from './file-content.server.ts'
import { MOST_GIVEN_FILES, MOST_GIVEN_MEGABYTES } from './files.limits.ts'
import { asSent, type FileRow, heldBy, keyOf, withIds } from './response-files.server.ts'

/** A file is held whole while it is looked at: a few at once. */
const looking = new Gate({ atOnce: 3, waiting: 60, full: () => new AppError('unavailable') })

export interface GivenFile {
  sending: Sending
  version: number | undefined
  /** The question's id. */
  question: string
  /** As its giver calls it. */
  name: string
  /** More of it came than any question takes: the rest was not read. */
  isCut: boolean
  bytes: number
  read: () => Promise<Buffer>
}

/**
 * Keeps a file that is given to a question, with the sending that is going to name it in an answer.
 * @param find the survey, seen through the viewer
 * @returns the file as an answer names it
 * @throws {AppError} as `submitResponse` where the viewer may not answer; `not-found` for another question; `invalid` with what is wrong with the
 * file, at `/answers/<question>`; `too-many-requests`, `unavailable`
 */
export async function keepFile(
  ctx: Ctx,
  find: (tx: Tx) => Promise<PlacedSurvey>,
  broughtTo: BroughtTo,
  given: GivenFile,
): Promise<SentFile> {
  await countAttempt(ctx, byAddress(ctx, { name: 'survey-file', most: 150, minutes: 15 }))
  const { sending, bytes, isCut } = given
  const faulty = (fault: Fault) => new AppError('invalid', { faults: [{ ...fault, pointer: `/answers/${given.question}` }] })
  const { placed, question, before } = await ctx.db.tx(async (tx) => {
    const seen = await find(tx)
    const asking = await assertMayGive(ctx, tx, seen, broughtTo, given)
    if (isCut || bytes > asking.maxMegabytes * 1_000_000) throw faulty({ code: 'file-too-large', values: { max: asking.maxMegabytes } })
    const [held] = await tx
      .select({ files: count(), bytes: sum(responseFiles.bytes).mapWith(Number) })
      .from(responseFiles)
      .where(heldBy(ctx, sending.id))
    if ((held?.files ?? 0) >= MOST_GIVEN_FILES || (held?.bytes ?? 0) + bytes > MOST_GIVEN_MEGABYTES * 1_000_000)
      throw faulty({ code: 'files-too-large', values: { max: MOST_GIVEN_MEGABYTES } })
    await assertRoom(ctx, tx, bytes, `/answers/${given.question}`)
    return { placed: seen, question: asking, before: held?.files ?? 0 }
  })
  return looking.run(async () => {
    const content = await readContent(await given.read(), question.kinds).catch((error: unknown) => {
      const [fault] = isAppError(error) ? error.faults : []
      throw fault ? faulty(fault) : error
    })
    const name = placed.survey.anonymous ? withEnding(String(before + 1), content.type) : safeName(given.name, content.type)
    const row: FileRow = {
      siteId: ctx.site.id,
      id: newId(),
      surveyId: placed.survey.id,
      question: question.id,
      heldBy: sending.id,
      keyHash: hashSending(ctx, sending),
      name,
      mediaType: content.type,
      bytes: content.bytes.length,
      touchedAt: ctx.now(),
    }
    // The row is there first: what lies in storage is always known by one. Others were kept while this one was looked at.
    await ctx.db.tx(async (tx) => {
      await assertRoom(ctx, tx, row.bytes, `/answers/${given.question}`)
      await tx.insert(responseFiles).values(row)
    })
    try {
      await storageOf(ctx.runtime.env).put(keyOf(row), content.bytes)
    } catch (error) {
      await ctx.db.tx((tx) => tx.delete(responseFiles).where(withIds(ctx, [row.id])))
      throw error
    }
    return asSent(row)
  })
}

export type BroughtTo = (surveyId: string) => Brought

/** The question, for whoever may answer it now. */
async function assertMayGive(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedSurvey,
  broughtTo: BroughtTo,
  { sending, version, question }: GivenFile,
): Promise<QuestionOf<'file'>> {
  const { survey } = placed
  assertOpen(placed, sending.id, ctx.now())
  if (!(survey.changeable && (await isChange(ctx, tx, survey.id, sending)))) {
    const brought = broughtTo(survey.id)
    const refusal = await refusalOf(ctx, tx, placed, brought)
    if (refusal) throw new AppError(REFUSED[refusal])
    if (await hasAnswered(ctx, tx, survey, brought)) throw new AppError('already-answered')
  }
  const published = survey.publishedVersion ?? 0
  const asked = version && version <= published ? version : published
  const definition = await versionOf(tx, ctx.site.id, survey.id, asked)
  const found = questionsOf(definition).find(({ id }) => id === question)
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
