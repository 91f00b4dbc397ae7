import * as v from 'valibot'
import { CONTENT_SCHEMA, type BlockType, type HomeBlock, homeContentSchema, readBlocks } from '#app/features/homepage/homepage.schema.ts'
import { type MissingText, findMissingTexts, listBlockTexts } from '#app/features/homepage/missing-texts.schema.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'

/** Blocks that an email can show. */
export const NEWSLETTER_BLOCKS = [
  'rich_text',
  'picture_text',
  'project_grid',
  'survey_teaser',
  'call_to_action',
  'divider',
] as const satisfies readonly BlockType[]
export type NewsletterBlock = HomeBlock<(typeof NEWSLETTER_BLOCKS)[number]>

const isNewsletterBlock = (block: HomeBlock): block is NewsletterBlock => NEWSLETTER_BLOCKS.some((type) => type === block.type)

export const newsletterContentSchema = v.pipe(
  homeContentSchema,
  v.check(({ blocks }) => blocks.every(isNewsletterBlock), 'not-a-choice'),
)
export type NewsletterContent = v.InferOutput<typeof newsletterContentSchema>

export const toNewsletterContent = (blocks: readonly HomeBlock[]): NewsletterContent => ({ schema: CONTENT_SCHEMA, blocks: [...blocks] })
export const readNewsletterBlocks = (content: unknown): NewsletterBlock[] => readBlocks(content).filter(isNewsletterBlock)

export const MAX_SUBJECT_LENGTH = 200

/** A subject and blocks, as an email shows them. */
export const listNewsletterTexts = (subject: Translated, content: unknown): TranslatedText[] => [
  { pointer: '/subjectTranslations', text: subject, isNeeded: true, max: MAX_SUBJECT_LENGTH },
  ...listBlockTexts(readNewsletterBlocks(content)).map((one) => ({ ...one, pointer: `/content${one.pointer}` })),
]

/** What a newsletter lacks in one language: its subject, or texts of its blocks. */
export interface NewsletterGap {
  language: ContentLanguage
  subject: boolean
  texts: MissingText[]
}

/** Missing translations by language; complete languages are left out. */
export function findNewsletterGaps(
  subject: Translated,
  blocks: readonly HomeBlock[],
  languages: readonly ContentLanguage[],
): NewsletterGap[] {
  const missing = findMissingTexts(blocks, languages)
  return languages
    .map((language) => ({
      language,
      subject: !subject[language]?.trim(),
      texts: missing.filter((one) => one.language === language),
    }))
    .filter((gap) => gap.subject || gap.texts.length > 0)
}

/** The language a reader gets: their own if the newsletter is complete in it, otherwise the site's. */
export const createLanguageChooser =
  (gaps: readonly NewsletterGap[], languages: readonly ContentLanguage[], locale: ContentLanguage) =>
  (wanted: ContentLanguage): ContentLanguage =>
    languages.includes(wanted) && !gaps.some(({ language }) => language === wanted) ? wanted : locale
