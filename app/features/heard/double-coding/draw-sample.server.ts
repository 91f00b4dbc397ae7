import { randomBytes } from 'node:crypto'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { codingSamples } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { requireProjectFor } from '../heard.policy.server.ts'
import { buildTextsQuery, getReaderId, parseSourceKey } from '../written-texts.server.ts'
import type { codingSampleShape } from './coding-samples.api.schema.ts'
import { SAMPLE_SIZE } from './coding-samples.schema.ts'

export type SampleRow = typeof codingSamples.$inferSelect

interface DrawInput extends Omit<CreateInput<typeof codingSampleShape>, 'id'> {
  /** What the order of the texts follows from; another one each time unless it is given. */
  seed?: string
}

/**
 * Draws texts at random that others have read, for the viewer to code without seeing their codes. What the others coded is kept as it is now.
 * A sample of the viewer that is not finished is returned instead.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `nothing-to-draw` if others have read nothing here that was not read twice
 */
export function drawSample(ctx: Ctx, input: DrawInput): Promise<string> {
  const { project: projectId, source, language = null, size = SAMPLE_SIZE.default, seed = randomBytes(16).toString('hex') } = input
  const chosen = parseSourceKey(source)
  return ctx.db.tx(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', projectId)
    const coderId = requireCoder(ctx)
    // Of two presses, the second finds the sample of the first.
    await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
      .for('update')
    const open = await findOpenSample(ctx, tx, { projectId, source, coderId })
    if (open) return open
    const texts = buildTextsQuery(ctx.site.id, projectId, chosen)
    const drawable = selectDrawable(ctx, texts, { coderId, language })
    const { rows: counted } = await tx.execute<{ total: number }>(sql`select count(*)::int as total from (${drawable}) d`)
    const drawnFrom = counted[0]?.total ?? 0
    if (drawnFrom === 0) throw new AppError('nothing-to-draw')
    const id = createId()
    await tx
      .insert(codingSamples)
      .values({ siteId: ctx.site.id, id, projectId, source, language, seed, size, drawnFrom, coderId, createdAt: ctx.now() })
    await tx.execute(sql`
      insert into coding_sample_texts (site_id, id, sample_id, response_id, contribution_id, reply_id, question, version)
      select ${ctx.site.id}, gen_random_uuid(), ${id}, case when d.source = 'response' then d.id end,
        case when d.source = 'contribution' then d.id end, case when d.source = 'reply' then d.id end, d.question, d.version
      from (${drawable}) d order by md5(${seed} || d.id::text || d.question), d.id limit ${size}
      on conflict do nothing`)
    await tx.execute(sql`
      insert into coding_sample_codes (site_id, id, text_id, theme_id, reading, coder_id, start_at, end_at)
      select ${ctx.site.id}, gen_random_uuid(), t.id, e.theme_id, 'first', e.created_by, e.start_at, e.end_at
      from coding_sample_texts t join theme_evidence e on e.site_id = t.site_id and e.question = t.question
        and coalesce(e.response_id, e.contribution_id, e.reply_id) = coalesce(t.response_id, t.contribution_id, t.reply_id)
      where t.site_id = ${ctx.site.id} and t.sample_id = ${id} and e.state = 'confirmed' and e.version = t.version
      on conflict do nothing`)
    return id
  })
}

function requireCoder(ctx: Ctx): string {
  const id = getReaderId(ctx)
  if (!id) throw new AppError('forbidden')
  return id
}

/** Texts that others have read, that the viewer neither read nor coded, and that are in no sample. */
export const selectDrawable = (
  { site }: Ctx,
  texts: SQL,
  { coderId, language }: { coderId: string; language: ContentLanguage | null },
): SQL => sql`
  select t.source, t.id, t.question, t.version from (${texts}) t
  join theme_readings r on r.site_id = ${site.id} and r.source_id = t.id and r.question = t.question
  where r.read_by is distinct from ${coderId}::uuid ${language ? sql`and t.language = ${language}` : sql``}
    and not exists (select from theme_evidence e where e.site_id = ${site.id} and e.created_by = ${coderId} and e.question = t.question
      and coalesce(e.response_id, e.contribution_id, e.reply_id) = t.id)
    and not exists (select from coding_sample_texts s where s.site_id = ${site.id} and s.question = t.question
      and coalesce(s.response_id, s.contribution_id, s.reply_id) = t.id)`

async function findOpenSample(
  ctx: Ctx,
  tx: Tx,
  { projectId, source, coderId }: Pick<SampleRow, 'projectId' | 'source' | 'coderId'>,
): Promise<string | undefined> {
  const [sample] = await tx
    .select({ id: codingSamples.id })
    .from(codingSamples)
    .where(
      and(
        eq(codingSamples.siteId, ctx.site.id),
        eq(codingSamples.projectId, projectId),
        eq(codingSamples.source, source),
        eq(codingSamples.coderId, coderId),
        sql`exists (select from coding_sample_texts t where t.site_id = coding_samples.site_id and t.sample_id = coding_samples.id and t.read_at is null)`,
      ),
    )
    .orderBy(desc(codingSamples.createdAt))
    .limit(1)
  return sample?.id
}
