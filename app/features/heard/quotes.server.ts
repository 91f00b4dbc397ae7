import { type SQL, sql } from 'drizzle-orm'
import { findPersonalData } from '#app/features/contributions/moderation/personal-data/find-personal-data.server.ts'
import { findCountry } from '#app/features/sms/phone-format.server.ts'
import { type ContentLanguage, toInterfaceLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { IS_LIVE, LIVE_EVIDENCE, PERSON } from './theme-figures.server.ts'

const MAX_QUOTES_READ = 2000
const MIN_NAME = 3

/** A passage that may be quoted in public. */
export interface Quote {
  /** Of the evidence. */
  id: string
  /** That it was coded to, which may have been merged into another. */
  theme: string
  person: string
  text: string
  language: ContentLanguage
}

/**
 * Passages of a project that somebody chose as quotes and that still count, the oldest first. Personal data and the author's own name are masked.
 * @param more condition on the evidence `e`
 */
export async function readQuotes(ctx: Ctx, tx: Tx, projectId: string, more: SQL = sql`true`): Promise<Quote[]> {
  const { rows } = await tx.execute<Omit<Quote, 'text'> & { text: string | null; names: string[] }>(sql`
    select e.id, e.theme_id as theme, coalesce(r.language, c.language, p.language) as language, ${PERSON} as person,
      case when e.quote <> '' then e.quote else coalesce(written_answer(r.answers, e.question), p.body,
        (select contribution_text(v.title, v.body) from contribution_versions v
          where v.site_id = e.site_id and v.contribution_id = c.id and v.number = e.version), contribution_text(c.title, c.body)) end as text,
      array_remove(array[u.login, c.shown_name, p.shown_name], null) as names
    from ${LIVE_EVIDENCE}
    left join users u on u.site_id = e.site_id and u.id = coalesce(r.user_id, c.author_id, p.author_id)
    where e.site_id = ${ctx.site.id} and e.project_id = ${projectId} and e.state = 'confirmed' and e.is_quoted and ${more} and ${IS_LIVE}
    order by e.created_at, e.id limit ${MAX_QUOTES_READ}`)
  return rows.flatMap(({ text, names, ...row }) => (text ? [{ ...row, text: maskQuote(ctx, text, row.language, names) }] : []))
}

function maskQuote(ctx: Ctx, text: string, language: ContentLanguage, names: readonly string[]): string {
  const mark = getTranslator(toInterfaceLanguage(language, ctx.site.locale), 'heard')('masked')
  const found = findPersonalData(text, findCountry(ctx.site.region))
  const masked = found.toReversed().reduce((left, { start, end }) => left.slice(0, start) + mark + left.slice(end), text)
  return names.filter((name) => name.length >= MIN_NAME).reduce((left, name) => left.replaceAll(name, mark), masked)
}
