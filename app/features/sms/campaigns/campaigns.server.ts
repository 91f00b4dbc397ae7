import { and, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { groupsById } from '#app/features/accounts/groups.server.ts'
import { readFeatures } from '#app/features/features/features.server.ts'
import { authorize, decide, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { isOpenToTexts } from '#app/features/surveys/by-text/keywords.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import { newId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects, smsCampaigns, smsMessages, surveys } from '#app/server/db/schema.ts'
import { assertSmsOn } from '../messages.server.ts'
import { unknownFields } from '../merge-fields.ts'
import type { SmsStatus } from '../sms.schema.ts'
import type { smsCampaignShape } from './campaigns.api.schema.ts'
import type { Audience, CampaignStatus } from './campaigns.schema.ts'

type Stored = typeof smsCampaigns.$inferSelect
/** A campaign with the department its project belongs to. */
export type CampaignRow = Omit<Stored, 'audience' | 'status'> & { audience: Audience; status: CampaignStatus; projectHubId: string | null }

/** Where a campaign lies, for those who decide who may send it. */
export const placeOf = ({ hubId, projectId, projectHubId }: Pick<CampaignRow, 'hubId' | 'projectId' | 'projectHubId'>) => ({
  hubId: projectId ? projectHubId : hubId,
  projectId,
})

/** Whether the viewer may send it, and not only draft it. */
export const maySend = (viewer: Viewer, row: CampaignRow): boolean => {
  const decision = decide(viewer, 'campaigns.send', placeOf(row))
  return decision.ok && !decision.only
}

const select = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({ campaign: smsCampaigns, projectHubId: projects.hubId })
    .from(smsCampaigns)
    .leftJoin(projects, and(eq(projects.siteId, smsCampaigns.siteId), eq(projects.id, smsCampaigns.projectId)))
    .where(where)

const present = ({ campaign, projectHubId }: { campaign: Stored; projectHubId: string | null }): CampaignRow => ({
  ...campaign,
  audience: campaign.audience as Audience,
  status: campaign.status as CampaignStatus,
  projectHubId,
})

const known = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(
    eq(smsCampaigns.siteId, ctx.site.id),
    or(
      scopeWhere(ctx.viewer, 'campaigns.send', { hub: smsCampaigns.hubId, project: smsCampaigns.projectId }) ?? sql`true`,
      scopeWhere(ctx.viewer, 'campaigns.send', { hub: projects.hubId }) ?? sql`true`,
    ),
    more,
  )

/** Campaigns the viewer may send or draft; none with the feature off. */
export async function campaignsById(ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> {
  if (!(await readFeatures(ctx)).marketplace_sms_integration.enabled) return []
  return (await ctx.db.tx((tx) => select(tx, known(ctx, inArray(smsCampaigns.id, [...ids]))))).map(present)
}

/** @throws {AppError} `unauthenticated`, `forbidden`, `not-found` with the feature off */
export async function listCampaigns(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: CampaignRow[]; total: number }> {
  drafting(ctx)
  await assertSmsOn(ctx)
  return ctx.db.tx(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(smsCampaigns)
      .leftJoin(projects, and(eq(projects.siteId, smsCampaigns.siteId), eq(projects.id, smsCampaigns.projectId)))
      .where(known(ctx))
    const rows = await select(tx, known(ctx))
      .orderBy(desc(smsCampaigns.createdAt), desc(smsCampaigns.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(present), total: counted?.total ?? 0 }
  })
}

/** @throws {AppError} for who drafts nothing anywhere */
function drafting({ viewer }: Ctx): void {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!viewer.roles.some(({ hubId, projectId }) => decide(viewer, 'campaigns.send', { hubId, projectId }).ok))
    throw new AppError('forbidden')
}

/** Drafts a campaign. Its place says whose people it may reach. @returns its id @throws {AppError} `forbidden`, `invalid` */
export async function createCampaign(ctx: Ctx, input: CreateInput<typeof smsCampaignShape>): Promise<string> {
  await assertSmsOn(ctx)
  const { hub = null, project = null } = input
  const id = newId()
  const now = ctx.now()
  await ctx.db.tx(async (tx) => {
    const [of] = project
      ? await tx
          .select({ hubId: projects.hubId })
          .from(projects)
          .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, project)))
      : []
    authorize(ctx.viewer, 'campaigns.send', { hubId: project ? (of?.hubId ?? null) : hub, projectId: project })
    const body = checkedBody(input.bodyTranslations ?? {})
    await assertGroup(ctx, input.audience)
    if (input.survey) await assertSurvey(ctx, tx, input.survey, { hubId: project ? (of?.hubId ?? null) : hub, projectId: project })
    await tx.insert(smsCampaigns).values({
      siteId: ctx.site.id,
      id,
      hubId: project ? null : hub,
      projectId: project,
      surveyId: input.survey ?? null,
      name: input.name,
      body,
      audience: input.audience ?? {},
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: now,
      updatedAt: now,
    })
    await recordAudit(ctx, tx, { action: 'sms-campaigns.create', subject: { type: 'sms-campaigns', id }, hubId: hub, projectId: project })
  })
  return id
}

/** Changes a draft. @throws {AppError} `forbidden`, `stale`, `conflict` once it is no draft */
export async function updateCampaign(
  ctx: Ctx,
  row: CampaignRow,
  input: UpdateInput<typeof smsCampaignShape>,
  lockVersion: number,
): Promise<void> {
  authorize(ctx.viewer, 'campaigns.send', placeOf(row))
  if (row.status !== 'draft') throw new AppError('conflict')
  await ctx.db.tx(async (tx) => {
    if (input.survey) await assertSurvey(ctx, tx, input.survey, placeOf(row))
    if (input.audience?.group !== row.audience.group) await assertGroup(ctx, input.audience)
    const changed = await tx
      .update(smsCampaigns)
      .set({
        ...(input.survey === undefined ? {} : { surveyId: input.survey }),
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.bodyTranslations === undefined ? {} : { body: checkedBody(input.bodyTranslations) }),
        ...(input.audience === undefined ? {} : { audience: input.audience }),
        updatedAt: ctx.now(),
        lockVersion: sql`${smsCampaigns.lockVersion} + 1`,
      })
      .where(and(own(ctx, row.id), eq(smsCampaigns.lockVersion, lockVersion), eq(smsCampaigns.status, 'draft')))
      .returning({ id: smsCampaigns.id })
    if (!changed.length) throw new AppError('stale')
    await note(ctx, tx, row, 'sms-campaigns.update')
  })
}

/** Deletes a draft, or what was cancelled before anything was sent. @throws {AppError} `forbidden`, `conflict` */
export async function deleteCampaign(ctx: Ctx, row: CampaignRow): Promise<void> {
  authorize(ctx.viewer, 'campaigns.send', placeOf(row))
  if (row.status !== 'draft') throw new AppError('conflict')
  await ctx.db.tx(async (tx) => {
    const gone = await tx
      .delete(smsCampaigns)
      .where(and(own(ctx, row.id), eq(smsCampaigns.status, 'draft')))
      .returning({ id: smsCampaigns.id })
    if (!gone.length) throw new AppError('conflict')
    await note(ctx, tx, row, 'sms-campaigns.delete', { name: row.name })
  })
}

export const own = (ctx: Ctx, id: string) => and(eq(smsCampaigns.siteId, ctx.site.id), eq(smsCampaigns.id, id))

export const note = (ctx: Ctx, tx: Tx, row: CampaignRow, action: AuditAction, detail: Record<string, unknown> = {}) =>
  recordAudit(ctx, tx, { action, subject: { type: 'sms-campaigns', id: row.id }, ...placeOf(row), detail })

/** A group may be chosen by whoever manages its people. @throws {AppError} `invalid` */
async function assertGroup(ctx: Ctx, audience: Audience | undefined): Promise<void> {
  if (audience?.group && (await groupsById(ctx, [audience.group])).length === 0)
    throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/audience' }] })
}

/** A campaign asks surveys of its own place that are open to texts. @throws {AppError} `invalid` */
async function assertSurvey(ctx: Ctx, tx: Tx, surveyId: string, { hubId, projectId }: ReturnType<typeof placeOf>): Promise<void> {
  const [found] = await tx
    .select({ hubId: projects.hubId, projectId: projects.id })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
  const here = found && (projectId ? found.projectId === projectId : hubId === null || found.hubId === hubId)
  if (!here || !(await isOpenToTexts(ctx, tx, surveyId)))
    throw new AppError('invalid', { faults: [{ code: 'not-by-text', pointer: '/survey' }] })
}

function checkedBody(body: Translated): Translated {
  const faults = Object.entries(body).flatMap(([language, text]) =>
    unknownFields(text).map((name) => ({ code: 'unknown-reference' as const, pointer: `/bodyTranslations/${language}`, values: { name } })),
  )
  if (faults.length) throw new AppError('invalid', { faults })
  return body
}

/** How many of each campaign's texts stand where. */
export async function countsOf(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<Map<string, Partial<Record<SmsStatus, number>>>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ campaign: smsMessages.campaignId, status: smsMessages.status, total: count() })
    .from(smsMessages)
    .where(and(eq(smsMessages.siteId, ctx.site.id), inArray(smsMessages.campaignId, [...ids])))
    .groupBy(smsMessages.campaignId, smsMessages.status)
  const counts = new Map<string, Partial<Record<SmsStatus, number>>>()
  for (const { campaign, status, total } of rows) {
    if (campaign) counts.set(campaign, { ...counts.get(campaign), [status as SmsStatus]: total })
  }
  return counts
}
