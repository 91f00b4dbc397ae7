import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { codingSampleCodes, codingSamples, codingSampleTexts } from '#app/server/db/schema/heard.ts'
import { requireTheme } from '../evidence.server.ts'
import type { CodedPassage, TextToRead } from '../heard.schema.ts'
import { requireProjectFor } from '../heard.policy.server.ts'
import { buildTextsQuery, getReaderId, parseSourceKey } from '../written-texts.server.ts'
import type { SampleRow } from './draw-sample.server.ts'

const MAX_AT_ONCE = 50

/** The viewer's own sample, in a project whose answers they may read. @throws {AppError} `not-found`, also for one of a colleague; `forbidden` */
async function requireOwnSample(ctx: Ctx, tx: Tx, id: string): Promise<SampleRow> {
  const [sample] = await tx
    .select()
    .from(codingSamples)
    .where(and(eq(codingSamples.siteId, ctx.site.id), eq(codingSamples.id, id)))
  if (!sample || sample.coderId !== getReaderId(ctx)) throw new AppError('not-found')
  await requireProjectFor(ctx, tx, 'responses.see', sample.projectId)
  return sample
}

/** As above, until all of it is read: then the two see each other's codes, and hers are fixed. @throws {AppError} also `sample-finished` */
async function requireOpenSample(ctx: Ctx, tx: Tx, id: string): Promise<SampleRow> {
  const sample = await requireOwnSample(ctx, tx, id)
  if (await isFinished(ctx, tx, id)) throw new AppError('sample-finished')
  return sample
}

/** All that is left of it was read. */
export async function isFinished(ctx: Ctx, tx: Tx, sampleId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select from coding_sample_texts where site_id = ${ctx.site.id} and sample_id = ${sampleId} and read_at is null limit 1`)
  return rows.length === 0
}

/** The texts of a sample, oldest first, each with what the viewer gave it and nothing else. @throws {AppError} `not-found`, `forbidden` */
export function listSampleTexts(ctx: Ctx, { sample: id, after }: { sample: string; after?: { at: string; id: string } | undefined }) {
  return ctx.db.read(async (tx): Promise<TextToRead[]> => {
    const { projectId, source } = await requireOwnSample(ctx, tx, id)
    const { rows } = await tx.execute<Omit<TextToRead, 'isRead' | 'passages'> & { is_read: boolean; passages: CodedPassage[] }>(sql`
      select t.source, t.id, t.question, t.text, t.language, t.at::text as at, t.version, s.read_at is not null as is_read,
        coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'theme', c.theme_id, 'start', c.start_at, 'end', c.end_at,
            'isQuoted', false, 'state', 'confirmed') order by c.start_at, c.id)
          from coding_sample_codes c where c.site_id = s.site_id and c.text_id = s.id and c.reading = 'second'), '[]') as passages
      from coding_sample_texts s join (${buildTextsQuery(ctx.site.id, projectId, parseSourceKey(source))}) t
        on t.id = coalesce(s.response_id, s.contribution_id, s.reply_id) and t.question = s.question
      where s.site_id = ${ctx.site.id} and s.sample_id = ${id}
        ${after ? sql`and (t.at, t.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by t.at, t.id limit ${MAX_AT_ONCE}`)
    return rows.map(({ is_read: isRead, ...row }) => ({ ...row, isRead }))
  })
}

interface SampleTextInput {
  sample: string
  /** Of the response, contribution or reply. */
  id: string
  question: string
}

/** Marks a text as read by the second person; the last one finishes the sample. @throws {AppError} `not-found`, `forbidden` */
export function markSampleTextAsRead(ctx: Ctx, input: SampleTextInput): Promise<void> {
  return ctx.db.tx(async (tx) => {
    await requireOwnSample(ctx, tx, input.sample)
    const { id } = await requireSampleText(ctx, tx, input)
    await tx
      .update(codingSampleTexts)
      .set({ readAt: sql`coalesce(${codingSampleTexts.readAt}, ${ctx.now()}::timestamptz)` })
      .where(and(eq(codingSampleTexts.siteId, ctx.site.id), eq(codingSampleTexts.id, id)))
  })
}

async function requireSampleText(ctx: Ctx, tx: Tx, { sample, id, question }: SampleTextInput): Promise<{ id: string }> {
  const [text] = await tx
    .select({ id: codingSampleTexts.id })
    .from(codingSampleTexts)
    .where(
      and(
        eq(codingSampleTexts.siteId, ctx.site.id),
        eq(codingSampleTexts.sampleId, sample),
        eq(codingSampleTexts.question, question),
        sql`coalesce(${codingSampleTexts.responseId}, ${codingSampleTexts.contributionId}, ${codingSampleTexts.replyId}) = ${id}`,
      ),
    )
  if (!text) throw new AppError('not-found')
  return text
}

/**
 * Gives a theme to a passage of a text of the viewer's sample, or to the whole text. It counts in no figure.
 * @param input `quote` is compared with the text, as evidence is
 * @returns its id, the same for the same passage
 * @throws {AppError} `not-found`, `forbidden`, `sample-finished`, `quote-not-found`
 */
export function addSampleCode(ctx: Ctx, input: SampleTextInput & { theme: string; start: number; quote: string }): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const sample = await requireOpenSample(ctx, tx, input.sample)
    const theme = await requireTheme(ctx, tx, input.theme)
    if (theme.projectId !== sample.projectId) throw new AppError('not-found')
    const text = await requireSampleText(ctx, tx, input)
    const texts = buildTextsQuery(ctx.site.id, sample.projectId, parseSourceKey(sample.source))
    const start = input.quote === '' ? 0 : input.start
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into coding_sample_codes (site_id, id, text_id, theme_id, reading, coder_id, start_at, end_at)
      select ${ctx.site.id}, ${createId()}, ${text.id}, ${theme.id}, 'second', ${sample.coderId}::uuid, ${start}::integer,
        ${start}::integer + char_length(${input.quote})
      from (${texts}) t where t.id = ${input.id} and t.question = ${input.question}
        and (${input.quote} = '' or substring(t.text from ${start}::integer + 1 for char_length(${input.quote})) = ${input.quote})
      on conflict (site_id, text_id, reading, theme_id, start_at, end_at) do update set coder_id = excluded.coder_id
      returning id`)
    const [stored] = rows
    if (!stored) throw new AppError('quote-not-found', { pointer: '/quote' })
    return stored.id
  })
}

/** Takes a code of the viewer's own away again. @throws {AppError} `not-found`, `forbidden`, `sample-finished` */
export function removeSampleCode(ctx: Ctx, { sample, code }: { sample: string; code: string }): Promise<void> {
  return ctx.db.tx(async (tx) => {
    await requireOpenSample(ctx, tx, sample)
    const isOfSample = sql`exists (select from coding_sample_texts t where t.site_id = ${ctx.site.id} and t.sample_id = ${sample} and t.id = ${codingSampleCodes.textId})`
    const removed = await tx
      .delete(codingSampleCodes)
      .where(
        and(eq(codingSampleCodes.siteId, ctx.site.id), eq(codingSampleCodes.id, code), eq(codingSampleCodes.reading, 'second'), isOfSample),
      )
      .returning({ id: codingSampleCodes.id })
    if (removed.length === 0) throw new AppError('not-found')
  })
}
