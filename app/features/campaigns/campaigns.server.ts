import { and, count, desc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { findUnknownFields } from '#app/lib/merge-fields.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { CampaignStatus } from '#app/lib/vocabulary/campaigns.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { requireFutureMoment } from '#app/server/require-future-moment.ts'
import type { Audience, Channel } from './campaigns.schema.ts'
import { requireExistingFilters, requireValidFilters } from './audience-filters.server.ts'

export type StoredCampaign = typeof campaigns.$inferSelect
/** A campaign with the department of its project. */
export type CampaignRow = Omit<StoredCampaign, 'audience' | 'status'> & {
  audience: Audience
  status: CampaignStatus
  projectHubId: string | null
}

/** Audit subject of each channel. */
const AUDIT_SUBJECTS = { sms: 'sms-campaigns', email: 'newsletters' } as const
type CampaignAction = 'create' | 'update' | 'delete' | 'send' | 'pause' | 'resume' | 'cancel'

/** The campaign's place, for permission checks. */
export const toCampaignPlace = ({ hubId, projectId, projectHubId }: Pick<CampaignRow, 'hubId' | 'projectId' | 'projectHubId'>) => ({
  hubId: projectId ? projectHubId : hubId,
  projectId,
})
export type CampaignPlace = ReturnType<typeof toCampaignPlace>

/** True if the viewer may send the campaign, and not only draft it. */
export const canSendCampaign = (viewer: Viewer, row: CampaignRow): boolean => {
  const decision = checkPermission(viewer, 'campaigns.send', toCampaignPlace(row))
  return decision.ok && !decision.only
}

const selectCampaigns = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({ campaign: campaigns, projectHubId: projects.hubId })
    .from(campaigns)
    .leftJoin(projects, and(eq(projects.siteId, campaigns.siteId), eq(projects.id, campaigns.projectId)))
    .where(where)

const toCampaignRow = ({ campaign, projectHubId }: { campaign: StoredCampaign; projectHubId: string | null }): CampaignRow => ({
  ...campaign,
  audience: campaign.audience as Audience,
  status: campaign.status,
  projectHubId,
})

const buildVisibleCondition = (ctx: Ctx, channel: Channel, more?: SQL): SQL | undefined =>
  and(
    eq(campaigns.siteId, ctx.site.id),
    eq(campaigns.channel, channel),
    or(
      scopeWhere(ctx.viewer, 'campaigns.send', { hub: campaigns.hubId, project: campaigns.projectId }) ?? sql`true`,
      scopeWhere(ctx.viewer, 'campaigns.send', { hub: projects.hubId }) ?? sql`true`,
    ),
    more,
  )

/** Loads campaigns of a channel that the viewer may send or draft. */
export async function loadCampaignsById(ctx: Ctx, channel: Channel, ids: readonly string[]): Promise<CampaignRow[]> {
  return (await ctx.db.read((tx) => selectCampaigns(tx, buildVisibleCondition(ctx, channel, inArray(campaigns.id, [...ids]))))).map(
    toCampaignRow,
  )
}

/** Campaigns of projects that were to be sent in a period, of both channels, as far as the viewer may send or draft them. `until` is exclusive. */
export async function loadCampaignsOfProjects(
  ctx: Ctx,
  tx: Tx,
  ids: readonly string[],
  { from, until }: { from: Date; until: Date },
): Promise<CampaignRow[]> {
  const at = sql`coalesce(${campaigns.sendAt}, ${campaigns.createdAt})`
  const isAsked = and(
    inArray(campaigns.projectId, [...ids]),
    ne(campaigns.status, 'draft'),
    sql`${at} >= ${from.toISOString()} and ${at} < ${until.toISOString()}`,
  )
  return (await selectCampaigns(tx, or(buildVisibleCondition(ctx, 'email', isAsked), buildVisibleCondition(ctx, 'sms', isAsked)))).map(
    toCampaignRow,
  )
}

/** @throws {AppError} `unauthenticated`, `forbidden` */
export async function listCampaigns(
  ctx: Ctx,
  channel: Channel,
  page: { offset: number; limit: number },
): Promise<{ rows: CampaignRow[]; total: number }> {
  requireDraftPermission(ctx)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(campaigns)
      .leftJoin(projects, and(eq(projects.siteId, campaigns.siteId), eq(projects.id, campaigns.projectId)))
      .where(buildVisibleCondition(ctx, channel))
    const rows = await selectCampaigns(tx, buildVisibleCondition(ctx, channel))
      .orderBy(desc(campaigns.createdAt), desc(campaigns.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toCampaignRow), total: counted?.total ?? 0 }
  })
}

/** @throws {AppError} if the viewer may not draft campaigns anywhere */
function requireDraftPermission({ viewer }: Ctx): void {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!viewer.roles.some(({ hubId, projectId }) => checkPermission(viewer, 'campaigns.send', { hubId, projectId }).ok))
    throw new AppError('forbidden')
}

interface NewCampaign {
  name: string
  hub?: string | null | undefined
  project?: string | null | undefined
  audience?: Audience | undefined
}
/** Channel-specific content. */
type CampaignContent = Partial<Pick<StoredCampaign, 'body' | 'subject' | 'content' | 'surveyId'>>
type CampaignCheck = (tx: Tx, place: CampaignPlace) => Promise<void>

/** Creates a draft. Its place decides whose people it may reach. @returns its id @throws {AppError} `forbidden`, `invalid` */
export async function createCampaign(
  ctx: Ctx,
  channel: Channel,
  input: NewCampaign,
  said: CampaignContent,
  check?: CampaignCheck,
): Promise<string> {
  const { hub = null, project = null } = input
  const id = createId()
  const now = ctx.now()
  await ctx.db.tx(async (tx) => {
    const [of] = project
      ? await tx
          .select({ hubId: projects.hubId })
          .from(projects)
          .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, project)))
      : []
    const place = { hubId: project ? (of?.hubId ?? null) : hub, projectId: project }
    requirePermission(ctx, 'campaigns.send', place)
    await requireValidFilters(ctx, tx, input.audience)
    await check?.(tx, place)
    await tx.insert(campaigns).values({
      siteId: ctx.site.id,
      id,
      channel,
      hubId: project ? null : hub,
      projectId: project,
      name: input.name,
      ...said,
      audience: input.audience ?? {},
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: now,
      updatedAt: now,
    })
    await recordAudit(ctx, tx, {
      action: `${AUDIT_SUBJECTS[channel]}.create`,
      subject: { type: AUDIT_SUBJECTS[channel], id },
      hubId: hub,
      projectId: project,
    })
  })
  return id
}

/** Updates a draft. @throws {AppError} `forbidden`, `stale`, `conflict` if it is no longer a draft */
export async function updateCampaign(
  ctx: Ctx,
  row: CampaignRow,
  changes: { name?: string | undefined; audience?: Audience | undefined } & CampaignContent,
  lockVersion: number,
  check?: CampaignCheck,
): Promise<void> {
  requirePermission(ctx, 'campaigns.send', toCampaignPlace(row))
  if (row.status !== 'draft') throw new AppError('conflict')
  await ctx.db.tx(async (tx) => {
    await check?.(tx, toCampaignPlace(row))
    await requireValidFilters(ctx, tx, changes.audience, row.audience)
    const changed = await tx
      .update(campaigns)
      .set({ ...changes, updatedAt: ctx.now(), lockVersion: sql`${campaigns.lockVersion} + 1` })
      .where(and(buildCampaignCondition(ctx, row.id), eq(campaigns.lockVersion, lockVersion), eq(campaigns.status, 'draft')))
      .returning({ id: campaigns.id })
    if (!changed.length) throw new AppError('stale')
    await recordCampaignAudit(ctx, tx, row, 'update')
  })
}

/** Deletes a draft. @throws {AppError} `forbidden`, `conflict` */
export async function deleteCampaign(ctx: Ctx, row: CampaignRow): Promise<void> {
  requirePermission(ctx, 'campaigns.send', toCampaignPlace(row))
  if (row.status !== 'draft') throw new AppError('conflict')
  await ctx.db.tx(async (tx) => {
    const gone = await tx
      .delete(campaigns)
      .where(and(buildCampaignCondition(ctx, row.id), eq(campaigns.status, 'draft')))
      .returning({ id: campaigns.id })
    if (!gone.length) throw new AppError('conflict')
    await recordCampaignAudit(ctx, tx, row, 'delete', { name: row.name })
  })
}

/**
 * Schedules a draft for now or later.
 * @throws {AppError} `forbidden`, even if the viewer may draft it; `conflict` if it was already sent; `invalid` if a filter's target is
 * gone or the time has passed
 */
export async function scheduleCampaign(ctx: Ctx, row: CampaignRow, sendAt: Date | null | undefined, check?: CampaignCheck): Promise<void> {
  requireSendPermission(ctx, row)
  requireFutureMoment(ctx, sendAt, '/sendAt')
  await ctx.db.tx(async (tx) => {
    await requireExistingFilters(ctx, tx, row.audience)
    await check?.(tx, toCampaignPlace(row))
    const changed = await tx
      .update(campaigns)
      .set({
        status: 'scheduled',
        sendAt: sendAt ?? ctx.now(),
        updatedAt: ctx.now(),
        lockVersion: sql`${campaigns.lockVersion} + 1`,
      })
      .where(and(buildCampaignCondition(ctx, row.id), eq(campaigns.status, 'draft')))
      .returning({ id: campaigns.id })
    if (!changed.length) throw new AppError('conflict')
    await recordCampaignAudit(ctx, tx, row, 'send', { name: row.name, sendAt: sendAt ?? null })
  })
}

/** Operations on a campaign's messages that wait in its channel's outbox. */
export interface CampaignQueue {
  hold(ctx: Ctx, tx: Tx, campaignId: string): Promise<unknown>
  release(ctx: Ctx, tx: Tx, campaignId: string): Promise<unknown>
  drop(ctx: Ctx, tx: Tx, campaignId: string): Promise<unknown>
}

/** Pauses or resumes a campaign. Messages already handed to a service cannot be recalled. @throws {AppError} `forbidden`, `conflict` */
export async function pauseCampaign(ctx: Ctx, row: CampaignRow, paused: boolean, waiting: CampaignQueue): Promise<void> {
  requireSendPermission(ctx, row)
  if (paused === (row.status === 'paused')) return
  await ctx.db.tx(async (tx) => {
    const from = paused ? (['preparing', 'sending'] as const) : (['paused'] as const)
    const changed = await tx
      .update(campaigns)
      // On resume, only readers without a message get one.
      .set({ status: paused ? 'paused' : 'preparing', overLimit: false, updatedAt: ctx.now() })
      .where(and(buildCampaignCondition(ctx, row.id), inArray(campaigns.status, [...from])))
      .returning({ id: campaigns.id })
    if (!changed.length) throw new AppError('conflict')
    if (paused) await waiting.hold(ctx, tx, row.id)
    else await waiting.release(ctx, tx, row.id)
    await recordCampaignAudit(ctx, tx, row, paused ? 'pause' : 'resume')
  })
}

/** Drops everything not sent yet. @throws {AppError} `forbidden`, `conflict` if it is over */
export async function cancelCampaign(ctx: Ctx, row: CampaignRow, waiting: CampaignQueue): Promise<void> {
  requireSendPermission(ctx, row)
  await ctx.db.tx(async (tx) => {
    const changed = await tx
      .update(campaigns)
      .set({ status: 'cancelled', finishedAt: ctx.now(), updatedAt: ctx.now() })
      .where(and(buildCampaignCondition(ctx, row.id), inArray(campaigns.status, ['scheduled', 'preparing', 'sending', 'paused'])))
      .returning({ id: campaigns.id })
    if (!changed.length) throw new AppError('conflict')
    await waiting.drop(ctx, tx, row.id)
    await recordCampaignAudit(ctx, tx, row, 'cancel')
  })
}

/** @throws {AppError} `forbidden`, even if the viewer may draft it */
export function requireSendPermission(ctx: Ctx, row: CampaignRow): void {
  const { only } = requirePermission(ctx, 'campaigns.send', toCampaignPlace(row))
  if (only) throw new AppError('forbidden')
}

export const buildCampaignCondition = (ctx: Ctx, id: string) => and(eq(campaigns.siteId, ctx.site.id), eq(campaigns.id, id))

function recordCampaignAudit(ctx: Ctx, tx: Tx, row: CampaignRow, act: CampaignAction, detail: Record<string, unknown> = {}) {
  const action: AuditAction = `${AUDIT_SUBJECTS[row.channel]}.${act}`
  return recordAudit(ctx, tx, { action, subject: { type: AUDIT_SUBJECTS[row.channel], id: row.id }, ...toCampaignPlace(row), detail })
}

/** @throws {AppError} `invalid` if a text contains an unknown merge field */
export function requireKnownFields(name: string, texts: Translated): void {
  const faults = Object.entries(texts).flatMap(([language, text]) =>
    findUnknownFields(text).map((field) => ({
      code: 'unknown-reference' as const,
      pointer: `/${name}/${language}`,
      values: { name: field },
    })),
  )
  if (faults.length) throw new AppError('invalid', { faults })
}
