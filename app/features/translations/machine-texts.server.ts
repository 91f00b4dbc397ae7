import { and, eq } from 'drizzle-orm'
import { type Translator, findTranslator } from '#app/features/marketplace/translator.server.ts'
import { ProviderFault } from '#app/features/marketplace/integrations/integration.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { machineTexts } from '#app/server/db/schema/translations.ts'
import { countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import { hashPair } from '#app/server/translations.ts'

/** A text and its translation, of a page, project or whatever they belong to. */
interface TextPair {
  subject: string
  language: Language
  source: string
  translation: string
}

const nameOf = (subject: string, language: string, pairHash: string): string => `${subject} ${language} ${pairHash}`

/** Translations that are still as a machine wrote them, and that nobody confirmed. */
export class MachineTexts {
  readonly #services: ReadonlyMap<string, string>

  constructor(rows: readonly (typeof machineTexts.$inferSelect)[]) {
    this.#services = new Map(rows.map(({ subjectId, language, pairHash, service }) => [nameOf(subjectId, language, pairHash), service]))
  }

  /** The service that wrote a translation. */
  findService({ subject, language, source, translation }: TextPair): string | undefined {
    return this.#services.get(nameOf(subject, language, hashPair(source, translation)))
  }
}

export const loadMachineTexts = async (ctx: Ctx, tx: Tx): Promise<MachineTexts> =>
  new MachineTexts(await tx.select().from(machineTexts).where(eq(machineTexts.siteId, ctx.site.id)))

/**
 * Has a text of the site translated. Nothing is saved but that a machine wrote it: whoever asked saves it, as it is or corrected.
 * @throws {AppError} `not-translatable`, `too-many-requests`, `translation-unavailable`
 */
export async function suggestTranslation(
  ctx: Ctx,
  { subject, from, language, source }: Omit<TextPair, 'translation'> & { from: Language },
): Promise<{ translation: string; service: string }> {
  const translator = await findTranslator(ctx)
  const letters = Array.from(source).length
  if (!translator?.canTranslate(letters, from, language)) throw new AppError('not-translatable')
  const limits = [translator.limit(letters)]
  await countAttempt(ctx, limits)
  const translation = await requestTranslation(translator, { source, from, language }).catch(async (error: unknown) => {
    if (!(error instanceof ProviderFault)) throw error
    if (!error.unsure) await takeBackAttempt(ctx, limits)
    throw new AppError('translation-unavailable')
  })
  const row = { siteId: ctx.site.id, subjectId: subject, language, pairHash: hashPair(source, translation), translatedAt: ctx.now() }
  await ctx.db.tx((tx) =>
    tx
      .insert(machineTexts)
      .values({ ...row, service: translator.name })
      .onConflictDoNothing(),
  )
  return { translation, service: translator.name }
}

async function requestTranslation(translator: Translator, asked: { source: string; from: Language; language: Language }): Promise<string> {
  const [translation = ''] = await translator.translate({ texts: [asked.source], from: asked.from, to: asked.language })
  return translation.trim()
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
