import { and, desc, eq, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import { markContentChanged, type Tx } from '#app/server/db/client.ts'
import { appearanceRevisions, homepageRevisions, revisionHeads } from '#app/server/db/schema/homepage.ts'
import { requireFutureMoment } from '#app/server/require-future-moment.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'

/**
 * Versions of a site's own pages and look. A revision never changes: saving creates a new one on top of the draft, restoring creates a new
 * one from an old one. The published one is the one with the latest publication time that has passed.
 */
export type RevisionRow = typeof homepageRevisions.$inferSelect

export interface RevisionKind {
  subject: 'homepage' | 'appearance'
  table: typeof homepageRevisions
  /** Validates content for storage, or throws an `invalid` that names its faults. Pointers begin with `/content`. */
  read(ctx: Ctx, content: unknown): unknown
  /** What prevents publishing, unless it is waived by name. */
  obstacles(ctx: Ctx, content: unknown): readonly Obstacle[]
  /** Hook for things other than stored pages that depend on what is published. */
  onChange?(ctx: Ctx, tx: Tx, published: RevisionRow | undefined): Promise<void>
}

export interface Obstacle extends Fault {
  /** The name to waive it by; an obstacle without one cannot be waived. */
  name?: string
}

/** The appearance table has the same columns under the same names, except that the database calls the content `tokens`. */
export const APPEARANCE_TABLE = appearanceRevisions as unknown as typeof homepageRevisions

const MAX_BYTES = 1_000_000

/** Requires permission to edit the site's pages, or those of one of its hubs. */
export function requireScopeAccess(ctx: Ctx, hubId: string | null): void {
  if (hubId) requirePermission(ctx.viewer, 'hubs.edit-homepage', { hubId })
  else requirePermission(ctx.viewer, 'site.edit')
}

export const canEditScope = ({ viewer }: Ctx, hubId: string | null): boolean =>
  hubId ? checkPermission(viewer, 'hubs.edit-homepage', { hubId }).ok : checkPermission(viewer, 'site.edit').ok

const isInScope = (ctx: Ctx, { table }: RevisionKind, hubId: string | null): SQL | undefined =>
  and(eq(table.siteId, ctx.site.id), hubId ? eq(table.hubId, hubId) : isNull(table.hubId))

/** Condition for a published revision of any place. */
export const isPublished = (ctx: Ctx, { table }: Pick<RevisionKind, 'table'>): SQL | undefined =>
  and(isNotNull(table.publishedAt), lte(table.publishedAt, ctx.now()))

/** What visitors see; undefined if nothing was published. */
export async function findPublishedRevision(ctx: Ctx, kind: RevisionKind, hubId: string | null): Promise<RevisionRow | undefined> {
  const { table } = kind
  const [row] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(table)
      .where(and(isInScope(ctx, kind, hubId), isPublished(ctx, kind)))
      .orderBy(desc(table.publishedAt), desc(table.id))
      .limit(1),
  )
  return row
}

/** The newest revision, which is the draft. */
export async function findDraftRevision(ctx: Ctx, kind: RevisionKind, hubId: string | null): Promise<RevisionRow | undefined> {
  const { table } = kind
  return ctx.db.read(async (tx) => {
    const head = await loadHead(ctx, tx, kind, hubId)
    const [row] = await tx
      .select()
      .from(table)
      .where(and(isInScope(ctx, kind, hubId), head ? eq(table.id, head) : undefined))
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(1)
    return row
  })
}

interface SaveInput {
  content: unknown
  hubId: string | null
  /** The revision it is based on; null if there was none. */
  parentId: string | null
  note?: string | undefined
}

/**
 * Creates a revision on top of the draft.
 * @throws {AppError} `forbidden`, `invalid`, or `stale` if the draft is no longer the one it is based on; `meta` has both
 */
export async function saveRevision(ctx: Ctx, kind: RevisionKind, input: SaveInput): Promise<RevisionRow> {
  const { hubId, parentId } = input
  requireScopeAccess(ctx, hubId)
  const content = kind.read(ctx, input.content)
  if (JSON.stringify(content).length > MAX_BYTES) {
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer: '/content', values: { max: MAX_BYTES } }] })
  }
  const { table } = kind
  return ctx.db.tx(async (tx) => {
    const inside = withTx(ctx, tx)
    const draft = await findDraftRevision(inside, kind, hubId)
    const id = createId()
    const moved = (draft?.id ?? null) === parentId && (await moveHead(inside, tx, kind, hubId, parentId, id))
    if (!moved) {
      const current = await findDraftRevision(inside, kind, hubId)
      throw new AppError('stale', {
        meta: { yours: { content, parent: parentId }, current: current ? { id: current.id, content: current.content } : null },
      })
    }
    const [row] = await tx
      .insert(table)
      .values({
        siteId: ctx.site.id,
        id,
        hubId,
        parentId,
        content,
        note: input.note ?? '',
        createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
        createdAt: ctx.now(),
      })
      .returning()
    if (!row) throw new AppError('conflict')
    return row
  })
}

export interface Publication {
  /** ISO 8601; now unless it is in the future. */
  publishAt?: string | null | undefined
  /** Names of obstacles that are knowingly left. */
  waived?: readonly string[] | undefined
}

/**
 * Publishes a revision, now or at its time.
 * @throws {AppError} `forbidden`; `invalid` with everything that prevents it; or `conflict` for scheduling a revision that has been
 * published already: it would disappear from the site until then
 */
export async function publishRevision(ctx: Ctx, kind: RevisionKind, row: RevisionRow, input: Publication): Promise<RevisionRow> {
  requireScopeAccess(ctx, row.hubId)
  const waived = new Set(input.waived ?? [])
  const left = kind.obstacles(ctx, row.content)
  const faults = left.filter(({ name }) => name === undefined || !waived.has(name))
  if (faults.length) {
    throw new AppError('invalid', {
      faults: faults.map(({ name, ...fault }) => ({ ...fault, values: { ...fault.values, ...(name ? { name } : {}) } })),
    })
  }
  const now = ctx.now()
  requireFutureMoment(ctx, input.publishAt ? new Date(input.publishAt) : null, '/publishAt')
  const at = input.publishAt && new Date(input.publishAt) > now ? new Date(input.publishAt) : now
  const isNow = at <= now
  if (!isNow && row.publishedAt && row.publishedAt <= now) throw new AppError('conflict')
  return ctx.db.tx(async (tx) => {
    const [published] = await tx
      .update(kind.table)
      .set({
        publishedAt: at,
        publishedBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
        announcedAt: isNow ? now : null,
        waived: left.flatMap(({ name }) => (name ? [name] : [])),
      })
      .where(and(eq(kind.table.siteId, ctx.site.id), eq(kind.table.id, row.id)))
      .returning()
    if (!published) throw new AppError('not-found')
    await recordRevisionChange(ctx, tx, kind, published, isNow ? 'publish' : 'schedule', { at: at.toISOString(), waived: published.waived })
    if (isNow) await announceChange(ctx, tx, kind, row.hubId)
    return published
  })
}

/**
 * Cancels a scheduled publication, or withdraws the current one: the previous one is published again.
 * @throws {AppError} `forbidden`, or `conflict` if another revision has been published since
 */
export async function withdrawRevision(ctx: Ctx, kind: RevisionKind, row: RevisionRow): Promise<void> {
  requireScopeAccess(ctx, row.hubId)
  await ctx.db.tx(async (tx) => {
    const inside = withTx(ctx, tx)
    const isAhead = row.publishedAt !== null && row.publishedAt > ctx.now()
    if (!isAhead && (await findPublishedRevision(inside, kind, row.hubId))?.id !== row.id) throw new AppError('conflict')
    await tx
      .update(kind.table)
      .set({ publishedAt: null, publishedBy: null, announcedAt: null })
      .where(and(eq(kind.table.siteId, ctx.site.id), eq(kind.table.id, row.id)))
    await recordRevisionChange(ctx, tx, kind, row, isAhead ? 'unschedule' : 'withdraw', {})
    if (!isAhead) await announceChange(ctx, tx, kind, row.hubId)
  })
}

/** Refreshes every site's pages after a scheduled revision becomes public. @returns number of such revisions */
export function announceDueRevisions(runtime: Runtime, kinds: readonly RevisionKind[]): Promise<number> {
  return runOnEachSite(runtime, async (ctx) => {
    let announced = 0
    for (const kind of kinds) {
      announced += await ctx.db.tx(async (tx) => {
        const due = await tx
          .update(kind.table)
          .set({ announcedAt: ctx.now() })
          .where(and(eq(kind.table.siteId, ctx.site.id), isPublished(ctx, kind), isNull(kind.table.announcedAt)))
          .returning()
        for (const row of due) {
          await recordRevisionChange(ctx, tx, kind, row, 'publish', { at: row.publishedAt?.toISOString() })
          await announceChange(ctx, tx, kind, row.hubId)
        }
        return due.length
      })
    }
    return announced
  })
}

async function announceChange(ctx: Ctx, tx: Tx, kind: RevisionKind, hubId: string | null): Promise<void> {
  await kind.onChange?.(ctx, tx, await findPublishedRevision(withTx(ctx, tx), kind, hubId))
  await markContentChanged(tx, ctx.site.id)
}

const recordRevisionChange = (
  ctx: Ctx,
  tx: Tx,
  kind: RevisionKind,
  row: RevisionRow,
  act: 'publish' | 'schedule' | 'unschedule' | 'withdraw',
  detail: Record<string, unknown>,
) =>
  recordAudit(ctx, tx, {
    action: `${kind.subject}.${act}`,
    subject: { type: `${kind.subject}-revisions`, id: row.id },
    hubId: row.hubId,
    detail,
  })

const isHeadOf = (ctx: Ctx, kind: RevisionKind, hubId: string | null) =>
  and(eq(revisionHeads.siteId, ctx.site.id), eq(revisionHeads.subject, kind.subject), eq(revisionHeads.scopeId, hubId ?? ctx.site.id))

async function loadHead(ctx: Ctx, tx: Tx, kind: RevisionKind, hubId: string | null): Promise<string | null> {
  const [head] = await tx
    .select({ draftId: revisionHeads.draftId })
    .from(revisionHeads)
    .where(isHeadOf(ctx, kind, hubId))
  return head?.draftId ?? null
}

/** Moves the draft on from `parentId` unless somebody else did so first: of two concurrent saves one wins, at any isolation level. */
async function moveHead(ctx: Ctx, tx: Tx, kind: RevisionKind, hubId: string | null, parentId: string | null, id: string): Promise<boolean> {
  await tx
    .insert(revisionHeads)
    .values({ siteId: ctx.site.id, subject: kind.subject, scopeId: hubId ?? ctx.site.id, draftId: parentId })
    .onConflictDoNothing()
  const moved = await tx
    .update(revisionHeads)
    .set({ draftId: id, updatedAt: ctx.now() })
    .where(and(isHeadOf(ctx, kind, hubId), sql`${revisionHeads.draftId} is not distinct from ${parentId}::uuid`))
    .returning({ id: revisionHeads.draftId })
  return moved.length > 0
}
