import * as v from 'valibot'
import { CONTENT_SCHEMA, type BlockType, type HomeBlock, homeContentSchema, readBlocks } from '#app/features/homepage/homepage.schema.ts'
import { type MissingText, missingTexts } from '#app/features/homepage/missing-texts.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'

/** Kinds of a page's blocks that a mail can show. */
export const LETTER_BLOCKS = [
  'rich_text',
  'picture_text',
  'project_grid',
  'survey_teaser',
  'call_to_action',
  'divider',
] as const satisfies readonly BlockType[]
export type LetterBlock = HomeBlock<(typeof LETTER_BLOCKS)[number]>

const isLetterBlock = (block: HomeBlock): block is LetterBlock => LETTER_BLOCKS.some((type) => type === block.type)

export const letterContentSchema = v.pipe(
  homeContentSchema,
  v.check(({ blocks }) => blocks.every(isLetterBlock), 'not-a-choice'),
)
export type LetterContent = v.InferOutput<typeof letterContentSchema>

export const writeLetter = (blocks: readonly HomeBlock[]): LetterContent => ({ schema: CONTENT_SCHEMA, blocks: [...blocks] })
export const readLetter = (content: unknown): LetterBlock[] => readBlocks(content).filter(isLetterBlock)

export const LONGEST_SUBJECT = 200

/** Where a newsletter lacks a language: its subject, or texts of its blocks. */
export interface LetterGap {
  language: Language
  subject: boolean
  texts: MissingText[]
}

/** What keeps a newsletter from being whole, language by language; those it is whole in are left out. */
export function letterGaps(subject: Translated, blocks: readonly HomeBlock[], languages: readonly Language[]): LetterGap[] {
  const missing = missingTexts(blocks, languages)
  return languages
    .map((language) => ({
      language,
      subject: !subject[language]?.trim(),
      texts: missing.filter((one) => one.language === language),
    }))
    .filter((gap) => gap.subject || gap.texts.length > 0)
}

/** The language somebody gets it in: their own where it is whole in that, else the site's. */
export const languageFor =
  (gaps: readonly LetterGap[], languages: readonly Language[], locale: Language) =>
  (wanted: Language): Language =>
    languages.includes(wanted) && !gaps.some(({ language }) => language === wanted) ? wanted : locale
