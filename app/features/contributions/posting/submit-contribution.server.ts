import { and, eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { countOrigins, findOrigin } from '#app/features/participation/origins.server.ts'
import { deriveReceiptCode, hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { Geometry } from '#app/lib/geometry.ts'
import { createId, readIdTime } from '#app/lib/uuid.ts'
import type { ContributionState, EnteredSource, FieldValues, ShownName } from '#app/lib/vocabulary/contributions.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { activities, contributions, contributionStatuses, contributionVersions } from '#app/server/db/schema/contributions.ts'
import { receiveOnce } from '#app/server/limits/receive-once.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { type PlacedActivity, requireActivityAccess, selectPlacedActivities } from '../record/activities.policy.server.ts'
import { getActivityState, getPostingTimes } from '../record/activities.state.server.ts'
import { buildContributionSearch } from '../record/contribution-search.ts'
import type { ContributionRow } from '../record/loading.server.ts'
import { openCaseOnArrival } from '../moderation/cases.server.ts'
import { chooseStateOnSubmission } from '../moderation/decide.server.ts'
import type { WrittenTexts } from '../moderation/personal-data/personal-data.server.ts'
import { type Screening, screenTexts } from '../moderation/screening.server.ts'
import { MAX_PLACE_TEXT, MAX_SHOWN_NAME } from '../record/contributions.schema.ts'
import { MAX_CATEGORIES } from '../kinds/define-kind.ts'
import type { CommonSettings } from '../kinds/define-kind.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { attachPhotos, checkPhotos, type GivenPhotos } from '../photos/stored-photos.server.ts'
import { addWorkingDays } from '../questions/due-date.server.ts'
import { checkFields, listPublicTexts, listWrittenAnswers } from '../fields/fields.server.ts'
import { checkPlace } from '../places/place-check.server.ts'
import { enterContribution } from '../record/contribution-ledger.server.ts'
import { requireEntryAllowed } from '../record/entered-contribution.server.ts'
import { findPersonKey } from '#app/features/participation/person-hash.server.ts'

/** A form opened before the activity closed is accepted for this long after closing. */
const GRACE_PERIOD_MS = 60_000
const MAX_POSTED = 5
const POSTED_WITHIN_MINUTES = 10
const TITLE_FROM_BODY = 80

export interface ContributionInput extends Sending {
  title: string
  body: string
  categories: readonly string[]
  shownAs: string
  /** The name to show, for `name` and `first_name`. */
  shownName: string
  areaId: string | null
  placeText: string
  /** GeoJSON. */
  geometry?: unknown
  /** Answers to extra questions, by id. */
  fields?: unknown
  photos?: GivenPhotos | undefined
  /** Recognises the browser, so that its contributions are counted together. */
  browserToken?: BrowserToken | undefined
  invitation?: ReadInvitation | undefined
  /** Set if the team enters it for somebody; then it has no author. */
  source?: EnteredSource | undefined
}

export interface ContributionReceipt {
  code: string
  /** False if the same sending was already stored. */
  stored: boolean
  id: string
  number: number
  state: ContributionState
}

/** What is stored of an input. */
type AcceptedContribution = Pick<
  ContributionRow,
  'title' | 'body' | 'categories' | 'shownAs' | 'shownName' | 'areaId' | 'placeText' | 'geometry' | 'lng' | 'lat' | 'fields'
>

/**
 * Accepts a contribution, stored exactly once per id: sending it again returns the same receipt and changes nothing. The activity's
 * moderation, and what is found in the text, decide whether it is published or held.
 * @throws {AppError} `activity-not-open`, `activity-closed`, the refusal of the activity's access rule, `invalid` with a fault for each
 * field, `too-many-requests`, `conflict` if the id belongs to another sending; for an entered one as `requireEntryAllowed`
 */
export async function submitContribution(
  ctx: Ctx,
  find: (tx: Tx) => Promise<PlacedActivity>,
  input: ContributionInput,
): Promise<ContributionReceipt> {
  const code = deriveReceiptCode(ctx.runtime.secret, ctx.site.id, input.id, input.sendKey)
  const receiptHash = hashReceiptCode(ctx.site.id, code)
  return receiveOnce(ctx, input.id, async (tx, charge) => {
    const known = await findStored(ctx, tx, input.id, receiptHash)
    if (known) return { code, stored: false, ...known }
    const placed = await find(tx)
    await requirePostingAllowed(ctx, tx, placed, input)
    const accepted = await checkContribution(ctx, tx, placed, input)
    // What a photo is said to show is public with the text.
    const alts = (input.photos?.photos ?? []).map(({ alt }) => alt)
    const screening = await screenTexts(ctx, tx, buildScreened(placed, accepted, alts))
    const of = input.source ? undefined : findPersonKey(ctx, input.browserToken)
    if (of) await charge([{ name: 'contribution', of, most: MAX_POSTED, minutes: POSTED_WITHIN_MINUTES }])
    const { id, number, state } = await storeContribution(ctx, tx, placed, { input, accepted, screening, receiptHash })
    return { code, stored: true, id, number, state }
  })
}

/** Public answers are published with the text; what is for the team only is read for listed words. */
export function buildScreened(
  { activity }: PlacedActivity,
  accepted: Pick<AcceptedContribution, 'title' | 'body' | 'placeText' | 'shownName' | 'fields'>,
  alts: readonly string[] = [],
): WrittenTexts & { unpublished: readonly string[] } {
  const { title, body, placeText, shownName, fields } = accepted
  const published = listPublicTexts(activity, fields)
  return {
    title,
    body: [body, ...published, ...alts].join('\n'),
    placeText,
    shownName,
    unpublished: listWrittenAnswers(activity, fields).filter((text) => !published.includes(text)),
  }
}

/** @throws {AppError} `conflict` if the id belongs to another sending */
async function findStored(ctx: Ctx, tx: Tx, id: string, receiptHash: Buffer) {
  const [row] = await tx
    .select({ id: contributions.id, number: contributions.number, state: contributions.state, receiptHash: contributions.receiptHash })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id)))
  if (!row) return undefined
  if (!row.receiptHash.equals(receiptHash)) throw new AppError('conflict')
  return { id: row.id, number: row.number, state: row.state }
}

async function requirePostingAllowed(ctx: Ctx, tx: Tx, placed: PlacedActivity, input: ContributionInput): Promise<void> {
  if (input.source) return requireEntryAllowed(ctx, placed)
  requireOpenActivity(ctx, placed, input.id)
  await requireActivityAccess(ctx, tx, 'contributions.post', placed, input.invitation)
}

/** @param sendingId its timestamp says when the form was opened */
export function requireOpenActivity(ctx: Ctx, placed: PlacedActivity, sendingId: string): void {
  const now = ctx.now()
  const state = getActivityState(now, placed)
  if (state === 'preview') throw new AppError('not-published')
  if (state === 'scheduled') throw new AppError('activity-not-open')
  if (state === 'closed' && !isInGracePeriod(getPostingTimes(placed).closesAt, sendingId, now)) throw new AppError('activity-closed')
}

function isInGracePeriod(closesAt: Date | null, id: string, now: Date): boolean {
  if (!closesAt || now < closesAt || now.getTime() >= closesAt.getTime() + GRACE_PERIOD_MS) return false
  return isFormOlderThan(id, closesAt)
}

/** @param id of the sending, made when the form was opened */
export const isFormOlderThan = (id: string, moment: Date): boolean => (readIdTime(id) ?? Number.POSITIVE_INFINITY) < moment.getTime()

const tidyLine = (text: string) => text.replace(/\s+/g, ' ').trim()
export const tidyText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
const countLetters = (text: string) => Array.from(text).length

function checkLength(text: string, max: number, pointer: string): Fault[] {
  if (!text) return [{ code: 'required', pointer }]
  return countLetters(text) > max ? [{ code: 'too-long', pointer, values: { max } }] : []
}

function checkCategories(settings: CommonSettings, categories: readonly string[]): Fault[] {
  const offered = new Set(settings.categories.filter(({ archived }) => !archived).map(({ id }) => id))
  if (categories.length > MAX_CATEGORIES) return [{ code: 'too-many', pointer: '/categories', values: { max: MAX_CATEGORIES } }]
  return categories.every((category) => offered.has(category)) ? [] : [{ code: 'not-a-choice', pointer: '/categories' }]
}

/** @param before what was sent, if it is changed @throws {AppError} `invalid` with a fault for each field */
export async function checkContribution(
  ctx: Ctx,
  tx: Tx,
  { activity }: PlacedActivity,
  input: Omit<ContributionInput, keyof Sending>,
  before: { geometry?: Geometry | null; fields?: FieldValues } = {},
): Promise<AcceptedContribution> {
  const { kind, settings, tools } = readActivitySettings(activity)
  const body = tidyText(input.body)
  const title = tools.titles ? tidyLine(input.title) : Array.from(tidyLine(body)).slice(0, TITLE_FROM_BODY).join('')
  const categories = [...new Set(input.categories)]
  const shownName = tidyLine(input.shownName)
  const shownAs = settings.shownNames.find((name) => name === input.shownAs)
  const area = input.areaId ? await findArea(ctx, tx, input.areaId) : null
  const place = await checkPlace(ctx, tx, tools, { ...input, stored: before.geometry ?? null })
  const fields = checkFields(ctx, activity, input.fields ?? {}, before.fields ?? {})
  const faults: Fault[] = [
    ...(tools.titles ? checkLength(title, kind.maxTitle, '/title') : []),
    ...(body || !tools.question ? checkLength(body, kind.maxBody, '/body') : []),
    ...checkCategories(settings, categories),
    ...(area === undefined ? [{ code: 'not-a-choice' as const, pointer: '/areaId' }] : []),
    ...(input.placeText ? checkLength(input.placeText, MAX_PLACE_TEXT, '/placeText') : []),
    ...place.faults,
    ...checkShownName(shownAs, shownName),
    ...checkPhotos(tools, input.photos),
    ...fields.faults,
  ]
  if (faults.length > 0 || !shownAs) throw new AppError('invalid', { faults })
  return {
    title,
    body,
    categories,
    shownAs,
    shownName: formatShownName(shownAs, shownName),
    areaId: place.areaId === undefined ? (area ?? null) : place.areaId,
    placeText: tidyLine(input.placeText),
    geometry: place.geometry,
    lng: place.pin?.[0] ?? null,
    lat: place.pin?.[1] ?? null,
    fields: fields.values,
  }
}

/** Checks without storing anything. @throws {AppError} `invalid` with a fault for each field */
export async function requireFaultless(
  ctx: Ctx,
  find: (tx: Tx) => Promise<PlacedActivity>,
  input: Omit<ContributionInput, keyof Sending>,
): Promise<void> {
  await ctx.db.read(async (tx) => checkContribution(ctx, tx, await find(tx), input))
}

function checkShownName(shownAs: ShownName | undefined, name: string): Fault[] {
  if (!shownAs) return [{ code: 'required', pointer: '/shownAs' }]
  if (shownAs !== 'name' && shownAs !== 'first_name') return []
  if (!name) return [{ code: 'required', pointer: '/shownName' }]
  return countLetters(name) > MAX_SHOWN_NAME ? [{ code: 'too-long', pointer: '/shownName', values: { max: MAX_SHOWN_NAME } }] : []
}

/** Only what is shown is stored. */
function formatShownName(shownAs: ShownName, name: string): string {
  if (shownAs === 'name') return name
  return shownAs === 'first_name' ? (name.split(' ')[0] ?? '') : ''
}

async function findArea(ctx: Ctx, tx: Tx, id: string): Promise<string | undefined> {
  if (!v.is(v.pipe(v.string(), v.uuid()), id)) return undefined
  const [found] = await tx
    .select({ id: areas.id })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), eq(areas.id, id)))
  return found?.id
}

/** Counts a text from somebody without an account. @returns `rate` if unusually many came from its address, so that a moderator looks first */
export async function findDoubt(ctx: Ctx, tx: Tx, activityId: string): Promise<'rate' | null> {
  const arrival = { origin: findOrigin(ctx, 'texts', { activityId }) }
  return (await countOrigins(tx, ctx.site.id, [arrival])).has(arrival) ? 'rate' : null
}

interface Arrival {
  input: ContributionInput
  accepted: AcceptedContribution
  screening: Screening
  receiptHash: Buffer
}

async function storeContribution(
  ctx: Ctx,
  tx: Tx,
  { activity: { id: activityId } }: PlacedActivity,
  { input, accepted, screening, receiptHash }: Arrival,
): Promise<Pick<ContributionRow, 'id' | 'number' | 'state'>> {
  const now = ctx.now()
  const siteId = ctx.site.id
  const doubt = input.source ? null : await findDoubt(ctx, tx, activityId)
  // Keeps the activity locked, so that numbers are given in order, and nothing is stored after it was closed.
  const ofActivity = and(eq(activities.siteId, siteId), eq(activities.id, activityId))
  await tx.select({ id: activities.id }).from(activities).where(ofActivity).for('update')
  const [placed] = await selectPlacedActivities(tx).where(ofActivity)
  if (!placed) throw new AppError('not-found')
  await requirePostingAllowed(ctx, tx, placed, input)
  const { activity, project } = placed
  const [counted] = await tx
    .update(activities)
    .set({ numbered: sql`${activities.numbered} + 1`, hasOpened: true })
    .where(ofActivity)
    .returning({ number: activities.numbered })
  if (!counted) throw new AppError('not-found')
  const state = chooseStateOnSubmission(activity, screening, doubt)
  const { question } = readActivitySettings(activity).tools
  const [first] = await tx
    .select({ id: contributionStatuses.id })
    .from(contributionStatuses)
    .where(
      and(
        eq(contributionStatuses.siteId, siteId),
        eq(contributionStatuses.activityId, activity.id),
        eq(contributionStatuses.archived, false),
      ),
    )
    .orderBy(contributionStatuses.position, contributionStatuses.id)
    .limit(1)
  const row = {
    ...accepted,
    siteId,
    id: input.id,
    activityId: activity.id,
    number: counted.number,
    authorId: !input.source && ctx.viewer.kind === 'user' && ctx.viewer.siteId === siteId ? ctx.viewer.id : null,
    source: input.source ?? ('web' as const),
    language: ctx.contentLanguage,
    state,
    statusId: first?.id ?? null,
    receiptHash,
    doubt,
    submittedAt: now,
    dueAt: question ? addWorkingDays(now, question.workingDays, ctx.site) : null,
    publishedAt: state === 'published' ? now : null,
    ...(state === 'published' ? buildContributionSearch(accepted) : {}),
  }
  const inserted = await tx.insert(contributions).values(row).onConflictDoNothing().returning({ id: contributions.id })
  // Another activity's row can have the same id: the number goes back with the transaction.
  if (inserted.length === 0) throw new AppError('conflict')
  await tx.insert(contributionVersions).values({
    siteId,
    id: createId(),
    contributionId: row.id,
    number: 1,
    title: row.title,
    body: row.body,
    fields: row.fields,
    wasPublic: state === 'published',
    createdAt: now,
  })
  await enterContribution(tx, activity, row, now)
  await attachPhotos(ctx, tx, { sending: input, activityId: activity.id, photos: input.photos?.photos ?? [] })
  await openCaseOnArrival(ctx, tx, activity, { subject: { contributionId: row.id, replyId: null, version: 1 }, state, screening, doubt })
  await recordAudit(ctx, tx, {
    action: 'contributions.submit',
    subject: { type: 'contributions', id: row.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: row.number, state, ...(input.source && { source: input.source }) },
  })
  return row
}
