import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { listPeople } from '#app/features/accounts/people.list.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { type ProjectPlace, type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Language, matchLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListResult } from '#app/server/api/implement.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { surveyParticipations } from '#app/server/db/schema/responses.ts'
import { hasBrokenSample, invitationBatches, invitations, surveys } from '#app/server/db/schema/surveys.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { mailInvitation } from './invitation-mails.server.ts'
import { hashInvitation, hashRecipient, createInvitationSecret } from './invitation-secrets.server.ts'
import { type LetterSample, MAX_LINKS } from './invitations.schema.ts'

export interface InvitationInput {
  kind: 'codes' | 'links'
  /** Number of codes. */
  count?: number | undefined
  /** Links go to these addresses and to the people in the group. */
  emails?: string[] | undefined
  groupId?: string | undefined
  /** The random sample that will receive the letters with these codes. */
  sample?: LetterSample | null | undefined
}

/** Codes or links created in one go. */
export interface InvitationBatch {
  id: string
  surveyId: string | null
  activityId: string | null
  kind: 'codes' | 'links'
  total: number
  used: number | null
  createdAt: Date
  sample: LetterSample | null
  /** Returned only to the person who created them, and only once. */
  told?: { codes?: string[]; address?: string; skipped?: number; more?: boolean }
}

interface Recipient {
  email: string
  language: Language
  userId: string | null
}

const ROWS_AT_ONCE = 1000
/** Anonymous surveys hide how many have answered a batch smaller than this. */
const MIN_TOLD = 5

/** Sending links is a campaign: people who may only draft campaigns cannot send any. */
export function canSendInvitations(viewer: Viewer, project: ProjectPlace): boolean {
  const decision = checkPermission(viewer, 'campaigns.send', toPermissionTarget(project))
  return decision.ok && !decision.only
}

/** What people are invited to: a survey or an activity, with its page. */
export interface InvitationSubject {
  column: 'surveyId' | 'activityId'
  id: string
  project: ProjectRow
  title: Translated
  path: string
  isInvitationOnly: boolean
  /** Published, and not closed. */
  isOpen: boolean
  closesAt: Date | null
  anonymous: boolean
  recordAudit: (tx: Tx, act: 'make-codes' | 'invite' | 'withdraw-invitations', detail: Record<string, unknown>) => Promise<void>
}

/**
 * Creates one-time codes, or emails personal links to addresses and to the people in a group. Anyone already invited to it gets no
 * second link. Codes appear only in this result: we store their hashes.
 * @throws {AppError} `forbidden`; `conflict` if people can take part without an invitation, or at `/sample` for links; `not-published` for links to
 *   a draft or to something closed; `invalid` with `required` at `/count`, `/emails` or `/groupId`, `not-found` at `/groupId`, `out-of-range` at
 *   `/sample/sent` or `/sample/population`, or `already-invited` if all of these people were invited before
 */
export async function createInvitations(
  ctx: Ctx,
  find: (tx: Tx) => Promise<InvitationSubject>,
  input: InvitationInput,
): Promise<InvitationBatch> {
  const people = input.kind === 'links' && input.groupId ? await loadGroupPeople(ctx, input.groupId) : []
  return ctx.db.tx(async (tx) => {
    const subject = await find(tx)
    if (!subject.isInvitationOnly) throw new AppError('conflict', { detail: { key: 'not-invitation-only' } })
    return input.kind === 'codes' ? makeCodes(ctx, tx, subject, input) : sendLinks(ctx, tx, subject, input, people)
  })
}

async function makeCodes(ctx: Ctx, tx: Tx, subject: InvitationSubject, input: InvitationInput): Promise<InvitationBatch> {
  if (!input.count) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/count' }] })
  const { sample = null } = input
  requirePossibleSample({ kind: 'codes', total: input.count }, sample)
  const codes = Array.from({ length: input.count }, () => createInvitationSecret('codes'))
  const batch = await storeInvitations(
    ctx,
    tx,
    subject,
    'codes',
    codes.map((secret) => ({ secret })),
    sample,
  )
  await subject.recordAudit(tx, 'make-codes', { codes: codes.length, ...(sample && { sample }) })
  return { ...batch, told: { codes, address: buildSiteUrl(ctx, `${subject.path}?invitation=`) } }
}

async function sendLinks(
  ctx: Ctx,
  tx: Tx,
  subject: InvitationSubject,
  input: InvitationInput,
  people: readonly Recipient[],
): Promise<InvitationBatch> {
  const { project } = subject
  requirePossibleSample({ kind: 'links', total: 0 }, input.sample ?? null)
  if (!canSendInvitations(ctx.viewer, project)) authorizeInviting(ctx, project)
  if (!subject.isOpen) throw new AppError('not-published')
  const pasted = (input.emails ?? []).map((email) => ({ email, language: ctx.site.locale, userId: null }))
  const wanted = [...new Map([...pasted, ...people].map((recipient) => [recipient.email, recipient])).values()]
  if (wanted.length === 0)
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: input.groupId ? '/groupId' : '/emails' }] })
  const before = await loadEarlierRecipients(ctx, tx, subject)
  const fresh = wanted.filter(({ email }) => !before.has(hashRecipient(ctx, subject.id, email).toString('base64')))
  if (fresh.length === 0)
    throw new AppError('invalid', { faults: [{ code: 'already-invited', pointer: input.groupId ? '/groupId' : '/emails' }] })
  const now = fresh.slice(0, MAX_LINKS).map((recipient) => ({ recipient, secret: createInvitationSecret('links') }))
  const batch = await storeInvitations(ctx, tx, subject, 'links', now)
  for (const { recipient, secret } of now) {
    await mailInvitation(ctx, tx, subject, recipient, `${subject.path}?invitation=${secret}`)
  }
  await subject.recordAudit(tx, 'invite', { links: now.length })
  return { ...batch, told: { skipped: wanted.length - fresh.length, more: fresh.length > now.length } }
}

function authorizeInviting(ctx: Ctx, project: ProjectRow): never {
  requirePermission(ctx, 'campaigns.send', toPermissionTarget(project))
  throw new AppError('forbidden')
}

async function storeInvitations(
  ctx: Ctx,
  tx: Tx,
  subject: InvitationSubject,
  kind: InvitationBatch['kind'],
  made: readonly { secret: string; recipient?: Recipient }[],
  sample: LetterSample | null = null,
): Promise<InvitationBatch> {
  const of = { surveyId: null, activityId: null, [subject.column]: subject.id }
  const batch = { id: createId(), ...of, kind, total: made.length, createdAt: ctx.now(), sample }
  await tx.insert(invitationBatches).values({ ...batch, siteId: ctx.site.id, createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null })
  const rows = made.map(({ secret, recipient }) => ({
    siteId: ctx.site.id,
    ...of,
    secretHash: hashInvitation(subject.id, secret),
    batchId: batch.id,
    recipientHash: recipient ? hashRecipient(ctx, subject.id, recipient.email) : null,
  }))
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx.insert(invitations).values(rows.slice(from, from + ROWS_AT_ONCE))
  }
  return { ...batch, used: isHiddenUse({ ...batch, anonymous: subject.anonymous }) ? null : 0 }
}

async function loadEarlierRecipients(ctx: Ctx, tx: Tx, { column, id }: InvitationSubject): Promise<Set<string>> {
  // Lock the survey or activity so that two people inviting at once do not email anyone twice.
  const table = column === 'surveyId' ? surveys : activities
  await tx.execute(sql`select from ${table} where site_id = ${ctx.site.id} and id = ${id} for update`)
  const rows = await tx
    .select({ hash: invitations.recipientHash })
    .from(invitations)
    .where(and(eq(invitations.siteId, ctx.site.id), eq(invitations[column], id)))
  return new Set(rows.flatMap(({ hash }) => (hash ? [hash.toString('base64')] : [])))
}

/** Group members with a confirmed address, limited to those the viewer may manage. */
async function loadGroupPeople(ctx: Ctx, groupId: string): Promise<Recipient[]> {
  const [group] = await loadGroupsById(ctx, [groupId])
  if (!group) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/groupId' }] })
  const found: Recipient[] = []
  let read = 0
  let all = 0
  do {
    const { rows, total } = await listPeople(ctx, {
      group: groupId,
      status: ['active'],
      sort: [{ by: 'createdAt', descending: false }],
      offset: read,
      limit: ROWS_AT_ONCE,
    })
    found.push(...rows.map(({ email, locale, id }) => ({ email, language: matchLanguage(locale) ?? ctx.site.locale, userId: id })))
    read += ROWS_AT_ONCE
    all = total
  } while (read < all)
  return found
}

const usedSql = sql<number>`(select count(*)::int from ${invitations}
  join ${surveyParticipations} on ${surveyParticipations.siteId} = ${invitations.siteId}
    and ${surveyParticipations.surveyId} = ${invitations.surveyId}
    and ${surveyParticipations.personHash} = ${invitations.secretHash}
  where ${invitations.siteId} = ${invitationBatches.siteId} and ${invitations.batchId} = ${invitationBatches.id})`

const selectBatches = (tx: Tx) =>
  tx
    .select({
      id: invitationBatches.id,
      surveyId: invitationBatches.surveyId,
      activityId: invitationBatches.activityId,
      kind: invitationBatches.kind,
      total: invitationBatches.total,
      used: usedSql,
      createdAt: invitationBatches.createdAt,
      sample: invitationBatches.sample,
      anonymous: surveys.anonymous,
    })
    .from(invitationBatches)
    .leftJoin(surveys, and(eq(surveys.siteId, invitationBatches.siteId), eq(surveys.id, invitationBatches.surveyId)))

/** An invitation to an activity is not used up. */
const isHiddenUse = ({ activityId, anonymous, total }: { activityId: string | null; anonymous: boolean | null; total: number }) =>
  activityId !== null || (anonymous === true && total < MIN_TOLD)

const toBatch = ({ anonymous, ...row }: Awaited<ReturnType<typeof selectBatches>>[number]): InvitationBatch => ({
  ...row,
  used: isHiddenUse({ ...row, anonymous }) ? null : row.used,
})

export async function listBatchesOf(
  ctx: Ctx,
  tx: Tx,
  { column, id }: InvitationSubject,
  page: { limit: number; offset: number },
): Promise<ListResult<InvitationBatch>> {
  const where = and(eq(invitationBatches.siteId, ctx.site.id), eq(invitationBatches[column], id))
  const [counted] = await tx.select({ total: count() }).from(invitationBatches).where(where)
  const rows = await selectBatches(tx)
    .where(where)
    .orderBy(desc(invitationBatches.createdAt), desc(invitationBatches.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows: rows.map(toBatch), total: counted?.total ?? 0 }
}

/** @param requireEditable throws unless the viewer may edit the survey or activity */
export function loadBatchesOf(
  ctx: Ctx,
  column: InvitationSubject['column'],
  ids: readonly string[],
  requireEditable: (tx: Tx, id: string) => Promise<unknown>,
): Promise<InvitationBatch[]> {
  return ctx.db.read(async (tx) => {
    const rows = await selectBatches(tx).where(and(eq(invitationBatches.siteId, ctx.site.id), inArray(invitationBatches.id, [...ids])))
    const seen: InvitationBatch[] = []
    for (const row of rows) {
      const subjectId = row[column]
      const mine = subjectId && (await requireEditable(tx, subjectId).catch(() => undefined))
      if (mine) seen.push(toBatch(row))
    }
    return seen
  })
}

/** @throws {AppError} `conflict` for links, `invalid` with `out-of-range` at `/sample/sent` or `/sample/population` */
export function requirePossibleSample({ kind, total }: Pick<InvitationBatch, 'kind' | 'total'>, sample: LetterSample | null): void {
  if (!sample) return
  if (kind !== 'codes') throw new AppError('conflict', { pointer: '/sample' })
  const { sent, population } = sample
  const createFault = (pointer: string, values: Record<string, number>) =>
    new AppError('invalid', { faults: [{ code: 'out-of-range', pointer: `/sample/${pointer}`, values }] })
  if (sent > total) throw createFault('sent', { max: total })
  if (population < sent) throw createFault('population', { min: sent })
}

/** Withdraws the codes or links of a batch; those used by a survey answer stay used. @throws {AppError} `not-found`, and what `find` throws */
export async function withdrawInvitations(
  ctx: Ctx,
  id: string,
  find: (tx: Tx, batch: Pick<InvitationBatch, 'surveyId' | 'activityId'>) => Promise<InvitationSubject>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [batch] = await tx
      .delete(invitationBatches)
      .where(and(eq(invitationBatches.siteId, ctx.site.id), eq(invitationBatches.id, id)))
      .returning()
    if (!batch) throw new AppError('not-found')
    const subject = await find(tx, batch)
    // Even if no code was used: otherwise the results page would reveal whether one was.
    if (batch.surveyId)
      await tx
        .update(surveys)
        .set({ sampleBroken: hasBrokenSample })
        .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, batch.surveyId)))
    await subject.recordAudit(tx, 'withdraw-invitations', { kind: batch.kind, total: batch.total })
  })
}
