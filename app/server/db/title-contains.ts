import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'

/** SQL that does to a stored text what `normaliseText` does to a typed one. */
const normaliseStored = (text: SQL): SQL =>
  sql`translate(replace(replace(regexp_replace(normalize(lower(${text}), nfd), '[\u0300-\u036f]', '', 'g'), 'œ', 'oe'), 'æ', 'ae'), '’‘', '''''')`

/** Whether a translated title contains `words` in any language, whatever the case and accents of either. */
export const titleContains = (title: AnyPgColumn, words: string): SQL =>
  sql`exists (select 1 from jsonb_each_text(${title}) title where ${normaliseStored(sql`title.value`)} like ${toLikePattern(normaliseText(words))})`
