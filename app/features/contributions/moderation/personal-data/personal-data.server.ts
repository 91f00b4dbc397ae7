import { createHash } from 'node:crypto'
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { findCountry } from '#app/features/sms/phone-format.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { type FoundPersonalData, findPersonalData } from './find-personal-data.server.ts'
import type { PersonalDataWarning } from '../../record/personal-data.schema.ts'

/** What somebody is about to publish. */
export interface WrittenTexts {
  title?: string
  body: string
  /** Says where something is, often with an address: one is no reason to warn. */
  placeText?: string
  shownName?: string
}

/** Personal data in a text, without what the site itself publishes. Nothing of it is stored or logged. */
export async function findPublishedData(ctx: Ctx, tx: Tx, texts: WrittenTexts): Promise<FoundPersonalData[]> {
  const country = findCountry(ctx.site.region)
  const { title = '', body, placeText = '', shownName = '' } = texts
  const found = [
    ...[title, body, shownName].flatMap((text) => findPersonalData(text, country)),
    ...findPersonalData(placeText, country).filter(({ kind }) => kind !== 'address'),
  ]
  if (found.length === 0) return []
  const known = await loadPublicContacts(ctx, tx)
  return found.filter(({ key }, at) => !known.has(key) && found.findIndex((other) => other.key === key) === at)
}

/** Keys of what the site publishes on its homepages: the council's own telephone number is no personal data. */
async function loadPublicContacts({ site }: Ctx, tx: Tx): Promise<Set<string>> {
  const rows = await tx
    .selectDistinctOn([homepageRevisions.placeId], { content: homepageRevisions.content })
    .from(homepageRevisions)
    .where(and(eq(homepageRevisions.siteId, site.id), isNotNull(homepageRevisions.publishedAt)))
    .orderBy(homepageRevisions.placeId, desc(homepageRevisions.publishedAt))
  const texts = [site.contactEmail ?? '', ...rows.flatMap(({ content }) => listTexts(content))]
  const country = findCountry(site.region)
  return new Set(texts.flatMap((text) => findPersonalData(text, country)).map(({ key }) => key))
}

function listTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return typeof content === 'object' && content !== null ? Object.values(content).flatMap(listTexts) : []
}

/** Changes with the passages, so that what is added later is warned of as well. */
const hashPassages = (found: readonly FoundPersonalData[]): string =>
  createHash('sha256')
    .update(
      found
        .map(({ key }) => key)
        .toSorted()
        .join('\n'),
    )
    .digest('base64url')
    .slice(0, 16)

/** What the author is asked to look at before sending; null if there is nothing. */
export async function describePersonalData(ctx: Ctx, tx: Tx, texts: WrittenTexts): Promise<PersonalDataWarning | null> {
  const found = await findPublishedData(ctx, tx, texts)
  if (found.length === 0) return null
  return { passages: found.map(({ kind, text }) => ({ kind, text })), seen: hashPassages(found) }
}

/** @throws {AppError} `personal-data-first` unless the author has seen what they are about to publish */
export async function requireSeenPersonalData(ctx: Ctx, texts: WrittenTexts, seen: unknown): Promise<void> {
  const warning = await ctx.db.read((tx) => describePersonalData(ctx, tx, texts))
  if (warning && warning.seen !== seen) throw new AppError('personal-data-first')
}
