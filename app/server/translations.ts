import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { findLeftBehind, findTextGaps, type TextGap, type TranslatedText } from '#app/lib/translated-texts.ts'
import type { Ctx } from './context.ts'
import type { Tx } from './db/client.ts'
import { staleTranslations } from './db/schema/translations.ts'

type StaleRow = typeof staleTranslations.$inferSelect

/** Knows a text with its translation, wherever it stands. */
export const hashPair = (source: string, translation: string): string =>
  createHash('sha256')
    .update(JSON.stringify([source, translation]))
    .digest('base64url')

/** Which translations of some subjects are stale, by subject. */
export class StaleTexts {
  readonly #rows: ReadonlyMap<string, StaleRow>
  /** Subjects with rows: the texts of all others need no hash. */
  readonly #subjects: ReadonlySet<string>
  readonly #source: Language

  constructor(rows: readonly StaleRow[], source: Language) {
    this.#rows = new Map(rows.map((row) => [`${row.subjectId} ${row.language} ${row.pairHash}`, row]))
    this.#subjects = new Set(rows.map(({ subjectId }) => subjectId))
    this.#source = source
  }

  /** What the source said when it was translated and when that changed; undefined if the translation is not stale. */
  find(
    subjectId: string,
    text: Translated,
    language: ContentLanguage,
  ): Pick<StaleRow, 'formerSource' | 'changedAt' | 'pairHash'> | undefined {
    const [source, translation] = [text[this.#source], text[language]]
    if (!source || !translation || language === this.#source || !this.#subjects.has(subjectId)) return undefined
    return this.#rows.get(`${subjectId} ${language} ${hashPair(source, translation)}`)
  }
}

/** @param subjectIds all of the site's if absent */
export async function loadStaleTexts(ctx: Ctx, tx: Tx, subjectIds?: readonly string[]): Promise<StaleTexts> {
  const rows = await tx
    .select()
    .from(staleTranslations)
    .where(and(eq(staleTranslations.siteId, ctx.site.id), subjectIds ? inArray(staleTranslations.subjectId, [...subjectIds]) : undefined))
  return new StaleTexts(rows, ctx.site.locale)
}

/** Notes which translations a change of the source leaves behind. Every use-case that writes translated texts calls it, for drafts too. */
export async function recordSourceChanges(
  ctx: Ctx,
  tx: Tx,
  subjectId: string,
  before: readonly TranslatedText[],
  after: readonly TranslatedText[],
): Promise<void> {
  const { locale, id: siteId } = ctx.site
  const left = findLeftBehind(before, after, locale)
  if (left.length === 0) return
  const known = await loadStaleTexts(ctx, tx, [subjectId])
  const rows = left.flatMap(({ language, source, translation, formerSource }) => {
    // A source that changes twice is compared with what was translated, not with what it said in between.
    const pair = { [locale]: formerSource, [language]: translation }
    const translated = known.find(subjectId, pair, language)?.formerSource ?? formerSource
    const row = { siteId, subjectId, language, pairHash: hashPair(source, translation), formerSource: translated, changedAt: ctx.now() }
    return translated === source ? [] : [row]
  })
  if (rows.length > 0) await tx.insert(staleTranslations).values(rows).onConflictDoNothing()
}

/** Somebody has read the translation: it is right although the source changed. */
export async function settleTranslation(ctx: Ctx, tx: Tx, subjectId: string, text: Translated, language: ContentLanguage): Promise<void> {
  await tx
    .delete(staleTranslations)
    .where(
      and(
        eq(staleTranslations.siteId, ctx.site.id),
        eq(staleTranslations.subjectId, subjectId),
        eq(staleTranslations.language, language),
        eq(staleTranslations.pairHash, hashPair(text[ctx.site.locale] ?? '', text[language] ?? '')),
      ),
    )
}

/** What is missing or stale, as the faults that refuse to publish it. Their `name` waives them. */
export const toGapFaults = (gaps: readonly TextGap[], at = ''): Fault[] =>
  gaps.map(({ code, name, pointer, language }) => ({ code, pointer: `${at}${pointer}`, values: { language, name } }))

const createGapFinder =
  ({ site }: Ctx, subjectId: string, stale: StaleTexts) =>
  (texts: readonly TranslatedText[]): TextGap[] =>
    findTextGaps(texts, site.languages, (text, language) => stale.find(subjectId, text, language) !== undefined)

/** What is missing or stale in the site's languages. */
export const listTextGaps = async (ctx: Ctx, tx: Tx, subjectId: string, texts: readonly TranslatedText[]): Promise<TextGap[]> =>
  createGapFinder(ctx, subjectId, await loadStaleTexts(ctx, tx, [subjectId]))(texts)

interface TextChange {
  /** What the texts belong to, as `staleTranslations.subjectId`. */
  subjectId: string
  /** Texts so far; empty for something new. */
  before: readonly TranslatedText[]
  after: readonly TranslatedText[]
  /** Whether the public saw it so far, so that only what this change leaves missing or stale is asked about. */
  wasPublic: boolean
  /** Whether the public sees it, now or at a time that is set. */
  isPublic: boolean
  /** Names of what is knowingly left. */
  waived?: readonly string[] | 'all' | undefined
}

/**
 * The one rule for languages when texts are saved or published: notes what a changed source leaves stale, and publishes nothing that is
 * missing or stale in a language of the site unless it is waived by name.
 * @returns names of what is left
 * @throws {AppError} `invalid` with `translation-missing`, `alternative-missing` and `translation-stale`, one for each text and language
 */
export async function checkTranslations(ctx: Ctx, tx: Tx, change: TextChange): Promise<string[]> {
  const { subjectId, before, after, wasPublic, isPublic, waived = [] } = change
  await recordSourceChanges(ctx, tx, subjectId, before, after)
  if (!isPublic) return []
  const findGaps = createGapFinder(ctx, subjectId, await loadStaleTexts(ctx, tx, [subjectId]))
  // The same text in another place of a list, or another text in the same place.
  const listKeys = ({ code, name, language, text }: TextGap) => [`${code} ${name}`, `${code} ${language} ${JSON.stringify(text)}`]
  const known = new Set(wasPublic ? findGaps(before).flatMap(listKeys) : [])
  const gaps = findGaps(after)
  const left = gaps.filter((gap) => waived !== 'all' && !waived.includes(gap.name) && !listKeys(gap).some((key) => known.has(key)))
  if (left.length > 0) throw new AppError('invalid', { faults: toGapFaults(left) })
  return gaps.map(({ name }) => name)
}

/** Something with translated texts that the viewer may edit. */
export interface TextSubject {
  id: string
  title: Translated
  project: { id: string; title: Translated } | null
  isPublic: boolean
  editor: string
  /** What its texts are in, by their pointers: a draft if there is one. */
  content: unknown
  texts: readonly TranslatedText[]
  /** Writes other content through the use-case of its kind, with its policy and history. @throws {AppError} as that does */
  save(content: unknown): Promise<unknown>
  /**
   * Publishes its draft of changes, by the rule of its kind for missing languages; absent if it has none, or the viewer may not.
   * @returns whether it is public, or a review of it was asked for @throws {AppError} `invalid` with what is missing, by name
   */
  publish?: ((waived: readonly string[]) => Promise<'published' | 'asked'>) | undefined
}

/** @param id only this one @returns those that the viewer may edit */
export type LoadTextSubjects = (ctx: Ctx, tx: Tx, id?: string) => Promise<TextSubject[]>
