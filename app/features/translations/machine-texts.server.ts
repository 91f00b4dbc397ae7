import { and, eq } from 'drizzle-orm'
import { findTranslator } from '#app/features/marketplace/translator.server.ts'
import { ProviderFault } from '#app/features/marketplace/integrations/integration.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { machineTexts } from '#app/server/db/schema/translations.ts'
import { countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import { hashPair } from '#app/server/translations.ts'

/** A text and its translation, of a page, project or whatever they belong to. */
interface TextPair {
  subject: string
  language: ContentLanguage
  source: string
  translation: string
}

const nameOf = (subject: string, language: string, pairHash: string): string => `${subject} ${language} ${pairHash}`

/** Translations that are still as a machine wrote them, and that nobody confirmed. */
export class MachineTexts {
  readonly #services: ReadonlyMap<string, string>
  /** Subjects with rows: the texts of all others need no hash. */
  readonly #subjects: ReadonlySet<string>

  constructor(rows: readonly (typeof machineTexts.$inferSelect)[]) {
    this.#services = new Map(rows.map(({ subjectId, language, pairHash, service }) => [nameOf(subjectId, language, pairHash), service]))
    this.#subjects = new Set(rows.map(({ subjectId }) => subjectId))
  }

  /** The service that wrote a translation. */
  findService({ subject, language, source, translation }: TextPair): string | undefined {
    if (!this.#subjects.has(subject)) return undefined
    return this.#services.get(nameOf(subject, language, hashPair(source, translation)))
  }
}

export const loadMachineTexts = async (ctx: Ctx, tx: Tx): Promise<MachineTexts> =>
  new MachineTexts(await tx.select().from(machineTexts).where(eq(machineTexts.siteId, ctx.site.id)))

/**
 * Has texts of the site translated, in one request. Nothing is saved but that a machine wrote them: whoever asked saves them, as they are or
 * corrected.
 * @returns the translations, in the order of the texts
 * @throws {AppError} `not-translatable`, `too-many-requests`, `translation-unavailable`
 */
export async function suggestTranslations(
  ctx: Ctx,
  { texts, from, language }: { texts: readonly Pick<TextPair, 'subject' | 'source'>[]; from: ContentLanguage; language: ContentLanguage },
): Promise<string[]> {
  const translator = await findTranslator(ctx)
  const letters = texts.reduce((sum, { source }) => sum + Array.from(source).length, 0)
  if (!translator?.canTranslate(letters, from, language)) throw new AppError('not-translatable')
  const limits = [translator.limit(letters)]
  await countAttempt(ctx, limits)
  const found = await translator
    .translate({ texts: texts.map(({ source }) => source), from, to: language })
    .catch(async (error: unknown) => {
      if (!(error instanceof ProviderFault)) throw error
      if (!error.unsure) await takeBackAttempt(ctx, limits)
      throw new AppError('translation-unavailable')
    })
  const translations = texts.map((_, at) => found[at]?.trim() ?? '')
  const rows = texts.map(({ subject, source }, at) => ({
    siteId: ctx.site.id,
    subjectId: subject,
    language,
    pairHash: hashPair(source, translations[at] ?? ''),
    translatedAt: ctx.now(),
    service: translator.name,
  }))
  await ctx.db.tx((tx) => tx.insert(machineTexts).values(rows).onConflictDoNothing())
  return translations
}

/** Somebody has read what a machine wrote: it is theirs from now on. */
export const confirmMachineText = (ctx: Ctx, tx: Tx, { subject, language, source, translation }: TextPair) =>
  tx
    .delete(machineTexts)
    .where(
      and(
        eq(machineTexts.siteId, ctx.site.id),
        eq(machineTexts.subjectId, subject),
        eq(machineTexts.language, language),
        eq(machineTexts.pairHash, hashPair(source, translation)),
      ),
    )
