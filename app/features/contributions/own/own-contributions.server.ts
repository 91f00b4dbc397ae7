import { and, eq, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Geometry } from '#app/lib/geometry.ts'
import { createId } from '#app/lib/uuid.ts'
import { ANSWER_VISIBILITIES } from '#app/lib/vocabulary/contributions.ts'
import { toInterfaceLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { FormState } from '#app/server/request-context.ts'
import { contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { type ActivityAddress, requireActivityAt } from '../record/activities.policy.server.ts'
import { lockContributions } from '../record/contribution-counts.server.ts'
import { reenterContribution } from '../record/contribution-ledger.server.ts'
import { buildContributionSearch } from '../record/contribution-search.ts'
import { type ContributionRow, type PlacedContribution, requirePlacedContribution } from '../record/loading.server.ts'
import { findNamedRule, openCaseOnArrival, stopReturn } from '../moderation/cases.server.ts'
import { changeContributionState, chooseStateOnSubmission } from '../moderation/decide.server.ts'
import { replaceTexts } from '../record/mask-texts.ts'
import { findOriginal } from '../moderation/masking/masked-originals.server.ts'
import { screenTexts } from '../moderation/screening.server.ts'
import { EDITABLE_FOR_MINUTES, type OwnContributionView } from '../record/contributions.schema.ts'
import { buildFieldInputs, describeFields, listAsked } from '../fields/fields.server.ts'
import { buildScreened, checkContribution, type ContributionInput } from '../posting/submit-contribution.server.ts'
import { loadAnswers } from '../record/answers.server.ts'
import { loadActivityView } from '../reading/activity-view.server.ts'
import { toAuthorView } from '../reading/views.server.ts'
import { describeNextSteps, listTold } from './next-steps.server.ts'
import { readOwnLedger } from './own-ledger.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { loadOwnAppeal } from '../moderation/appeals/own-appeal.server.ts'
import { loadOwnMerge, objectToMerge } from '../merging/merge-views.server.ts'
import { loadRemovedPhotos } from '../photos/removed-photos.server.ts'
import { deleteReleasedPhotos, loadPhotos, releasePhotos } from '../photos/stored-photos.server.ts'
import { loadShownLayers } from '../layers/draw-layers.server.ts'
import { hasSamePoints } from '../record/drawing.schema.ts'
import { readPlaceEditing } from '../posting/place-steps.server.ts'
import { describePlace, drawContributionMap, findAreaName } from '../places/contribution-map.server.ts'
import { checkReply, storeReply } from '../responding/replies.server.ts'

/** Finds an author's contribution: by the receipt's code, for anyone who has it, or by its number, for the account that sent it. */
export interface OwnKey {
  code?: string | undefined
  number?: number | undefined
}

/** @throws {AppError} `not-found` */
export async function requireOwnContribution(ctx: Ctx, tx: Tx, address: ActivityAddress, key: OwnKey): Promise<PlacedContribution> {
  const placed = await requireActivityAt(ctx, tx, address)
  const code = key.code === undefined ? undefined : parseReceiptCode(key.code)
  const { viewer } = ctx
  const isOwn =
    key.number !== undefined && viewer.kind === 'user'
      ? and(eq(contributions.number, key.number), eq(contributions.authorId, viewer.id))
      : code
        ? eq(contributions.receiptHash, hashReceiptCode(ctx.site.id, code))
        : sql`false`
  const [contribution] = await tx
    .select()
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.activityId, placed.activity.id), isOwn))
  if (!contribution) throw new AppError('not-found')
  return { ...placed, contribution }
}

/** The same for writing: decisions, merges and reactions wait, or are seen. @throws {AppError} `not-found` */
async function lockOwnContribution(ctx: Ctx, tx: Tx, address: ActivityAddress, key: OwnKey): Promise<PlacedContribution> {
  const { contribution } = await requireOwnContribution(ctx, tx, address, key)
  await lockContributions(tx, ctx.site.id, [contribution.id])
  return requireOwnContribution(ctx, tx, address, key)
}

/** Editing is over after 30 minutes, or with the first reaction, reply or answer to a question. */
async function isEditable(ctx: Ctx, tx: Tx, { contribution: row }: PlacedContribution): Promise<boolean> {
  if ((row.state !== 'held' && row.state !== 'published') || row.answered) return false
  if (ctx.now().getTime() - row.submittedAt.getTime() > EDITABLE_FOR_MINUTES * 60_000 || row.supports + row.disagrees > 0) return false
  const [reply] = await tx
    .select({ id: replies.id })
    .from(replies)
    .where(and(eq(replies.siteId, ctx.site.id), eq(replies.contributionId, row.id)))
    .limit(1)
  if (reply) return false
  // What a moderator took out would come back with the author's next text.
  return !(await findOriginal(tx, ctx.site.id, { contributionId: row.id, replyId: null }))
}

/** Authors see what they wrote, with the passages and photos that others do not see. */
async function readUnmasked(ctx: Ctx, tx: Tx, contribution: ContributionRow): Promise<{ row: ContributionRow; masked: string[] }> {
  const { id, language } = contribution
  const original = await findOriginal(tx, ctx.site.id, { contributionId: id, replyId: null })
  if (!original) return { row: contribution, masked: [] }
  const photos = (await loadRemovedPhotos(tx, ctx.site.id, [id])).get(id) ?? []
  const t = getTranslator(toInterfaceLanguage(language, ctx.site.locale), 'contributions')
  const masked = [...original.passages, ...photos.map(({ alt }) => t('receipt.removed-photo', { alt }))]
  return { row: replaceTexts(contribution, original.texts), masked }
}

export function getOwnContribution(ctx: Ctx, address: ActivityAddress, key: OwnKey, form?: FormState): Promise<OwnContributionView> {
  return ctx.db.read(async (tx) => {
    const placed = await requireOwnContribution(ctx, tx, address, key)
    const { activity } = placed
    const { row, masked } = await readUnmasked(ctx, tx, placed.contribution)
    const mayEdit = await isEditable(ctx, tx, placed)
    const { tools } = readActivitySettings(activity)
    const answers = (await loadAnswers(ctx, tx, [row.id], ANSWER_VISIBILITIES)).get(row.id) ?? []
    const next = await describeNextSteps(ctx, tx, placed, answers)
    return {
      id: row.id,
      activity: await loadActivityView(ctx, tx, placed),
      number: row.number,
      title: row.title,
      body: row.body,
      fields: describeFields(ctx, activity, row.fields, { staff: true }),
      fieldValues: buildFieldInputs(activity, row.fields),
      language: row.language,
      categories: row.categories,
      state: row.state,
      masked,
      rule: row.reason && row.state !== 'erased' ? await findNamedRule(ctx, tx, row.id) : null,
      reason: row.state === 'erased' ? '' : row.reason,
      submittedAt: row.submittedAt.toISOString(),
      now: ctx.now().toISOString(),
      author: toAuthorView(row, await findAreaName(ctx, tx, row.areaId)),
      next,
      told: await listTold(ctx, tx, placed, next),
      answers,
      photos: (await loadPhotos(ctx, tx, [row.id])).get(row.id) ?? [],
      place: await describePlace(ctx, tx, row),
      placeText: row.placeText,
      placeEditing: mayEdit ? await readPlaceEditing(ctx, tx, placed, form) : null,
      map: tools.places ? await drawContributionMap(ctx, row, await loadShownLayers(ctx, tx, activity)) : null,
      code: key.number === undefined ? (parseReceiptCode(key.code ?? '') ?? null) : null,
      mayEdit,
      mayAdd: !mayEdit && row.state === 'published' && tools.replies,
      mayWithdraw: row.state === 'held' || READABLE_STATES.includes(row.state),
      appeal: await loadOwnAppeal(ctx, tx, row.id),
      ledger: await readOwnLedger(tx, placed, row),
      merge: row.state === 'merged' ? await loadOwnMerge(ctx, tx, row) : null,
    }
  })
}

/**
 * Changes the text, while nobody has reacted or replied and no longer than 30 minutes after sending. The former text stays readable as a
 * version. In an activity that is moderated before publication, a published one waits for a moderator again.
 * @throws {AppError} `not-found`, `editing-over`, `invalid`
 */
export function editContribution(ctx: Ctx, address: ActivityAddress, key: OwnKey, input: EditInput): Promise<void> {
  return ctx.db.tx(async (tx) => saveEdit(ctx, tx, await lockOwnContribution(ctx, tx, address, key), input))
}

/**
 * The same for the account that sent it; what is not given stays.
 * @throws {AppError} `not-found`, `unauthenticated`, `forbidden` for everybody else, `editing-over`, `invalid`
 */
export function editOwnContribution(ctx: Ctx, id: string, given: GivenEdit): Promise<void> {
  return ctx.db.tx(async (tx) => {
    await lockContributions(tx, ctx.site.id, [id])
    const placed = await requirePlacedContribution(ctx, tx, eq(contributions.id, id))
    const { contribution: row, activity } = placed
    const { viewer } = ctx
    if (viewer.kind !== 'user') throw new AppError('unauthenticated')
    if (row.authorId !== viewer.id) throw new AppError('forbidden')
    const asked = Object.fromEntries(listAsked(activity).flatMap(({ id: asks }) => (asks in row.fields ? [[asks, row.fields[asks]]] : [])))
    const { title = row.title, body = row.body, categories = row.categories, fields = asked } = given
    await saveEdit(ctx, tx, placed, { title, body, categories, fields })
  })
}

type EditInput = Pick<ContributionInput, 'title' | 'body' | 'categories' | 'fields'> & { place?: TypedPlaceInput | undefined }
type GivenEdit = { [Part in 'title' | 'body' | 'categories' | 'fields']?: ContributionInput[Part] | undefined }

async function saveEdit(ctx: Ctx, tx: Tx, placed: PlacedContribution, input: EditInput): Promise<void> {
  const { contribution: row, activity, project } = placed
  if (!(await isEditable(ctx, tx, placed))) throw new AppError('editing-over')
  const checked = await checkContribution(
    ctx,
    tx,
    placed,
    {
      ...input,
      shownAs: row.shownAs,
      shownName: row.shownName,
      ...choosePlace(row, readActivitySettings(activity).tools.places ? input.place : undefined),
    },
    { geometry: row.geometry, fields: row.fields },
  )
  const { title, body, categories, fields, areaId, placeText, geometry, lng, lat } = checked
  const saved = { title, body, categories, fields, areaId, placeText, geometry, lng, lat }
  const screening = await screenTexts(ctx, tx, buildScreened(placed, checked))
  const needsModerator = chooseStateOnSubmission(activity, screening) === 'held'
  const goesBack = row.state === 'published' && needsModerator
  const [changed] = await tx
    .update(contributions)
    .set({
      ...saved,
      version: sql`${contributions.version} + 1`,
      editedAt: ctx.now(),
      ...(row.state === 'published' && !goesBack ? buildContributionSearch({ ...row, ...saved }) : {}),
    })
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, row.id)))
    .returning({ version: contributions.version })
  if (!changed) throw new AppError('not-found')
  await tx.insert(contributionVersions).values({
    siteId: ctx.site.id,
    id: createId(),
    contributionId: row.id,
    number: changed.version,
    title: saved.title,
    body: saved.body,
    fields: saved.fields,
    wasPublic: row.state === 'published' && !goesBack,
    createdAt: ctx.now(),
  })
  await reenterContribution(tx, activity, { ...saved, id: row.id }, ctx.now())
  await recordAudit(ctx, tx, {
    action: 'contributions.edit',
    subject: { type: 'contributions', id: row.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: row.number, version: changed.version },
  })
  if (goesBack) await changeContributionState(ctx, tx, placed, 'held', { reason: '', decidedBy: null })
  else if (needsModerator) await stopReturn(tx, ctx.site.id, { contributionId: row.id, replyId: null })
  const subject = { contributionId: row.id, replyId: null, version: changed.version }
  await openCaseOnArrival(ctx, tx, activity, { subject, state: goesBack ? 'held' : row.state, screening })
}

type TypedPlaceInput = Pick<ContributionInput, 'areaId' | 'placeText'> & { geometry: Geometry | null }

/** The place that an author gives now, or the one that was given. */
function choosePlace(row: ContributionRow, typed: TypedPlaceInput | undefined): TypedPlaceInput {
  const { areaId, placeText, geometry } = row
  if (!typed) return { areaId, placeText, geometry }
  const isUntouched = geometry && typed.geometry && hasSamePoints(geometry, typed.geometry)
  return isUntouched ? { ...typed, geometry } : typed
}

/**
 * Adds to a contribution that can no longer be edited, below it and with its date. @throws {AppError} `not-found`, `conflict`, `invalid`
 */
export async function addToContribution(
  ctx: Ctx,
  address: ActivityAddress,
  key: OwnKey,
  input: { id: string; body: string },
): Promise<void> {
  const { body } = checkReply({ body: input.body, shownName: '' })
  await ctx.db.tx(async (tx) => {
    const placed = await lockOwnContribution(ctx, tx, address, key)
    const { contribution } = placed
    if (contribution.state !== 'published' || (await isEditable(ctx, tx, placed))) throw new AppError('conflict')
    const { shownName, receiptHash } = contribution
    await storeReply(ctx, tx, placed, { id: input.id, body, shownName, role: 'addition', receiptHash })
  })
}

/** Says that it is not the same as what it was merged into. @throws as `objectToMerge`, and `not-found` */
export const objectToOwnMerge = (ctx: Ctx, address: ActivityAddress, key: OwnKey, objection: string): Promise<void> =>
  ctx.db.tx(async (tx) => objectToMerge(ctx, tx, await lockOwnContribution(ctx, tx, address, key), objection))

/** Withdraws a contribution: its text and photos go; its number and the official answers stay. @throws {AppError} `not-found`, `conflict` */
export async function withdrawOwnContribution(ctx: Ctx, address: ActivityAddress, key: OwnKey): Promise<void> {
  const id = await ctx.db.tx(async (tx) => {
    const placed = await lockOwnContribution(ctx, tx, address, key)
    const { contribution } = placed
    if (contribution.state === 'withdrawn') return contribution.id
    await changeContributionState(ctx, tx, placed, 'withdrawn', { reason: '', decidedBy: null })
    await releasePhotos(tx, ctx.site.id, [contribution.id], ctx.now())
    return contribution.id
  })
  await deleteReleasedPhotos(ctx, id)
}
