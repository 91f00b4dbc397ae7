import { createHash } from 'node:crypto'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { findTranslation, type Translated } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import { READABLE_STATES, type TranslatableType, type TranslatedTexts } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, contributionVersions, type FormerWording, officialResponses, replies } from '#app/server/db/schema/contributions.ts'
import type { textTranslations } from '#app/server/db/schema/translations.ts'
import { listMaskableAnswers, readExtraQuestions } from '../fields/fields.server.ts'
import { loadPhotos } from '../photos/stored-photos.server.ts'
import { type ContributionRow, type PlacedContribution, requirePlacedContribution } from '../record/loading.server.ts'
import type { PhotoView } from '../record/photos.schema.ts'
import { buildPhotoPart } from '../record/translations.schema.ts'

type VersionRow = typeof contributionVersions.$inferSelect

/** What everybody reads of a text, in the language that it was written in. */
export interface TextSource {
  type: TranslatableType
  id: string
  language: ContentLanguage
  texts: TranslatedTexts
}

const omitEmpty = (texts: TranslatedTexts): TranslatedTexts => Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim()))

/** @param photos what everybody sees, each with what it shows */
export function toContributionSource(
  activity: { fields: unknown },
  row: ContributionRow,
  photos: readonly Pick<PhotoView, 'id' | 'alt'>[],
): TextSource {
  const alts = Object.fromEntries(photos.map((photo) => [buildPhotoPart(photo.id), photo.alt]))
  const { id, language } = row
  return { type: 'contributions', id, language, texts: omitEmpty({ ...readWrittenTexts(activity, row), ...alts }) }
}

/** What a contribution said before. */
export const toVersionSource = (
  activity: { fields: unknown },
  { language }: Pick<ContributionRow, 'language'>,
  version: Pick<VersionRow, 'id' | 'title' | 'body' | 'fields'>,
): TextSource => ({ type: 'contribution-versions', id: version.id, language, texts: omitEmpty(readWrittenTexts(activity, version)) })

function readWrittenTexts(
  activity: { fields: unknown },
  { title, body, fields }: Pick<ContributionRow, 'title' | 'body' | 'fields'>,
): TranslatedTexts {
  const asked = readExtraQuestions(activity).filter(({ shownTo }) => shownTo === 'public')
  return { title, body, ...(listMaskableAnswers({ fields: asked }, fields) as TranslatedTexts) }
}

export const toReplySource = ({ id, language, body }: { id: string; language: ContentLanguage; body: string }): TextSource => ({
  type: 'replies',
  id,
  language,
  texts: omitEmpty({ body }),
})

interface AnswerTexts {
  id: string
  text: Translated
  withdrawnAt?: Date | null
  withdrawalReason?: Translated
}

/** What a reader of `language` is shown: the answer in that language, or else in another one. Of a withdrawn answer, why it is gone. */
export function toAnswerSource({ site }: Pick<Ctx, 'site'>, answer: AnswerTexts, language: ContentLanguage): TextSource {
  const shown = findTranslation(answer.withdrawnAt ? answer.withdrawalReason : answer.text, language, site.locale)
  return {
    type: 'official-responses',
    id: answer.id,
    language: shown?.language ?? language,
    texts: omitEmpty({ body: shown?.text ?? '' }),
  }
}

/** What an official answer said before, as a reader of `language` is shown it. */
export const toWordingSource = (ctx: Pick<Ctx, 'site'>, { id, text }: FormerWording, language: ContentLanguage): TextSource => ({
  ...toAnswerSource(ctx, { id, text }, language),
  type: 'official-response-wordings',
})

/** An official answer as the page's reader is shown it, and what it said before. */
export const listAnswerSources = (
  ctx: Pick<Ctx, 'site' | 'contentLanguage'>,
  answer: AnswerTexts & { former: readonly FormerWording[] },
): TextSource[] => [
  toAnswerSource(ctx, answer, ctx.contentLanguage),
  ...(answer.withdrawnAt ? [] : answer.former.map((wording) => toWordingSource(ctx, wording, ctx.contentLanguage))),
]

/** The same for texts that say the same: what changed in any way has no translation yet. */
export const hashSource = ({ language, texts }: TextSource): string =>
  createHash('sha256')
    .update(JSON.stringify([language, Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('base64url')

export const countLetters = ({ texts }: Pick<TextSource, 'texts'>): number =>
  Object.values(texts).reduce((sum, text) => sum + Array.from(text).length, 0)

async function lockVersionSource(ctx: Ctx, tx: Tx, id: string): Promise<PlacedSource> {
  const [version] = await tx
    .select()
    .from(contributionVersions)
    .where(and(eq(contributionVersions.siteId, ctx.site.id), eq(contributionVersions.id, id)))
    .for('share')
  if (!version?.wasPublic) throw new AppError('not-found')
  const placed = await requireReadable(ctx, tx, version.contributionId)
  // What it says now is translated as the contribution.
  if (version.number === placed.contribution.version) throw new AppError('not-found')
  return { ...placed, source: toVersionSource(placed.activity, placed.contribution, version) }
}

/** Which answers had the wording with this id. */
export const hasWording = (id: string | typeof textTranslations.sourceId) =>
  sql`${officialResponses.former} @> jsonb_build_array(jsonb_build_object('id', ${id}::text))`

async function lockWordingSource(ctx: Ctx, tx: Tx, { id, language }: Pick<AskedText, 'id' | 'language'>): Promise<PlacedSource> {
  const [answer] = await tx
    .select()
    .from(officialResponses)
    .where(
      and(
        eq(officialResponses.siteId, ctx.site.id),
        eq(officialResponses.visibility, 'public'),
        isNotNull(officialResponses.editedAt),
        isNull(officialResponses.withdrawnAt),
        hasWording(id),
      ),
    )
    .for('share')
  const wording = answer?.former.find((one) => one.id === id)
  if (!answer || !wording) throw new AppError('not-found')
  return { ...(await requireReadable(ctx, tx, answer.contributionId)), source: toWordingSource(ctx, wording, language) }
}

interface AskedText {
  type: TranslatableType
  id: string
  language: ContentLanguage
}

interface PlacedSource extends PlacedContribution {
  source: TextSource
}

/**
 * A text that everybody can read who may see its activity. Its row stays as it is until the end of the transaction.
 * @throws {AppError} `not-found`, `gone`, `vanished` if it was taken from the public
 */
export async function lockTextSource(ctx: Ctx, tx: Tx, { type, id, language }: AskedText): Promise<PlacedSource> {
  if (!isId(id)) throw new AppError('not-found')
  if (type === 'contributions') {
    await tx
      .select({ id: contributions.id })
      .from(contributions)
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id)))
      .for('share')
    const placed = await requireReadable(ctx, tx, id)
    const photos = (await loadPhotos(ctx, tx, [id])).get(id) ?? []
    return { ...placed, source: toContributionSource(placed.activity, placed.contribution, photos) }
  }
  if (type === 'contribution-versions') return lockVersionSource(ctx, tx, id)
  if (type === 'official-response-wordings') return lockWordingSource(ctx, tx, { id, language })
  if (type === 'replies') {
    const [reply] = await tx
      .select()
      .from(replies)
      .where(and(eq(replies.siteId, ctx.site.id), eq(replies.id, id)))
      .for('share')
    if (reply?.state !== 'published') throw new AppError('not-found')
    return { ...(await requireReadable(ctx, tx, reply.contributionId)), source: toReplySource(reply) }
  }
  const [answer] = await tx
    .select()
    .from(officialResponses)
    .where(and(eq(officialResponses.siteId, ctx.site.id), eq(officialResponses.id, id)))
    .for('share')
  if (answer?.visibility !== 'public') throw new AppError('not-found')
  return { ...(await requireReadable(ctx, tx, answer.contributionId)), source: toAnswerSource(ctx, answer, language) }
}

async function requireReadable(ctx: Ctx, tx: Tx, contributionId: string): Promise<PlacedContribution> {
  const placed = await requirePlacedContribution(ctx, tx, eq(contributions.id, contributionId))
  const { state } = placed.contribution
  if (!READABLE_STATES.includes(state)) throw new AppError(state === 'held' ? 'not-found' : 'vanished')
  return placed
}
