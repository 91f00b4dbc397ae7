import { and, eq, inArray, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { CodingReading, EvidenceSource } from '#app/lib/vocabulary/heard.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { codingSampleCodes, codingSampleTexts, codingSamples, themeEvidence } from '#app/server/db/schema/heard.ts'
import { addEvidence, updateEvidence } from '../evidence.server.ts'
import { requireProjectFor } from '../heard.policy.server.ts'
import { loadProjectThemes, resolveMerges } from '../theme-figures.server.ts'
import { buildTextsQuery, getReaderId, parseSourceKey } from '../written-texts.server.ts'
import type { DisagreedText, DisagreementView, DoubleCoding, SampleView } from './coding-samples.schema.ts'
import { selectDrawable } from './draw-sample.server.ts'
import { measureAgreement } from './measure-agreement.server.ts'
import { isFinished } from './sample-texts.server.ts'

const MAX_SHOWN = 200

/** Samples of a question or activity, how well the two agree, and what they sorted differently. @throws {AppError} `not-found`, `forbidden` */
export function getDoubleCoding(ctx: Ctx, { project, source }: { project: string; source: string }): Promise<DoubleCoding> {
  const chosen = parseSourceKey(source)
  return ctx.db.read(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', project)
    const coderId = getReaderId(ctx)
    const drawable = selectDrawable(ctx, buildTextsQuery(ctx.site.id, project, chosen), { coderId: coderId ?? ctx.site.id, language: null })
    const { rows } = await tx.execute<{ total: number }>(sql`select count(*)::int as total from (${drawable}) d`)
    return {
      samples: await listSamples(ctx, tx, project, source),
      agreement: await measureAgreement(ctx, tx, project, source),
      texts: await listDisagreedTexts(ctx, tx, project, source),
      drawable: coderId ? (rows[0]?.total ?? 0) : 0,
    }
  })
}

type SampleRow = Omit<SampleView, 'isMine'> & { coder_id: string }

async function listSamples(ctx: Ctx, tx: Tx, projectId: string, source: string): Promise<SampleView[]> {
  const { rows } = await tx.execute<SampleRow>(sql`
    select s.id, s.language, s.seed, to_json(s.created_at) #>> '{}' as "createdAt", s.size, s.drawn_from as "drawnFrom", s.coder_id, u.login as coder,
      count(t.id)::int as texts, count(t.read_at)::int as read
    from coding_samples s left join users u on u.site_id = s.site_id and u.id = s.coder_id
    left join coding_sample_texts t on t.site_id = s.site_id and t.sample_id = s.id
    where s.site_id = ${ctx.site.id} and s.project_id = ${projectId} and s.source = ${source}
    group by s.site_id, s.id, u.login order by s.created_at desc, s.id`)
  return rows.map(({ coder_id: coderId, ...sample }) => ({ ...sample, isMine: coderId === getReaderId(ctx) }))
}

type CodeRow = {
  id: string
  text_id: string
  theme: string
  reading: CodingReading
  coder: string | null
  start: number
  end: number
  is_agreed: boolean | null
  source: EvidenceSource
  words: string
  language: ContentLanguage
  at: string
}

/** Only of samples that are read to their end, so that nobody reads second what they have seen here. */
async function listDisagreedTexts(ctx: Ctx, tx: Tx, projectId: string, source: string): Promise<DisagreedText[]> {
  const { rows } = await tx.execute<CodeRow>(sql`
    select c.id, c.text_id, c.theme_id as theme, c.reading, u.login as coder, c.start_at as start, c.end_at as end, c.is_agreed,
      t.source, t.text as words, t.language, t.at::text as at
    from coding_samples s join coding_sample_texts st on st.site_id = s.site_id and st.sample_id = s.id
    join coding_sample_codes c on c.site_id = st.site_id and c.text_id = st.id
    join (${buildTextsQuery(ctx.site.id, projectId, parseSourceKey(source))}) t
      on t.id = coalesce(st.response_id, st.contribution_id, st.reply_id) and t.question = st.question
    left join users u on u.site_id = c.site_id and u.id = c.coder_id
    where s.site_id = ${ctx.site.id} and s.project_id = ${projectId} and s.source = ${source}
      and not exists (select from coding_sample_texts o where o.site_id = s.site_id and o.sample_id = s.id and o.read_at is null)
    order by t.at, t.id, c.start_at, c.id`)
  const ends = resolveMerges(await loadProjectThemes(ctx, tx, projectId))
  const texts = [...Map.groupBy(rows, ({ text_id }) => text_id)].flatMap(([id, codes]): DisagreedText[] => {
    const [first] = codes
    const disagreements = listDisagreements(id, codes, (theme) => ends.get(theme) ?? theme)
    if (!first || disagreements.length === 0) return []
    const { source: kind, words, language, at } = first
    return [{ id, source: kind, words, language, at, disagreements }]
  })
  return texts.slice(0, MAX_SHOWN)
}

function listDisagreements(text: string, codes: readonly CodeRow[], toEnd: (theme: string) => string): DisagreementView[] {
  return [...Map.groupBy(codes, ({ theme }) => toEnd(theme))].flatMap(([theme, given]): DisagreementView[] => {
    const [one] = given
    if (!one || new Set(given.map(({ reading }) => reading)).size > 1) return []
    const passages = given.filter(({ start, end }) => start < end).map(({ start, end }) => ({ start, end }))
    return [{ text, theme, reading: one.reading, coder: one.coder, passages, isAgreed: one.is_agreed }]
  })
}

interface SettleInput {
  /** In the sample. */
  text: string
  theme: string
  /** Whether the text says it. */
  isAgreed: boolean
}

/**
 * What two people agree on where only one of them gave a theme to a text: its passages become evidence, or are evidence no longer. What each of
 * them had given stays as it was.
 * @throws {AppError} `not-found`, `forbidden`; `sample-open` before the second person has read all of it
 */
export function settleDisagreement(ctx: Ctx, { text: textId, theme, isAgreed }: SettleInput): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const [found] = await tx
      .select({ text: codingSampleTexts, sample: codingSamples })
      .from(codingSampleTexts)
      .innerJoin(codingSamples, and(eq(codingSamples.siteId, codingSampleTexts.siteId), eq(codingSamples.id, codingSampleTexts.sampleId)))
      .where(and(eq(codingSampleTexts.siteId, ctx.site.id), eq(codingSampleTexts.id, textId)))
      .for('update', { of: codingSampleTexts })
    if (!found) throw new AppError('not-found')
    const { text, sample } = found
    await requireProjectFor(ctx, tx, 'responses.see', sample.projectId)
    if (!(await isFinished(ctx, tx, sample.id))) throw new AppError('sample-open')
    const ends = resolveMerges(await loadProjectThemes(ctx, tx, sample.projectId))
    const codes = await tx
      .select()
      .from(codingSampleCodes)
      .where(and(eq(codingSampleCodes.siteId, ctx.site.id), eq(codingSampleCodes.textId, textId)))
    const given = codes.filter((code) => ends.get(code.themeId) === ends.get(theme))
    // Where both gave it, there is nothing to settle.
    if (given.length === 0 || new Set(given.map(({ reading }) => reading)).size > 1) throw new AppError('not-found')
    const inside = withTx(ctx, tx)
    if (isAgreed) for (const code of given) await addAgreedEvidence(inside, tx, { text, sample, code })
    else
      await rejectEvidence(
        inside,
        tx,
        text,
        [...ends].flatMap(([id, end]) => (end === ends.get(theme) ? [id] : [])),
      )
    await tx
      .update(codingSampleCodes)
      .set({ isAgreed, settledBy: getReaderId(ctx), settledAt: ctx.now() })
      .where(
        and(
          eq(codingSampleCodes.siteId, ctx.site.id),
          inArray(
            codingSampleCodes.id,
            given.map(({ id }) => id),
          ),
        ),
      )
  })
}

type TextRow = typeof codingSampleTexts.$inferSelect

const sourceOf = ({ responseId, contributionId, replyId }: TextRow): { source: EvidenceSource; sourceId: string } =>
  responseId
    ? { source: 'response', sourceId: responseId }
    : contributionId
      ? { source: 'contribution', sourceId: contributionId }
      : { source: 'reply', sourceId: replyId ?? '' }

interface AgreedCode {
  text: TextRow
  sample: typeof codingSamples.$inferSelect
  code: typeof codingSampleCodes.$inferSelect
}

async function addAgreedEvidence(ctx: Ctx, tx: Tx, { text, sample, code }: AgreedCode): Promise<void> {
  const { source, sourceId } = sourceOf(text)
  const { rows } = await tx.execute<{ quote: string }>(sql`
    select substring(t.text from ${code.startAt}::integer + 1 for ${code.endAt - code.startAt}::integer) as quote
    from (${buildTextsQuery(ctx.site.id, sample.projectId, parseSourceKey(sample.source))}) t
    where t.id = ${sourceId} and t.question = ${text.question}`)
  await addEvidence(ctx, {
    theme: code.themeId,
    source,
    sourceId,
    question: text.question,
    version: text.version,
    start: code.startAt,
    quote: rows[0]?.quote ?? '',
  })
}

async function rejectEvidence(ctx: Ctx, tx: Tx, text: TextRow, themes: readonly string[]): Promise<void> {
  const rows = await tx
    .select()
    .from(themeEvidence)
    .where(
      and(
        eq(themeEvidence.siteId, ctx.site.id),
        eq(themeEvidence.question, text.question),
        sql`coalesce(${themeEvidence.responseId}, ${themeEvidence.contributionId}, ${themeEvidence.replyId}) = ${sourceOf(text).sourceId}`,
        inArray(themeEvidence.themeId, [...themes]),
        eq(themeEvidence.state, 'confirmed'),
      ),
    )
  for (const row of rows) await updateEvidence(ctx, row, { state: 'rejected' })
}
