import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { listPeople } from '#app/features/accounts/people.list.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Language, matchLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveyParticipations } from '#app/server/db/schema/responses.ts'
import { surveyInvitationBatches, surveyInvitations, surveys } from '#app/server/db/schema/surveys.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { recordSurveyAudit } from '#app/features/surveys/managing/editing.server.ts'
import { type PlacedSurvey, requireSurveyFor } from '#app/features/surveys/surveys.policy.server.ts'
import { getSurveyState } from '#app/features/surveys/surveys.state.server.ts'
import { mailInvitation } from './invitation-mails.server.ts'
import { hashInvitation, hashRecipient, createInvitationSecret } from './invitation-secrets.server.ts'
import type { invitationBatchShape } from './invitations.api.schema.ts'
import { MAX_LINKS } from './invitations.schema.ts'

type InvitationInput = Omit<CreateInput<typeof invitationBatchShape>, 'id' | 'survey'>

/** Codes or links created in one go. */
export interface InvitationBatch {
  id: string
  surveyId: string
  kind: 'codes' | 'links'
  total: number
  used: number | null
  createdAt: Date
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
export function canSendInvitations(viewer: Viewer, project: ProjectRow): boolean {
  const decision = checkPermission(viewer, 'campaigns.send', toPermissionTarget(project))
  return decision.ok && !decision.only
}

/**
 * Creates one-time codes, or emails personal links to addresses and to the people in a group. Anyone already invited to the survey gets no
 * second link. Codes appear only in this result: we store their hashes.
 * @throws {AppError} `forbidden`; `conflict` if the survey is not for invited people; `not-published` for links to a draft or closed
 * survey; `invalid` with `required` at `/count`, `/emails` or `/groupId`, `not-found` at `/groupId`, or `already-invited` if nobody is new
 */
export async function inviteToSurvey(ctx: Ctx, surveyId: string, input: InvitationInput): Promise<InvitationBatch> {
  const people = input.kind === 'links' && input.groupId ? await loadGroupPeople(ctx, input.groupId) : []
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
    if (placed.survey.access !== 'invited') throw new AppError('conflict', { detail: { key: 'not-invitation-only' } })
    return input.kind === 'codes' ? makeCodes(ctx, tx, placed, input) : sendLinks(ctx, tx, placed, input, people)
  })
}

async function makeCodes(ctx: Ctx, tx: Tx, placed: PlacedSurvey, input: InvitationInput): Promise<InvitationBatch> {
  if (!input.count) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/count' }] })
  const codes = Array.from({ length: input.count }, () => createInvitationSecret('codes'))
  const batch = await storeInvitations(
    ctx,
    tx,
    placed,
    'codes',
    codes.map((secret) => ({ secret })),
  )
  await recordSurveyAudit(ctx, tx, placed, 'surveys.make-codes', { codes: codes.length })
  return { ...batch, told: { codes, address: buildSiteUrl(ctx, `${buildSurveyPath(placed)}?invitation=`) } }
}

async function sendLinks(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedSurvey,
  input: InvitationInput,
  people: readonly Recipient[],
): Promise<InvitationBatch> {
  const { survey, project } = placed
  if (!canSendInvitations(ctx.viewer, project)) authorizeInviting(ctx, project)
  const state = getSurveyState(ctx.now(), placed)
  if (state === 'preview' || state === 'closed') throw new AppError('not-published')
  const pasted = (input.emails ?? []).map((email) => ({ email, language: ctx.site.locale, userId: null }))
  const wanted = [...new Map([...pasted, ...people].map((recipient) => [recipient.email, recipient])).values()]
  if (wanted.length === 0)
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: input.groupId ? '/groupId' : '/emails' }] })
  const before = await loadEarlierRecipients(ctx, tx, survey.id)
  const fresh = wanted.filter(({ email }) => !before.has(hashRecipient(ctx, survey.id, email).toString('base64')))
  if (fresh.length === 0)
    throw new AppError('invalid', { faults: [{ code: 'already-invited', pointer: input.groupId ? '/groupId' : '/emails' }] })
  const now = fresh.slice(0, MAX_LINKS).map((recipient) => ({ recipient, secret: createInvitationSecret('links') }))
  const batch = await storeInvitations(ctx, tx, placed, 'links', now)
  for (const { recipient, secret } of now) {
    await mailInvitation(ctx, tx, placed, recipient, `${buildSurveyPath(placed)}?invitation=${secret}`)
  }
  await recordSurveyAudit(ctx, tx, placed, 'surveys.invite', { links: now.length })
  return { ...batch, told: { skipped: wanted.length - fresh.length, more: fresh.length > now.length } }
}

function authorizeInviting(ctx: Ctx, project: ProjectRow): never {
  requirePermission(ctx.viewer, 'campaigns.send', toPermissionTarget(project))
  throw new AppError('forbidden')
}

const buildSurveyPath = ({ survey, project }: PlacedSurvey) => `/projects/${project.slug}/surveys/${survey.slug}`

async function storeInvitations(
  ctx: Ctx,
  tx: Tx,
  { survey }: PlacedSurvey,
  kind: InvitationBatch['kind'],
  made: readonly { secret: string; recipient?: Recipient }[],
): Promise<InvitationBatch> {
  const batch = { id: createId(), surveyId: survey.id, kind, total: made.length, createdAt: ctx.now() }
  await tx
    .insert(surveyInvitationBatches)
    .values({ ...batch, siteId: ctx.site.id, createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null })
  const rows = made.map(({ secret, recipient }) => ({
    siteId: ctx.site.id,
    surveyId: survey.id,
    secretHash: hashInvitation(survey.id, secret),
    batchId: batch.id,
    recipientHash: recipient ? hashRecipient(ctx, survey.id, recipient.email) : null,
  }))
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tx.insert(surveyInvitations).values(rows.slice(from, from + ROWS_AT_ONCE))
  }
  return { ...batch, used: survey.anonymous && made.length < MIN_TOLD ? null : 0 }
}

async function loadEarlierRecipients(ctx: Ctx, tx: Tx, surveyId: string): Promise<Set<string>> {
  // Lock the survey so that two people inviting at once do not email anyone twice.
  await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    .for('update')
  const rows = await tx
    .select({ hash: surveyInvitations.recipientHash })
    .from(surveyInvitations)
    .where(and(eq(surveyInvitations.siteId, ctx.site.id), eq(surveyInvitations.surveyId, surveyId)))
  return new Set(rows.flatMap(({ hash }) => (hash ? [hash.toString('base64')] : [])))
}

/** The people in a group whom the viewer may manage and whose address is confirmed. */
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

const usedSql = sql<number>`(select count(*)::int from ${surveyInvitations}
  join ${surveyParticipations} on ${surveyParticipations.siteId} = ${surveyInvitations.siteId}
    and ${surveyParticipations.surveyId} = ${surveyInvitations.surveyId}
    and ${surveyParticipations.personHash} = ${surveyInvitations.secretHash}
  where ${surveyInvitations.siteId} = ${surveyInvitationBatches.siteId} and ${surveyInvitations.batchId} = ${surveyInvitationBatches.id})`

const selectBatches = (tx: Tx) =>
  tx
    .select({
      id: surveyInvitationBatches.id,
      surveyId: surveyInvitationBatches.surveyId,
      kind: surveyInvitationBatches.kind,
      total: surveyInvitationBatches.total,
      used: usedSql,
      createdAt: surveyInvitationBatches.createdAt,
      anonymous: surveys.anonymous,
    })
    .from(surveyInvitationBatches)
    .innerJoin(surveys, and(eq(surveys.siteId, surveyInvitationBatches.siteId), eq(surveys.id, surveyInvitationBatches.surveyId)))

const toBatch = ({ anonymous, ...row }: Awaited<ReturnType<typeof selectBatches>>[number]): InvitationBatch => ({
  ...row,
  used: anonymous && row.total < MIN_TOLD ? null : row.used,
})

/** @throws {AppError} `invalid-parameter` without a survey; `not-found`; `forbidden` if the viewer cannot edit the survey */
export async function listBatches(
  ctx: Ctx,
  { filter, page }: ListQuery<typeof invitationBatchShape>,
): Promise<ListResult<InvitationBatch>> {
  const { survey } = filter
  if (!survey) throw new AppError('invalid-parameter', { parameter: 'filter[survey]' })
  return ctx.db.read(async (tx) => {
    await requireSurveyFor(ctx, tx, 'projects.edit', survey)
    const where = and(eq(surveyInvitationBatches.siteId, ctx.site.id), eq(surveyInvitationBatches.surveyId, survey))
    const [counted] = await tx.select({ total: count() }).from(surveyInvitationBatches).where(where)
    const rows = await selectBatches(tx)
      .where(where)
      .orderBy(desc(surveyInvitationBatches.createdAt), desc(surveyInvitationBatches.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toBatch), total: counted?.total ?? 0 }
  })
}

export function loadBatches(ctx: Ctx, ids: readonly string[]): Promise<InvitationBatch[]> {
  return ctx.db.read(async (tx) => {
    const rows = await selectBatches(tx).where(
      and(eq(surveyInvitationBatches.siteId, ctx.site.id), inArray(surveyInvitationBatches.id, [...ids])),
    )
    const seen: InvitationBatch[] = []
    for (const row of rows) {
      const mine = await requireSurveyFor(ctx, tx, 'projects.edit', row.surveyId).catch(() => undefined)
      if (mine) seen.push(toBatch(row))
    }
    return seen
  })
}

/** Withdraws the unused codes or links of a batch. Answers given with the others stay. @throws {AppError} `not-found`, `forbidden` */
export async function withdrawBatch(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [batch] = await tx
      .delete(surveyInvitationBatches)
      .where(and(eq(surveyInvitationBatches.siteId, ctx.site.id), eq(surveyInvitationBatches.id, id)))
      .returning()
    if (!batch) throw new AppError('not-found')
    const placed = await requireSurveyFor(ctx, tx, 'projects.edit', batch.surveyId)
    await recordSurveyAudit(ctx, tx, placed, 'surveys.withdraw-invitations', { kind: batch.kind, total: batch.total })
  })
}
