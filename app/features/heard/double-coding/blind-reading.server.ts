import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'

/**
 * Condition: the text is not one that the viewer is reading second. Its first codes are hidden from them until they have read the whole sample.
 * @param id of the response, contribution or reply
 */
export function isNotReadBlind({ site, viewer }: Ctx, id: SQL, question: SQL): SQL {
  if (viewer.kind !== 'user') return sql`true`
  return sql`not exists (select from coding_sample_texts blind join coding_samples s on s.site_id = blind.site_id and s.id = blind.sample_id
    where blind.site_id = ${site.id} and coalesce(blind.response_id, blind.contribution_id, blind.reply_id) = ${id}
      and blind.question = ${question} and s.coder_id = ${viewer.id}
      and exists (select from coding_sample_texts o where o.site_id = s.site_id and o.sample_id = s.id and o.read_at is null))`
}
