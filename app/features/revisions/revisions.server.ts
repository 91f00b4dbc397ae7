import { and, desc, eq, getTableColumns, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type homepageRevisions, revisionHeads } from '#app/server/db/schema/homepage.ts'
import { listTextGaps, recordSourceChanges } from '#app/server/translations.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import { requireFutureMoment } from '#app/server/require-future-moment.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { EditedPlace, RevisedPlace } from './draft.schema.ts'
import { type ContentPlace, requireContentEditor, requireContentPublisher } from './revisions.policy.server.ts'

/**
 * Versions of a site's own pages, its look and its projects. A revision never changes: saving creates a new one on top of the draft,
 * restoring creates a new one from an old one. The published one is the one with the latest publication time that has passed.
 */
export type RevisionRow = typeof homepageRevisions.$inferSelect

export interface RevisionChange {
  row: RevisionRow
  act: 'publish' | 'schedule' | 'unschedule' | 'withdraw'
  place: ContentPlace
  detail: Record<string, unknown>
}

/** Where the versions of one kind of content are. */
export interface RevisionHistory {
  subject: EditedPlace['subject']
  table: typeof homepageRevisions
  /** Hook for what belongs to versions that have been deleted. */
  onThin?(ctx: Ctx, tx: Tx): Promise<void>
}

export interface RevisionKind extends RevisionHistory {
  subject: RevisedPlace['subject']
  /** Validates content for storage, or throws an `invalid` that names its faults. Pointers begin with `/content`. */
  read(ctx: Ctx, content: unknown): unknown
  /** What is stored of valid content, for content that depends on its place. Throws as `read` does. */
  prepare?(ctx: Ctx, tx: Tx, content: unknown, placeId: string | null): Promise<unknown>
  /** Its texts in several languages, with pointers into the content. */
  texts?(content: unknown): readonly TranslatedText[]
  /** What else prevents publishing, unless it is waived by name. */
  obstacles?(ctx: Ctx, content: unknown, placeId: string | null): readonly Obstacle[] | Promise<readonly Obstacle[]>
  /** Writes to the audit trail what is about to happen to the published content. */
  recordChange(ctx: Ctx, tx: Tx, change: RevisionChange): Promise<void>
  /** Hook for what depends on the draft. */
  onSave?(ctx: Ctx, tx: Tx, saved: RevisionRow): Promise<void>
  /** Hook for things other than stored pages that depend on what is published. */
  onChange?(ctx: Ctx, tx: Tx, published: RevisionRow | undefined): Promise<void>
  /** Asks somebody who may publish to look at the draft; for content that some of its editors may not publish. */
  requestReview?(ctx: Ctx, tx: Tx, row: RevisionRow, place: ContentPlace): Promise<void>
}

export interface Obstacle extends Fault {
  /** The name to waive it by; an obstacle without one cannot be waived. */
  name?: string
}

const MAX_BYTES = 1_000_000

const isOfPlace = (ctx: Ctx, { table }: RevisionKind, placeId: string | null): SQL | undefined =>
  and(eq(table.siteId, ctx.site.id), placeId ? eq(table.placeId, placeId) : isNull(table.placeId))

/** Condition for a published revision of any place. */
export const isPublished = (ctx: Ctx, { table }: Pick<RevisionHistory, 'table'>): SQL | undefined =>
  and(isNotNull(table.publishedAt), lte(table.publishedAt, ctx.now()))

/** What visitors see; undefined if nothing was published. */
export async function findPublishedRevision(ctx: Ctx, kind: RevisionKind, placeId: string | null): Promise<RevisionRow | undefined> {
  const { table } = kind
  const [row] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(table)
      .where(and(isOfPlace(ctx, kind, placeId), isPublished(ctx, kind)))
      .orderBy(desc(table.publishedAt), desc(table.id))
      .limit(1),
  )
  return row
}

/** The newest revision, which is the draft. */
export async function findDraftRevision(ctx: Ctx, kind: RevisionKind, placeId: string | null): Promise<RevisionRow | undefined> {
  const { table } = kind
  return ctx.db.read(async (tx) => {
    const head = await loadHead(ctx, tx, kind, placeId)
    const [row] = await tx
      .select()
      .from(table)
      .where(and(isOfPlace(ctx, kind, placeId), head ? eq(table.id, head) : undefined))
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(1)
    return row
  })
}

/** The drafts of one kind, at every place of the site that has one. */
export const loadDraftRevisions = (ctx: Ctx, { table, subject }: RevisionKind): Promise<RevisionRow[]> =>
  ctx.db.read((tx) =>
    tx
      .selectDistinctOn([table.placeId], getTableColumns(table))
      .from(table)
      .leftJoin(
        revisionHeads,
        and(
          eq(revisionHeads.siteId, table.siteId),
          eq(revisionHeads.subject, subject),
          eq(revisionHeads.scopeId, sql`coalesce(${table.placeId}, ${table.siteId})`),
          eq(revisionHeads.draftId, table.id),
        ),
      )
      .where(eq(table.siteId, ctx.site.id))
      .orderBy(table.placeId, sql`${revisionHeads.draftId} is null`, desc(table.createdAt), desc(table.id)),
  )

interface SaveInput {
  content: unknown
  placeId: string | null
  /** The revision it is based on; null if there was none. */
  parentId: string | null
  note?: string | undefined
}

/**
 * Creates a revision on top of the draft.
 * @throws {AppError} `forbidden`, `invalid`, or `stale` if the draft is no longer the one it is based on; `meta` has both
 */
export async function saveRevision(ctx: Ctx, kind: RevisionKind, input: SaveInput): Promise<RevisionRow> {
  const { placeId, parentId } = input
  await requireContentEditor(ctx, kind.subject, placeId)
  const read = kind.read(ctx, input.content)
  if (JSON.stringify(read).length > MAX_BYTES) {
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer: '/content', values: { max: MAX_BYTES } }] })
  }
  const { table } = kind
  return ctx.db.tx(async (tx) => {
    const inside = withTx(ctx, tx)
    const content = kind.prepare ? await kind.prepare(inside, tx, read, placeId) : read
    const draft = await findDraftRevision(inside, kind, placeId)
    const id = createId()
    const moved = (draft?.id ?? null) === parentId && (await moveHead(inside, tx, kind, placeId, parentId, id))
    if (!moved) {
      const current = await findDraftRevision(inside, kind, placeId)
      throw new AppError('stale', {
        meta: { yours: { content, parent: parentId }, current: current ? { id: current.id, content: current.content } : null },
      })
    }
    const [row] = await tx
      .insert(table)
      .values({
        siteId: ctx.site.id,
        id,
        placeId,
        parentId,
        content,
        note: input.note ?? '',
        createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
        createdAt: ctx.now(),
      })
      .returning()
    if (!row) throw new AppError('conflict')
    if (kind.texts && draft) await recordSourceChanges(ctx, tx, placeId ?? ctx.site.id, kind.texts(draft.content), kind.texts(content))
    await kind.onSave?.(ctx, tx, row)
    return row
  })
}

export interface Publication {
  /** ISO 8601; now unless it is in the future. */
  publishAt?: string | null | undefined
  /** Names of obstacles that are knowingly left. */
  waived?: readonly string[] | undefined
  /** Only requests a review, also by those who may publish. */
  asksOnly?: boolean | undefined
}

/**
 * Publishes a revision, now or at its time; for those who may only ask or want to, requests a review.
 * @throws {AppError} `forbidden`; `invalid` with everything that prevents it; or `conflict` for scheduling a revision that has been
 * published already: it would disappear from the site until then
 */
export async function publishRevision(ctx: Ctx, kind: RevisionKind, row: RevisionRow, input: Publication): Promise<RevisionRow> {
  const { place, mustAsk } = await requireContentPublisher(ctx, kind.subject, row.placeId)
  const waived = new Set(input.waived ?? [])
  const left = await listObstacles(ctx, kind, row)
  const faults = left.filter(({ name }) => name === undefined || !waived.has(name))
  if (faults.length) {
    throw new AppError('invalid', {
      faults: faults.map(({ name, ...fault }) => ({ ...fault, values: { ...fault.values, ...(name ? { name } : {}) } })),
    })
  }
  if (mustAsk || input.asksOnly) return ctx.db.tx(async (tx) => (await kind.requestReview?.(ctx, tx, row, place), row))
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
    const detail = { at: at.toISOString(), waived: published.waived }
    await kind.recordChange(ctx, tx, { row: published, act: isNow ? 'publish' : 'schedule', place, detail })
    if (isNow) await announceChange(ctx, tx, kind, row.placeId)
    return published
  })
}

async function listObstacles(ctx: Ctx, kind: RevisionKind, row: RevisionRow): Promise<readonly Obstacle[]> {
  const others = (await kind.obstacles?.(ctx, row.content, row.placeId)) ?? []
  if (!kind.texts) return others
  const gaps = await ctx.db.read((tx) => listTextGaps(ctx, tx, row.placeId ?? ctx.site.id, kind.texts?.(row.content) ?? []))
  return [
    ...others,
    ...gaps.map(({ code, name, pointer, language }) => ({ code, name, pointer: `/content${pointer}`, values: { language } })),
  ]
}

/**
 * Cancels a scheduled publication, or withdraws the current one: the previous one is published again.
 * @throws {AppError} `forbidden`, or `conflict` if another revision has been published since
 */
export async function withdrawRevision(ctx: Ctx, kind: RevisionKind, row: RevisionRow): Promise<void> {
  const { place, mustAsk } = await requireContentPublisher(ctx, kind.subject, row.placeId)
  if (mustAsk) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const inside = withTx(ctx, tx)
    const isAhead = row.publishedAt !== null && row.publishedAt > ctx.now()
    if (!isAhead && (await findPublishedRevision(inside, kind, row.placeId))?.id !== row.id) throw new AppError('conflict')
    await tx
      .update(kind.table)
      .set({ publishedAt: null, publishedBy: null, announcedAt: null })
      .where(and(eq(kind.table.siteId, ctx.site.id), eq(kind.table.id, row.id)))
    await kind.recordChange(ctx, tx, { row, act: isAhead ? 'unschedule' : 'withdraw', place, detail: {} })
    if (!isAhead) await announceChange(ctx, tx, kind, row.placeId)
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
          const detail = { at: row.publishedAt?.toISOString() }
          await kind.recordChange(ctx, tx, { row, act: 'publish', place: { hubId: row.placeId }, detail })
          await announceChange(ctx, tx, kind, row.placeId)
        }
        return due.length
      })
    }
    return announced
  })
}

async function announceChange(ctx: Ctx, tx: Tx, kind: RevisionKind, placeId: string | null): Promise<void> {
  await kind.onChange?.(ctx, tx, await findPublishedRevision(withTx(ctx, tx), kind, placeId))
}

/** Records changes of a page of blocks or of the look. */
export const createPageRecorder =
  (subject: 'homepage' | 'appearance'): RevisionKind['recordChange'] =>
  (ctx, tx, { row, act, place, detail }) =>
    recordAudit(ctx, tx, { action: `${subject}.${act}`, subject: { type: `${subject}-revisions`, id: row.id }, ...place, detail })

export const isHeadOf = (ctx: Ctx, kind: Pick<RevisionKind, 'subject'>, placeId: string | null) =>
  and(eq(revisionHeads.siteId, ctx.site.id), eq(revisionHeads.subject, kind.subject), eq(revisionHeads.scopeId, placeId ?? ctx.site.id))

async function loadHead(ctx: Ctx, tx: Tx, kind: RevisionKind, placeId: string | null): Promise<string | null> {
  const [head] = await tx
    .select({ draftId: revisionHeads.draftId })
    .from(revisionHeads)
    .where(isHeadOf(ctx, kind, placeId))
  return head?.draftId ?? null
}

/** Moves the draft on from `parentId` unless somebody else did so first: of two concurrent saves one wins, at any isolation level. */
async function moveHead(
  ctx: Ctx,
  tx: Tx,
  kind: RevisionKind,
  placeId: string | null,
  parentId: string | null,
  id: string,
): Promise<boolean> {
  await tx
    .insert(revisionHeads)
    .values({ siteId: ctx.site.id, subject: kind.subject, scopeId: placeId ?? ctx.site.id, draftId: parentId })
    .onConflictDoNothing()
  const moved = await tx
    .update(revisionHeads)
    .set({ draftId: id, updatedAt: ctx.now() })
    .where(and(isHeadOf(ctx, kind, placeId), sql`${revisionHeads.draftId} is not distinct from ${parentId}::uuid`))
    .returning({ id: revisionHeads.draftId })
  return moved.length > 0
}
