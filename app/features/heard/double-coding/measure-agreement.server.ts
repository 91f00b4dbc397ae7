import { sql } from 'drizzle-orm'
import type { CodingReading } from '#app/lib/vocabulary/heard.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { loadProjectThemes, resolveMerges } from '../theme-figures.server.ts'
import { type Agreement, TEXTS_FOR_AGREEMENT } from './coding-samples.schema.ts'
import { measureDisagreement, sumDisagreements, toAlpha } from './krippendorff-alpha.ts'

type CodedText = { id: string; codes: { theme: string; reading: CodingReading }[] }

/**
 * How well two people agree on what both of them read, in a project or in one source of it. Each theme is a yes or no of its own for each
 * text; over all themes, what they differ in is compared with what chance would give, theme by theme. What the two settled later changes nothing.
 */
export async function measureAgreement(ctx: Ctx, tx: Tx, projectId: string, source?: string): Promise<Agreement> {
  const { rows } = await tx.execute<CodedText>(sql`
    select t.id, coalesce(jsonb_agg(jsonb_build_object('theme', c.theme_id, 'reading', c.reading)) filter (where c.id is not null), '[]') as codes
    from coding_samples s join coding_sample_texts t on t.site_id = s.site_id and t.sample_id = s.id
    left join coding_sample_codes c on c.site_id = t.site_id and c.text_id = t.id
    where s.site_id = ${ctx.site.id} and s.project_id = ${projectId} and t.read_at is not null
      ${source === undefined ? sql`` : sql`and s.source = ${source}`}
    group by t.id`)
  const needed = Math.max(0, TEXTS_FOR_AGREEMENT - rows.length)
  if (needed > 0) return { texts: rows.length, needed, alpha: null, themes: [] }
  const themes = await loadProjectThemes(ctx, tx, projectId)
  const ends = resolveMerges(themes)
  const given = rows.map(({ codes }) => {
    const listThemes = (reading: CodingReading) =>
      new Set(codes.flatMap((code) => (code.reading === reading ? [ends.get(code.theme) ?? code.theme] : [])))
    return { first: listThemes('first'), second: listThemes('second') }
  })
  const measured = themes
    .filter(({ mergedInto }) => mergedInto === null)
    .map(({ id }) => {
      const units = given.map(({ first, second }) => [first.has(id), second.has(id)])
      const both = units.filter(([first, second]) => first && second).length
      const one = units.filter(([first, second]) => first !== second).length
      return { theme: id, both, one, disagreement: measureDisagreement(units) }
    })
    .filter(({ both, one }) => both + one > 0)
  return {
    texts: rows.length,
    needed,
    alpha: toAlpha(sumDisagreements(measured.map(({ disagreement }) => disagreement))),
    themes: measured.map(({ disagreement, ...theme }) => ({ ...theme, alpha: toAlpha(disagreement) })),
  }
}
