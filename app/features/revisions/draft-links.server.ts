import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, count, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId, createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { draftLinks } from '#app/server/db/schema/homepage.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import type { LinkedPlace } from './draft.schema.ts'
import { requireContentEditor } from './revisions.policy.server.ts'

type LinkRow = typeof draftLinks.$inferSelect

/** A link with its author and its path. */
export interface DraftLinkView extends LinkRow {
  author: string | null
  path: string
}

/** What a link shows, as stored in its row. */
type LinkTarget = Pick<LinkRow, 'subject' | 'hubId' | 'projectId'>

const MAX_LIFETIME_MS = 60 * 864e5
const USE_RECORD_INTERVAL_MS = 60_000

/**
 * Creates a link to a place's draft.
 * @throws {AppError} `forbidden`, `not-found` for an unknown hub, or `invalid` if it would last too long
 */
export async function createDraftLink(ctx: Ctx, input: LinkedPlace & { note?: string | undefined; expiresAt: string }): Promise<string> {
  const { subject, placeId } = input
  const target: LinkTarget = {
    subject,
    hubId: subject === 'homepage' ? placeId : null,
    projectId: subject === 'project' ? placeId : null,
  }
  const hubId = await requireTargetAccess(ctx, target)
  const [now, expiresAt] = [ctx.now(), new Date(input.expiresAt)]
  if (expiresAt <= now || expiresAt.getTime() > now.getTime() + MAX_LIFETIME_MS) {
    throw new AppError('invalid', { faults: [{ code: 'out-of-range', pointer: '/expiresAt' }] })
  }
  return ctx.db.tx(async (tx) => {
    const id = createId()
    await tx.insert(draftLinks).values({
      siteId: ctx.site.id,
      id,
      ...target,
      note: input.note ?? '',
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: now,
      expiresAt,
    })
    await recordAudit(ctx, tx, {
      ...buildAuditFields(target, hubId, 'share'),
      subject: { type: 'draft-links', id },
      detail: { until: expiresAt },
    })
    return id
  })
}

/** @returns the hub it belongs to @throws {AppError} `not-found` for a project the viewer may not know of, or `forbidden` */
const requireTargetAccess = async (ctx: Ctx, { subject, hubId, projectId }: LinkTarget): Promise<string | null> =>
  (await requireContentEditor(ctx, subject, projectId ?? hubId)).hubId ?? null

const buildAuditFields = ({ subject, projectId }: LinkTarget, hubId: string | null, what: 'share' | 'unshare') => ({
  action: subject === 'project' ? (`projects.${what}` as const) : (`${subject}.${what}` as const),
  hubId,
  ...(projectId === null ? {} : { projectId }),
})

/** Revokes a link: it stops working at once. */
export async function revokeDraftLink(ctx: Ctx, link: LinkRow): Promise<void> {
  const hubId = await requireTargetAccess(ctx, link)
  await ctx.db.tx(async (tx) => {
    await tx
      .update(draftLinks)
      .set({ revokedAt: ctx.now() })
      .where(and(eq(draftLinks.siteId, ctx.site.id), eq(draftLinks.id, link.id)))
    await recordAudit(ctx, tx, { ...buildAuditFields(link, hubId, 'unshare'), subject: { type: 'draft-links', id: link.id } })
  })
}

/** Active links of a place, newest first, limited to what the viewer edits. */
export async function listDraftLinks(
  ctx: Ctx,
  query: {
    subject?: LinkRow['subject'][] | undefined
    hub?: string | undefined
    project?: string | undefined
    ofSite?: boolean | undefined
    page: { limit: number; offset: number }
  },
): Promise<{ rows: DraftLinkView[]; total: number }> {
  const where = and(
    isOpenToEditor(ctx),
    query.subject ? inArray(draftLinks.subject, query.subject) : undefined,
    query.hub ? eq(draftLinks.hubId, query.hub) : undefined,
    query.project ? eq(draftLinks.projectId, query.project) : undefined,
    query.ofSite === undefined ? undefined : query.ofSite ? isNull(draftLinks.hubId) : isNotNull(draftLinks.hubId),
  )
  const [counted] = await ctx.db.read((tx) => tx.select({ total: count() }).from(draftLinks).leftJoin(projects, isLinkProject).where(where))
  return { rows: await selectDraftLinks(ctx, where, query.page), total: counted?.total ?? 0 }
}

/** The given links, limited to those the viewer may see. */
export const loadDraftLinksById = (ctx: Ctx, ids: readonly string[]): Promise<DraftLinkView[]> =>
  selectDraftLinks(ctx, and(isOpenToEditor(ctx), inArray(draftLinks.id, [...ids])))

/** What a link shows the draft of; undefined if it was tampered with, expired, revoked or is of another site. */
export async function openDraftLink(ctx: Ctx, token: string): Promise<(LinkTarget & { expiresAt: Date }) | undefined> {
  const [id = '', signature = ''] = token.split('.')
  if (!isId(id)) return undefined
  const now = ctx.now()
  const [link] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(draftLinks)
      .where(and(eq(draftLinks.siteId, ctx.site.id), eq(draftLinks.id, id), isNull(draftLinks.revokedAt), gt(draftLinks.expiresAt, now))),
  )
  if (!link || !isSameSignature(signature, signLink(ctx, link))) return undefined
  if (!link.lastUsedAt || link.lastUsedAt.getTime() < now.getTime() - USE_RECORD_INTERVAL_MS) await recordUse(ctx, id)
  return { subject: link.subject, hubId: link.hubId, projectId: link.projectId, expiresAt: link.expiresAt }
}

/** In a transaction of its own: what a link shows is only read. */
async function recordUse({ site, runtime, now }: Ctx, id: string): Promise<void> {
  await runtime.database.site(site.id).tx((tx) =>
    tx
      .update(draftLinks)
      .set({ lastUsedAt: now() })
      .where(and(eq(draftLinks.siteId, site.id), eq(draftLinks.id, id))),
  )
}

function isOpenToEditor(ctx: Ctx): SQL | undefined {
  const { viewer } = ctx
  const ofSite = checkPermission(viewer, 'site.edit').ok ? and(isNull(draftLinks.hubId), isNull(draftLinks.projectId)) : sql`false`
  const ofHubs = and(isNotNull(draftLinks.hubId), scopeWhere(viewer, 'hubs.edit-homepage', { hub: draftLinks.hubId }))
  const ofProjects = and(
    isNotNull(draftLinks.projectId),
    scopeWhere(viewer, 'projects.edit', { hub: projects.hubId, project: projects.id }),
  )
  const isOpen = and(isNull(draftLinks.revokedAt), gt(draftLinks.expiresAt, ctx.now()))
  return and(eq(draftLinks.siteId, ctx.site.id), isOpen, or(ofSite, ofHubs, ofProjects))
}

const isLinkProject = and(eq(projects.siteId, draftLinks.siteId), eq(projects.id, draftLinks.projectId))

async function selectDraftLinks(ctx: Ctx, where: SQL | undefined, page = { limit: 1000, offset: 0 }): Promise<DraftLinkView[]> {
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ ...getTableColumns(draftLinks), author: users.login, slug: hubs.slug, project: projects.slug })
      .from(draftLinks)
      .leftJoin(users, and(eq(users.siteId, draftLinks.siteId), eq(users.id, draftLinks.createdBy)))
      .leftJoin(hubs, and(eq(hubs.siteId, draftLinks.siteId), eq(hubs.id, draftLinks.hubId)))
      .leftJoin(projects, isLinkProject)
      .where(where)
      .orderBy(desc(draftLinks.createdAt), desc(draftLinks.id))
      .limit(page.limit)
      .offset(page.offset),
  )
  return rows.map(({ slug, project, ...link }) => ({
    ...link,
    path: `${project ? `/projects/${project}?preview` : `/live-preview/${slug === null ? 'home' : `hubs/${slug}`}?link`}=${link.id}.${signLink(ctx, link)}`,
  }))
}

/** Signs everything the link grants, so that none of it can be changed and no row forged without the installation's key. */
const signLink = (ctx: Ctx, { siteId, id, subject, hubId, projectId, expiresAt }: LinkRow): string =>
  createHmac('sha256', ctx.runtime.secret)
    .update(['draft link', siteId, id, subject, projectId ?? hubId ?? '', expiresAt.toISOString()].join(' '))
    .digest('base64url')

function isSameSignature(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
