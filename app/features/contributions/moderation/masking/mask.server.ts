import { and, eq, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import { toInterfaceLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { maskedOriginals } from '#app/server/db/schema/moderation.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildContributionSearch } from '../../record/contribution-search.ts'
import {
  type ContributionRow,
  type PlacedContribution,
  type PlacedReply,
  type ReplyRow,
  requireContributionFor,
  requireReplyFor,
} from '../../record/loading.server.ts'
import { type CaseSubject, openCase, recordDecision } from '../cases.server.ts'
import { changeContributionState, changeReplyState, requireWords } from '../decide.server.ts'
import { mailDecision } from '../decision-mails.server.ts'
import { requireRule, type RuleRow } from '../rules.server.ts'
import { listMaskableAnswers } from '../../fields/fields.server.ts'
import { putPhotosBack, removePhotos } from '../../photos/removed-photos.server.ts'
import { type FieldTexts, maskTexts, type Passage, replaceTexts } from '../../record/mask-texts.ts'
import { deleteOriginal, findOriginal } from './masked-originals.server.ts'

interface Masking {
  /** Of the text whose passages are named. */
  version: number
  passages: readonly Passage[]
  /** Ids of photos that are removed. */
  photos?: readonly string[]
  rule: string | undefined
  words: string
}

type Subject = Pick<CaseSubject, 'contributionId' | 'replyId'>

const isMaskable = (state: ContributionRow['state']): boolean => state === 'held' || READABLE_STATES.includes(state)

/**
 * Publishes a contribution or a reply without some passages. Who may moderate can do it; what the text said stays for those who may see originals.
 * @throws {AppError} `not-found`, `forbidden`, `invalid`; `conflict` if its state does not allow it or the text has changed
 */
export const maskSubject = (ctx: Ctx, subject: Subject, masking: Masking): Promise<void> =>
  subject.replyId ? maskReply(ctx, subject.replyId, masking) : maskContribution(ctx, subject.contributionId, masking)

function maskContribution(ctx: Ctx, id: string, { version, passages, photos = [], rule: code, words: typed }: Masking): Promise<void> {
  const words = requireWords(typed)
  return ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', id)
    const { contribution: row, activity } = placed
    if (!isMaskable(row.state) || row.version !== version) throw new AppError('conflict')
    const rule = await requireRule(ctx, tx, code)
    const { title, body, placeText, shownName } = row
    const texts = { title, body, placeText, shownName, ...listMaskableAnswers(activity, row.fields) }
    const hasPassages = passages.length > 0 || photos.length === 0
    const masked = hasPassages ? maskTexts(texts, passages, buildMarker(ctx, rule, row)) : { texts, removed: [] }
    const removedPhotos = await removePhotos(ctx, tx, row.id, photos, rule.code)
    const former = await takeVersions(tx, row)
    await keepOriginal(ctx, tx, { contributionId: row.id, replyId: null }, { texts, removed: masked.removed, versions: former })
    const changed = await saveContribution(ctx, tx, row, masked.texts, words)
    await insertVersion(ctx, tx, changed)
    const after = { ...placed, contribution: changed }
    const decidedBy = getViewerId(ctx)
    const opened = await openCase(ctx, tx, activity, { subject: { contributionId: id, replyId: null, version }, openedBy: 'staff' })
    await recordMask(ctx, tx, after, 'contributions.mask', rule)
    if (row.state === 'held') await changeContributionState(ctx, tx, after, 'published', { reason: words, rule: rule.code, decidedBy })
    const decisionId = await recordDecision(ctx, tx, opened, { decision: 'mask', rule, words, decidedBy })
    const removal = { hasPassages, photos: removedPhotos }
    await mailDecision(ctx, tx, after, { authorId: row.authorId, to: 'masked', reason: words, rule, decisionId, removal })
  })
}

function maskReply(ctx: Ctx, id: string, { version, passages, photos = [], rule: code, words: typed }: Masking): Promise<void> {
  const words = requireWords(typed)
  if (photos.length > 0) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/photos/0' }] })
  return ctx.db.tx(async (tx) => {
    const placed = await requireReplyFor(ctx, tx, 'contributions.moderate', id)
    const { reply: row, activity } = placed
    if (!isMaskable(row.state) || row.version !== version) throw new AppError('conflict')
    const rule = await requireRule(ctx, tx, code)
    const texts = { body: row.body, shownName: row.shownName }
    const masked = maskTexts(texts, passages, buildMarker(ctx, rule, row))
    const subject = { contributionId: row.contributionId, replyId: row.id }
    await keepOriginal(ctx, tx, subject, { texts, removed: masked.removed, versions: [] })
    const changed = await saveReply(ctx, tx, row, masked.texts, words)
    const after = { ...placed, reply: changed }
    const decidedBy = getViewerId(ctx)
    const opened = await openCase(ctx, tx, activity, { subject: { ...subject, version }, openedBy: 'staff' })
    await recordMask(ctx, tx, after, 'replies.mask', rule)
    if (row.state === 'held') await changeReplyState(ctx, tx, after, 'published', { reason: words, rule: rule.code, decidedBy })
    const decisionId = await recordDecision(ctx, tx, opened, { decision: 'mask', rule, words, decidedBy })
    await mailDecision(ctx, tx, after, { authorId: row.authorId, to: 'masked', reason: words, rule, isReply: true, decisionId })
  })
}

/**
 * Puts back what was removed. It is public again, so only those who may see originals can do it.
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if nothing was removed
 */
export async function unmaskSubject(ctx: Ctx, subject: Subject, words: string): Promise<void> {
  requirePermission(ctx, 'contributions.see-original')
  await ctx.db.tx(async (tx) => {
    const { replyId } = subject
    const { after, authorId, version } = replyId
      ? await requireReplyFor(ctx, tx, 'contributions.moderate', replyId).then(async (placed) => ({
          ...placed.reply,
          after: await unmaskReply(ctx, tx, placed),
        }))
      : await requireContributionFor(ctx, tx, 'contributions.moderate', subject.contributionId).then(async (placed) => ({
          ...placed.contribution,
          after: await unmaskContribution(ctx, tx, placed),
        }))
    const about = { contributionId: after.contribution.id, replyId, version }
    const opened = await openCase(ctx, tx, after.activity, { subject: about, openedBy: 'staff' })
    const decidedBy = getViewerId(ctx)
    const decisionId = await recordDecision(ctx, tx, opened, { decision: 'unmask', rule: null, words, decidedBy })
    await mailDecision(ctx, tx, after, { authorId, to: 'unmasked', reason: words, rule: null, isReply: replyId !== null, decisionId })
  })
}

/** Makes a contribution what it was before passages were removed. @throws {AppError} `conflict` if none were */
export async function unmaskContribution(ctx: Ctx, tx: Tx, placed: PlacedContribution): Promise<PlacedContribution> {
  const { contribution: row } = placed
  const subject = { contributionId: row.id, replyId: null }
  const original = await findOriginal(tx, ctx.site.id, subject)
  if (!original || !isMaskable(row.state)) throw new AppError('conflict')
  const contribution = await saveContribution(ctx, tx, row, original.texts, '')
  await takeVersions(tx, row)
  // The last one of them is the present text again.
  const former = original.versions.toSorted((one, other) => one.number - other.number).slice(0, -1)
  if (former.length > 0)
    await tx
      .insert(contributionVersions)
      .values(former.map((one) => ({ ...one, siteId: ctx.site.id, contributionId: row.id, createdAt: new Date(one.createdAt) })))
  await insertVersion(ctx, tx, contribution)
  await deleteOriginal(tx, ctx.site.id, subject)
  await putPhotosBack(tx, ctx.site.id, row.id)
  const after = { ...placed, contribution }
  await recordMask(ctx, tx, after, 'contributions.unmask', null)
  return after
}

/** Makes a reply what it was before passages were removed. @throws {AppError} `conflict` if none were */
export async function unmaskReply(ctx: Ctx, tx: Tx, placed: PlacedReply): Promise<PlacedReply> {
  const { reply: row } = placed
  const subject = { contributionId: row.contributionId, replyId: row.id }
  const original = await findOriginal(tx, ctx.site.id, subject)
  if (!original || !isMaskable(row.state)) throw new AppError('conflict')
  const after = { ...placed, reply: await saveReply(ctx, tx, row, original.texts, '') }
  await deleteOriginal(tx, ctx.site.id, subject)
  await recordMask(ctx, tx, after, 'replies.unmask', null)
  return after
}

const getViewerId = ({ viewer }: Ctx): string | null => (viewer.kind === 'user' ? viewer.id : null)

/** "[removed: personal data]", in the language of the text. */
const buildMarker = ({ site }: Ctx, { label }: RuleRow, { language }: Pick<ContributionRow, 'language'>): string =>
  getTranslator(toInterfaceLanguage(language, site.locale), 'moderation')('removed-passage', {
    reason: getTranslation(label, language, site.locale),
  })

type FormerVersion = (typeof maskedOriginals.$inferSelect)['versions'][number]

/** Takes all versions of a contribution out of their table: any of them may hold the passage. */
async function takeVersions(tx: Tx, { siteId, id }: ContributionRow): Promise<FormerVersion[]> {
  const rows = await tx
    .delete(contributionVersions)
    .where(and(eq(contributionVersions.siteId, siteId), eq(contributionVersions.contributionId, id)))
    .returning()
  return rows.map(({ id: versionId, number, title, body, fields, wasPublic, createdAt }) => ({
    id: versionId,
    number,
    title,
    body,
    fields,
    wasPublic,
    createdAt: createdAt.toISOString(),
  }))
}

/** Of a text that is masked again, the first original stays. */
async function keepOriginal(
  ctx: Ctx,
  tx: Tx,
  subject: Subject,
  { texts, removed, versions }: { texts: FieldTexts; removed: string[]; versions: FormerVersion[] },
): Promise<void> {
  const known = await findOriginal(tx, ctx.site.id, subject)
  if (!known) {
    await tx.insert(maskedOriginals).values({
      ...subject,
      siteId: ctx.site.id,
      id: createId(),
      texts,
      passages: removed,
      versions,
      createdAt: ctx.now(),
      maskedAt: ctx.now(),
    })
    return
  }
  await tx
    .update(maskedOriginals)
    // Answers were not kept by the first versions of this.
    .set({ texts: { ...texts, ...known.texts }, passages: [...known.passages, ...removed], maskedAt: ctx.now() })
    .where(and(eq(maskedOriginals.siteId, ctx.site.id), eq(maskedOriginals.id, known.id)))
}

/** @throws {AppError} `conflict` if somebody changed it in the meantime */
async function saveContribution(ctx: Ctx, tx: Tx, row: ContributionRow, texts: FieldTexts, reason: string): Promise<ContributionRow> {
  const { title, body, placeText, shownName, fields } = replaceTexts(row, texts)
  const [changed] = await tx
    .update(contributions)
    .set({
      title,
      body,
      placeText,
      shownName,
      fields,
      ...(row.state === 'published' && buildContributionSearch({ ...row, title, body, placeText })),
      version: sql`${contributions.version} + 1`,
      reason,
      decidedAt: ctx.now(),
      decidedBy: getViewerId(ctx),
    })
    .where(
      and(
        eq(contributions.siteId, ctx.site.id),
        eq(contributions.id, row.id),
        eq(contributions.version, row.version),
        eq(contributions.state, row.state),
      ),
    )
    .returning()
  if (!changed) throw new AppError('conflict')
  return changed
}

async function insertVersion(ctx: Ctx, tx: Tx, { id, version, title, body, fields, state }: ContributionRow): Promise<void> {
  await tx.insert(contributionVersions).values({
    siteId: ctx.site.id,
    id: createId(),
    contributionId: id,
    number: version,
    title,
    body,
    fields,
    wasPublic: READABLE_STATES.includes(state),
    createdAt: ctx.now(),
  })
}

async function saveReply(ctx: Ctx, tx: Tx, row: ReplyRow, texts: FieldTexts, reason: string): Promise<ReplyRow> {
  const { body = '', shownName = '' } = texts
  const [changed] = await tx
    .update(replies)
    .set({ body, shownName, version: sql`${replies.version} + 1`, reason, decidedAt: ctx.now(), decidedBy: getViewerId(ctx) })
    .where(and(eq(replies.siteId, ctx.site.id), eq(replies.id, row.id), eq(replies.version, row.version), eq(replies.state, row.state)))
    .returning()
  if (!changed) throw new AppError('conflict')
  return changed
}

type MaskAction = `${'contributions' | 'replies'}.${'mask' | 'unmask'}`

/** Nothing of the passages is in the trail. */
const recordMask = (ctx: Ctx, tx: Tx, placed: PlacedContribution | PlacedReply, action: MaskAction, rule: RuleRow | null): Promise<void> =>
  recordAudit(ctx, tx, {
    action,
    subject: 'reply' in placed ? { type: 'replies', id: placed.reply.id } : { type: 'contributions', id: placed.contribution.id },
    hubId: placed.project.hubId,
    projectId: placed.project.id,
    detail: { number: placed.contribution.number, ...(rule && { rule: rule.code }) },
  })
