import { and, eq, inArray, isNull, lt, not, notInArray, or, sql } from 'drizzle-orm'
import { requireStorageRoom } from '#app/features/media/media.uploads.server.ts'
import type { Fault } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responseFiles, responses } from '#app/server/db/schema/responses.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { getOwn } from '../../questionnaire/question-types/question-type.ts'
import { listAnswerFiles, type SentFile } from '../../questionnaire/question-types/files/files.ts'
import { listQuestions } from '../../questionnaire/answers.ts'
import { hashSending } from '../drafts.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import type { Answers, Definition } from '../../surveys.schema.ts'

export type FileRow = typeof responseFiles.$inferSelect

const UNSENT_KEPT_MS = 86_400_000

export const buildFolder = ({ siteId, id }: Pick<FileRow, 'siteId' | 'id'>) => `${siteId}/answers/${id}`
export const buildStorageKey = (row: Pick<FileRow, 'siteId' | 'id'>): string => `${buildFolder(row)}/file`

export const whereHeldBy = (ctx: Ctx, id: string) => and(eq(responseFiles.siteId, ctx.site.id), eq(responseFiles.heldBy, id))
export const whereIds = (ctx: Ctx, ids: readonly string[]) =>
  and(eq(responseFiles.siteId, ctx.site.id), inArray(responseFiles.id, [...ids]))
export const toSentFile = ({ id, name, mediaType, bytes }: FileRow): SentFile => ({ id, name, type: mediaType, bytes })

/**
 * Replaces what answers claim about their files with what we know about them.
 * @param replaces the response being changed: its files may be referenced again
 * @returns a fault for each question that references somebody else's file or one that no longer exists
 */
export async function withKnownFiles(
  ctx: Ctx,
  tx: Tx,
  {
    surveyId,
    definition,
    answers,
    sending,
    replaces,
  }: { surveyId: string; definition: Definition; answers: Answers; sending: Sending; replaces?: string | undefined },
): Promise<{ answers: Answers; faults: Fault[] }> {
  const asked = listQuestions(definition).filter(({ id, type }) => type === 'file' && getOwn(answers, id) !== undefined)
  if (asked.length === 0) return { answers, faults: [] }
  const ids = asked.flatMap(({ id }) => listAnswerFiles(getOwn(answers, id)).map((file) => file.id))
  const sent = and(eq(responseFiles.heldBy, sending.id), eq(responseFiles.keyHash, hashSending(ctx, sending)))
  // Touch them, so that no sweep deletes them before the response is stored.
  const rows = await tx
    .update(responseFiles)
    .set({ touchedAt: ctx.now() })
    .where(and(whereIds(ctx, ids), eq(responseFiles.surveyId, surveyId), replaces ? or(sent, eq(responseFiles.heldBy, replaces)) : sent))
    .returning()
  const known = { ...answers }
  const faults: Fault[] = []
  for (const { id } of asked) {
    const files = listAnswerFiles(getOwn(answers, id)).map((file) => rows.find((row) => row.id === file.id && row.question === id))
    const there = files.filter((row) => row !== undefined)
    if (there.length < files.length) faults.push({ code: 'file-gone', pointer: `/${id}` })
    known[id] = { files: there.map(toSentFile) }
  }
  return { answers: known, faults }
}

/** Moves the files of a change to the response it changed. */
export async function reassignFiles(ctx: Ctx, tx: Tx, answers: Answers, to: string): Promise<void> {
  const ids = listNamedFiles(answers)
  if (ids.length > 0) await tx.update(responseFiles).set({ heldBy: to }).where(whereIds(ctx, ids))
}

/**
 * Counts the files of a response towards the site's storage from now on, and forgets where they came from.
 * @throws {AppError} `invalid` with `storage-full` at `/answers/<question>`, if the site has no room for them
 */
export async function countAsSent(ctx: Ctx, tx: Tx, answers: Answers): Promise<void> {
  const ids = listNamedFiles(answers)
  if (ids.length === 0) return
  const [sent] = await tx
    .update(responseFiles)
    .set({ sentAt: ctx.now(), giverHash: null })
    .where(and(whereIds(ctx, ids), isNull(responseFiles.sentAt)))
    .returning({ question: responseFiles.question })
  if (sent) await requireStorageRoom(ctx, tx, 0, `/answers/${sent.question}`)
}

const listNamedFiles = (answers: Answers): string[] =>
  Object.values(answers).flatMap((answer) => listAnswerFiles(answer).map(({ id }) => id))

/** Deletes the files of a sending or a response that its answers do not reference. */
export async function removeFilesOf(ctx: Ctx, holder: string, answers: Answers = {}): Promise<void> {
  const named = listNamedFiles(answers)
  await removeFiles(
    ctx,
    await ctx.db.read((tx) =>
      tx
        .select()
        .from(responseFiles)
        .where(and(whereHeldBy(ctx, holder), named.length > 0 ? notInArray(responseFiles.id, named) : undefined)),
    ),
  )
}

/** Deletes an unsent file that the participant removes from an answer. Silent if it does not exist or is not theirs. */
export async function takeFileBack(ctx: Ctx, sending: Sending, id: string): Promise<void> {
  const given = and(whereIds(ctx, [id]), eq(responseFiles.heldBy, sending.id), eq(responseFiles.keyHash, hashSending(ctx, sending)))
  await removeFiles(
    ctx,
    await ctx.db.read((tx) =>
      tx
        .select()
        .from(responseFiles)
        .where(and(given, not(isNamedSql))),
    ),
  )
}

/**
 * A row stays if its stored object cannot be deleted. Both go in one transaction, so that `keepFile`, which locks the row after it has written
 * the object, deletes what it wrote too late.
 */
async function removeFiles(ctx: Ctx, rows: readonly FileRow[]): Promise<void> {
  const storage = openStorage(ctx.runtime.env)
  for (const row of rows)
    await ctx.db.tx(async (tx) => {
      await tx.delete(responseFiles).where(whereIds(ctx, [row.id]))
      await storage.removeBelow(buildFolder(row))
    })
}

/** True if a response that is not withdrawn references the file in the answer to the file's question. */
export const isNamedSql = sql`exists (
  select 1 from ${responses}
  where ${responses.siteId} = ${responseFiles.siteId} and ${responses.id} = ${responseFiles.heldBy} and ${responses.withdrawnAt} is null
    and ${responses.answers} -> ${responseFiles.question} -> 'files' @> jsonb_build_array(jsonb_build_object('id', ${responseFiles.id})))`

const isDraftedSql = sql`exists (
  select 1 from ${responseDrafts}
  where ${responseDrafts.siteId} = ${responseFiles.siteId} and ${responseDrafts.id} = ${responseFiles.heldBy}
    and ${responseDrafts.userId} is not null)`

/**
 * Deletes files that no response references, a day after they were last touched, on every site; drafts of accounts keep theirs. Run by a
 * job.
 * @returns how many
 */
export function sweepFiles(runtime: Runtime): Promise<number> {
  const before = new Date(runtime.now().getTime() - UNSENT_KEPT_MS)
  return runOnEachSite(runtime, (ctx) => {
    const storage = openStorage(runtime.env)
    return ctx.db.tx(async (tx) => {
      const gone = await tx
        .delete(responseFiles)
        .where(and(eq(responseFiles.siteId, ctx.site.id), lt(responseFiles.touchedAt, before), not(isNamedSql), not(isDraftedSql)))
        .returning({ siteId: responseFiles.siteId, id: responseFiles.id })
      for (const row of gone) await storage.removeBelow(buildFolder(row))
      return gone.length
    })
  })
}
