import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, isNull } from 'drizzle-orm'
import { ProviderFault } from '#app/features/marketplace/integrations/integration.server.ts'
import { findTranslator, type Translator } from '#app/features/marketplace/translator.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { TranslatableType } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { textTranslations } from '#app/server/db/schema/translations.ts'
import { type Limit, limitByAddress, takeBackAttempt } from '#app/server/limits/limits.ts'
import { receiveOnce } from '#app/server/limits/receive-once.ts'
import { countLetters, hashSource, lockTextSource, type TextSource } from './text-sources.server.ts'

interface AskedTranslation {
  type: TranslatableType
  id: string
  language: ContentLanguage
}

/** What one reader may have sent to the service within 24 hours. */
const MAX_TEXTS_PER_READER = 60
const A_DAY_IN_MINUTES = 24 * 60
/** Longer than a service may take. */
const CLAIMED_FOR_MS = 15_000
const LOOK_EVERY_MS = 200

const isRowOf = (ctx: Ctx, { type, id, language }: AskedTranslation) =>
  and(
    eq(textTranslations.siteId, ctx.site.id),
    eq(textTranslations.sourceType, type),
    eq(textTranslations.sourceId, id),
    eq(textTranslations.language, language),
  )

type Claim = { known: string } | { awaited: string } | { claimed: string; source: TextSource; limits: Limit[] }

/**
 * Returns the translation of a text, and requests it from the service if there is none. Simultaneous requests share one call. Only public text is sent.
 * @returns the translation's id
 * @throws {AppError} `not-found`, `gone`, `vanished`; `not-translatable` if it is in that language already, too long, or the site has no service
 * for it; `too-many-requests` once the reader or the site has sent as much as a day allows; `translation-unavailable` if the service fails;
 * `stale` if the text was changed meanwhile
 */
export async function translateText(ctx: Ctx, asked: AskedTranslation): Promise<string> {
  const translator = await findTranslator(ctx)
  const claim = await claimTranslation(ctx, asked, translator)
  if ('known' in claim) return claim.known
  if ('awaited' in claim) return awaitTranslation(ctx, claim.awaited)
  const { claimed, source, limits } = claim
  try {
    const fields = Object.keys(source.texts)
    const texts = await translator?.translate({ texts: Object.values(source.texts), from: source.language, to: asked.language })
    const stored = await ctx.db.tx((tx) =>
      tx
        .update(textTranslations)
        .set({ texts: Object.fromEntries(fields.map((field, at) => [field, texts?.[at] ?? ''])), claimedUntil: null, createdAt: ctx.now() })
        .where(and(eq(textTranslations.siteId, ctx.site.id), eq(textTranslations.id, claimed)))
        .returning({ id: textTranslations.id }),
    )
    // Whatever changes a text deletes its translations, this one too.
    if (stored.length === 0) throw new AppError('stale')
    return claimed
  } catch (error) {
    const isClaim = and(eq(textTranslations.siteId, ctx.site.id), eq(textTranslations.id, claimed), isNull(textTranslations.texts))
    await ctx.db.tx((tx) => tx.delete(textTranslations).where(isClaim))
    if (!(error instanceof ProviderFault)) throw error
    if (!error.unsure) await takeBackAttempt(ctx, limits)
    throw new AppError('translation-unavailable')
  }
}

function claimTranslation(ctx: Ctx, asked: AskedTranslation, translator: Translator | undefined): Promise<Claim> {
  return receiveOnce(ctx, `translation ${asked.type} ${asked.id} ${asked.language}`, async (tx, charge): Promise<Claim> => {
    const { source, contribution } = await lockTextSource(ctx, tx, asked)
    const hash = hashSource(source)
    const [row] = await tx.select().from(textTranslations).where(isRowOf(ctx, asked))
    if (row?.sourceHash === hash && row.contributionId === contribution.id) {
      if (row.texts) return { known: row.id }
      if (row.claimedUntil && row.claimedUntil > ctx.now()) return { awaited: row.id }
    }
    const letters = countLetters(source)
    if (!translator?.canTranslate(letters, source.language, asked.language)) throw new AppError('not-translatable')
    const limits = [...limitReader(ctx), translator.limit(letters)]
    await charge(limits)
    if (row) await tx.delete(textTranslations).where(isRowOf(ctx, asked))
    const claimed = await insertClaim(ctx, tx, asked, { contributionId: contribution.id, source, hash, service: translator.name })
    return { claimed, source, limits }
  })
}

const limitReader = (ctx: Ctx): Limit[] => {
  const limit = { name: 'translation', most: MAX_TEXTS_PER_READER, minutes: A_DAY_IN_MINUTES }
  return ctx.viewer.kind === 'user' ? [{ ...limit, of: ctx.viewer.id }] : limitByAddress(ctx, limit)
}

async function insertClaim(
  ctx: Ctx,
  tx: Tx,
  { type, id: sourceId, language }: AskedTranslation,
  { source, hash, ...more }: { contributionId: string; source: TextSource; hash: string; service: string },
): Promise<string> {
  const id = createId()
  await tx.insert(textTranslations).values({
    ...more,
    siteId: ctx.site.id,
    id,
    sourceType: type,
    sourceId,
    language,
    sourceLanguage: source.language,
    sourceHash: hash,
    claimedUntil: new Date(ctx.now().getTime() + CLAIMED_FOR_MS),
    createdAt: ctx.now(),
  })
  return id
}

/** Waits for a translation that another request has begun. @throws {AppError} `translation-unavailable` */
async function awaitTranslation(ctx: Ctx, id: string): Promise<string> {
  for (let waited = 0; waited < CLAIMED_FOR_MS; waited += LOOK_EVERY_MS) {
    await wait(LOOK_EVERY_MS)
    const [row] = await ctx.db.tx((tx) =>
      tx
        .select({ texts: textTranslations.texts })
        .from(textTranslations)
        .where(and(eq(textTranslations.siteId, ctx.site.id), eq(textTranslations.id, id))),
    )
    if (!row) break
    if (row.texts) return id
  }
  throw new AppError('translation-unavailable')
}
