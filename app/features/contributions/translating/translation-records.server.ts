import { and, asc, desc, eq, inArray, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import { MAX_TRANSLATED_LETTERS } from '#app/features/marketplace/translator.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { knownWhere } from '#app/features/projects/projects.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { READABLE_STATES, type TranslatedTexts } from '#app/lib/vocabulary/contributions.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, contributionVersions, officialResponses, replies } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { textTranslations } from '#app/server/db/schema/translations.ts'
import { type PlacedContribution, requireContributionFor } from '../record/loading.server.ts'
import { selectPhotos } from '../photos/stored-photos.server.ts'
import type { contributionTranslationShape } from './translations.api.schema.ts'
import type { TranslationRow } from './page-translations.server.ts'
import {
  countLetters,
  hashSource,
  hasWording,
  lockTextSource,
  type TextSource,
  toAnswerSource,
  toContributionSource,
  toReplySource,
  toVersionSource,
  toWordingSource,
} from './text-sources.server.ts'

interface TranslationRecord extends Pick<PlacedContribution, 'contribution' | 'activity' | 'project'> {
  id: string
  translation: TranslationRow
  source: TextSource
}

/** Translations of what everybody reads, as it is now. */
const isVisible = (ctx: Ctx, more: SQL | undefined): SQL | undefined =>
  and(
    eq(textTranslations.siteId, ctx.site.id),
    isNotNull(textTranslations.texts),
    inArray(contributions.state, [...READABLE_STATES]),
    ne(activities.status, 'draft'),
    knownWhere(ctx),
    more,
  )

const selectTranslations = (tx: Tx) =>
  tx
    .select({
      translation: textTranslations,
      contribution: contributions,
      activity: activities,
      photos: selectPhotos(),
      project: projects,
      version: contributionVersions,
      reply: replies,
      answer: officialResponses,
    })
    .from(textTranslations)
    .innerJoin(contributions, and(eq(contributions.siteId, textTranslations.siteId), eq(contributions.id, textTranslations.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(
      contributionVersions,
      and(eq(contributionVersions.siteId, textTranslations.siteId), eq(contributionVersions.id, textTranslations.sourceId)),
    )
    .leftJoin(replies, and(eq(replies.siteId, textTranslations.siteId), eq(replies.id, textTranslations.sourceId)))
    .leftJoin(
      officialResponses,
      and(
        eq(officialResponses.siteId, textTranslations.siteId),
        eq(officialResponses.contributionId, textTranslations.contributionId),
        or(
          eq(officialResponses.id, textTranslations.sourceId),
          and(eq(textTranslations.sourceType, 'official-response-wordings'), hasWording(textTranslations.sourceId)),
        ),
      ),
    )

type SelectedRow = Awaited<ReturnType<typeof selectTranslations>>[number]

function findSource(
  ctx: Ctx,
  { translation, contribution, activity, photos, version, reply, answer }: SelectedRow,
): TextSource | undefined {
  if (translation.sourceType === 'contributions') return toContributionSource(activity, contribution, photos)
  if (translation.sourceType === 'contribution-versions') return version ? toVersionSource(activity, contribution, version) : undefined
  if (translation.sourceType === 'replies') return reply ? toReplySource(reply) : undefined
  if (translation.sourceType === 'official-responses') return answer ? toAnswerSource(ctx, answer, translation.language) : undefined
  const wording = answer?.former.find(({ id }) => id === translation.sourceId)
  return wording && toWordingSource(ctx, wording, translation.language)
}

/** Leaves out what was translated before its text changed. */
const toRecords = (ctx: Ctx, rows: readonly SelectedRow[]): TranslationRecord[] =>
  rows.flatMap((row) => {
    const source = findSource(ctx, row)
    const { translation, contribution, activity, project } = row
    return source && hashSource(source) === translation.sourceHash
      ? [{ id: translation.id, translation, contribution, activity, project, source }]
      : []
  })

export const loadTranslations = (ctx: Ctx, ids: readonly string[]): Promise<TranslationRecord[]> =>
  ctx.db.read(async (tx) => toRecords(ctx, await selectTranslations(tx).where(isVisible(ctx, inArray(textTranslations.id, [...ids])))))

export function listTranslations(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof contributionTranslationShape>,
): Promise<ListResult<TranslationRecord>> {
  return ctx.db.read(async (tx) => {
    const where = isVisible(
      ctx,
      and(
        filter.contribution ? eq(textTranslations.contributionId, filter.contribution) : undefined,
        filter.language ? inArray(textTranslations.language, filter.language) : undefined,
      ),
    )
    const total = await tx.$count(selectTranslations(tx).where(where).as('translations'))
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectTranslations(tx)
      .where(where)
      .orderBy(order(textTranslations.createdAt), asc(textTranslations.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: toRecords(ctx, rows), total }
  })
}

/**
 * Corrects a translation in the name of a team, for those who may answer the contribution. Readers are told that it is no longer a machine's.
 * @throws {AppError} `not-found`, `forbidden`; `stale` if another person corrected it, or its text changed; `invalid` at `/texts/<part>`
 */
export async function correctTranslation(
  ctx: Ctx,
  { translation: { id } }: TranslationRecord,
  input: UpdateInput<typeof contributionTranslationShape>,
  lockVersion: number,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const isThis = and(eq(textTranslations.siteId, ctx.site.id), eq(textTranslations.id, id))
    const [found] = await tx.select().from(textTranslations).where(isThis)
    if (!found) throw new AppError('not-found')
    const placed = await requireContributionFor(ctx, tx, 'contributions.answer', found.contributionId)
    // The text first, as those who change it do.
    const { source } = await lockTextSource(ctx, tx, { type: found.sourceType, id: found.sourceId, language: found.language })
    const [row] = await tx.select().from(textTranslations).where(isThis).for('update')
    if (!row?.texts || row.sourceHash !== hashSource(source) || row.lockVersion !== lockVersion) throw new AppError('stale')
    const texts = { ...row.texts, ...tidyTexts(input.texts) }
    requireWhole(source, texts)
    await tx
      .update(textTranslations)
      .set({
        texts,
        team: input.team ?? row.team,
        correctedAt: ctx.now(),
        correctedBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
        lockVersion: row.lockVersion + 1,
      })
      .where(isThis)
    await recordAudit(ctx, tx, {
      action: 'contributions.correct-translation',
      subject: { type: 'contributions', id: placed.contribution.id },
      hubId: placed.project.hubId,
      projectId: placed.project.id,
      detail: { number: placed.contribution.number, of: row.sourceType, language: row.language },
    })
  })
}

const tidyTexts = (texts: TranslatedTexts = {}): TranslatedTexts =>
  Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, text.replaceAll('\0', '').toWellFormed().trim()]))

/** Each part of the text has a translation, and nothing else has. @throws {AppError} `invalid` */
function requireWhole(source: TextSource, texts: TranslatedTexts): void {
  const faults: Fault[] = [
    ...Object.keys(texts)
      .filter((part) => !Object.hasOwn(source.texts, part))
      .map((part): Fault => ({ code: 'unknown-attribute', pointer: `/texts/${part}` })),
    ...Object.keys(source.texts)
      .filter((part) => !texts[part])
      .map((part): Fault => ({ code: 'required', pointer: `/texts/${part}` })),
    ...(countLetters({ texts }) > 2 * MAX_TRANSLATED_LETTERS
      ? [{ code: 'too-long' as const, pointer: '/texts', values: { max: 2 * MAX_TRANSLATED_LETTERS } }]
      : []),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
}
