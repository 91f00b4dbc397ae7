import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { isHeadOf, type RevisionKind, type RevisionRow } from './revisions.server.ts'

/** Content as rows hold it: what is published, once others see it; until then the draft. */
export interface StoredContent<Content> {
  id: string
  content: Content
  /** Whether others see it, so that it only changes by being published. */
  isShown: boolean
  updatedAt: Date
  /** When it was first published; null if that is not known. */
  publishedAt: Date | null
}

/** Content whose published version is also stored in rows of its own, which pages read: of projects and of activities. */
export interface StoredKind<Content extends object> {
  history: Pick<RevisionKind, 'subject' | 'table'>
  read: (stored: unknown) => Content
  findDiffering: (before: Content, after: Content) => readonly string[]
  /** @throws {AppError} `not-found` */
  load: (ctx: Ctx, tx: Tx, id: string | null) => Promise<StoredContent<Content>>
  store: (ctx: Ctx, tx: Tx, id: string, content: Content) => Promise<void>
  /** A draft with a direct change of what is published. */
  takeChange: (draft: Content, before: Content, after: Content) => Content
}

export type Head = typeof revisionHeads.$inferSelect

const NO_REVIEW = { reviewRequestedAt: null, reviewRequestedBy: null }

export const findViewerId = ({ viewer }: Ctx) => (viewer.kind === 'user' ? viewer.id : null)

type History = StoredKind<object>['history']

/** The draft, locked before the rows, so that two writers wait for each other and never deadlock. */
async function lockHead(ctx: Ctx, tx: Tx, history: History, id: string): Promise<Head> {
  await tx.insert(revisionHeads).values({ siteId: ctx.site.id, subject: history.subject, scopeId: id }).onConflictDoNothing()
  const [head] = await tx
    .select()
    .from(revisionHeads)
    .where(isHeadOf(ctx, history, id))
    .for('update')
  if (!head) throw new AppError('conflict')
  return head
}

async function updateHead(ctx: Ctx, tx: Tx, history: History, id: string, to: Partial<Head>): Promise<void> {
  await tx
    .update(revisionHeads)
    .set(to)
    .where(isHeadOf(ctx, history, id))
}

async function deleteHead(ctx: Ctx, tx: Tx, history: History, id: string): Promise<void> {
  await tx.delete(revisionHeads).where(isHeadOf(ctx, history, id))
}

interface AddedRevision {
  placeId: string
  content: object
  parentId?: string | null
  createdAt: Date
  publishedAt?: Date
  by?: string | null
}

async function addRevision(ctx: Ctx, tx: Tx, { table }: History, added: AddedRevision): Promise<string> {
  const { placeId, content, parentId, createdAt, publishedAt, by = null } = added
  const id = createId()
  await tx.insert(table).values({
    siteId: ctx.site.id,
    id,
    placeId,
    parentId: parentId ?? null,
    content,
    createdBy: by,
    createdAt,
    ...(publishedAt && { publishedAt, publishedBy: by, announcedAt: publishedAt }),
  })
  return id
}

/** Keeps what was published before versions were, so that it can be restored. @returns id of that version, if there was none yet */
async function keepFirstPublished(ctx: Ctx, tx: Tx, history: History, stored: StoredContent<object>): Promise<string | undefined> {
  const { id: placeId, content, updatedAt, publishedAt } = stored
  const { table } = history
  const [published] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.siteId, ctx.site.id), eq(table.placeId, placeId), sql`${table.publishedAt} is not null`))
    .limit(1)
  if (published) return undefined
  return addRevision(ctx, tx, history, { placeId, content, createdAt: updatedAt, publishedAt: publishedAt ?? updatedAt })
}

/**
 * Keeps versions and rows together. As long as nobody else sees the content, each saved version is stored; from then on, the published one is,
 * and the newest one is a draft of changes.
 */
export function createStoredHistory<Content extends object>(kind: StoredKind<Content>) {
  const { history, read, findDiffering, load, store, takeChange } = kind
  const { table } = history

  async function loadRevisionContent(ctx: Ctx, tx: Tx, id: string | null): Promise<Content | undefined> {
    if (id === null) return undefined
    const [row] = await tx
      .select({ content: table.content })
      .from(table)
      .where(and(eq(table.siteId, ctx.site.id), eq(table.id, id)))
    return row && read(row.content)
  }

  return {
    lockHead: (ctx: Ctx, tx: Tx, id: string) => lockHead(ctx, tx, history, id),
    updateHead: (ctx: Ctx, tx: Tx, id: string, to: Partial<Head>) => updateHead(ctx, tx, history, id, to),
    deleteHead: (ctx: Ctx, tx: Tx, id: string) => deleteHead(ctx, tx, history, id),

    /** The draft of changes; undefined if nobody has edited the content yet. */
    loadDraftContent: async (ctx: Ctx, tx: Tx, id: string): Promise<Content | undefined> => {
      const [head] = await tx
        .select({ draftId: revisionHeads.draftId })
        .from(revisionHeads)
        .where(isHeadOf(ctx, history, id))
      return loadRevisionContent(ctx, tx, head?.draftId ?? null)
    },

    /** The drafts of changes of everything on the site that somebody has edited, by what they belong to. */
    loadDraftContents: async (ctx: Ctx, tx: Tx): Promise<Map<string, Content>> => {
      const rows = await tx
        .select({ id: revisionHeads.scopeId, content: table.content })
        .from(revisionHeads)
        .innerJoin(table, and(eq(table.siteId, revisionHeads.siteId), eq(table.id, revisionHeads.draftId)))
        .where(and(eq(revisionHeads.siteId, ctx.site.id), eq(revisionHeads.subject, history.subject)))
      return new Map(rows.map(({ id, content }) => [id, read(content)]))
    },

    /** For `RevisionKind.onSave`. */
    onSave: async (ctx: Ctx, tx: Tx, saved: RevisionRow): Promise<void> => {
      const stored = await load(ctx, tx, saved.placeId)
      const content = read(saved.content)
      if (!stored.isShown) return store(ctx, tx, stored.id, content)
      await keepFirstPublished(ctx, tx, history, stored)
      const hasChanges = findDiffering(stored.content, content).length > 0
      await updateHead(ctx, tx, history, stored.id, { hasChanges, ...(hasChanges ? {} : NO_REVIEW) })
    },

    /** For `RevisionKind.onChange`. */
    onChange: async (ctx: Ctx, tx: Tx, published: RevisionRow | undefined): Promise<void> => {
      // What others see always says something: taking it off the site is another act.
      if (!published) throw new AppError('conflict')
      const id = published.placeId ?? ''
      const head = await lockHead(ctx, tx, history, id)
      await store(ctx, tx, id, read(published.content))
      const { content } = await load(ctx, tx, id)
      const draft = await loadRevisionContent(ctx, tx, head.draftId)
      const hasChanges = draft !== undefined && findDiffering(content, draft).length > 0
      await updateHead(ctx, tx, history, id, { hasChanges, ...NO_REVIEW })
    },

    /**
     * Takes a direct change of the rows, by the API, into the versions: as a published one if others see the content, and into the draft, so
     * that publishing the draft does not undo it.
     */
    keepDirectChange: async (ctx: Ctx, tx: Tx, before: StoredContent<Content>, head: Head): Promise<void> => {
      const { id: placeId, content } = await load(ctx, tx, before.id)
      if (!findDiffering(before.content, content).length) return
      const own = { placeId, createdAt: ctx.now(), by: findViewerId(ctx) }
      const { draftId: parentId } = head
      if (!before.isShown)
        return updateHead(ctx, tx, history, placeId, { draftId: await addRevision(ctx, tx, history, { ...own, content, parentId }) })
      await keepFirstPublished(ctx, tx, history, before)
      const published = await addRevision(ctx, tx, history, { ...own, content, parentId, publishedAt: ctx.now() })
      if (!head.hasChanges) return updateHead(ctx, tx, history, placeId, { draftId: published })
      const draft = takeChange((await loadRevisionContent(ctx, tx, head.draftId)) ?? content, before.content, content)
      const draftId = await addRevision(ctx, tx, history, { ...own, content: draft, parentId: published })
      const hasChanges = findDiffering(content, draft).length > 0
      await updateHead(ctx, tx, history, placeId, { draftId, hasChanges, ...(hasChanges ? {} : NO_REVIEW) })
    },

    /** Marks in the history what is said when it is published as a whole. */
    keepPublication: async (ctx: Ctx, tx: Tx, placeId: string, waived: readonly string[]): Promise<void> => {
      const head = await lockHead(ctx, tx, history, placeId)
      const { content } = await load(ctx, tx, placeId)
      const now = ctx.now()
      const by = findViewerId(ctx)
      const id = head.draftId ?? (await addRevision(ctx, tx, history, { placeId, content, createdAt: now, by }))
      await updateHead(ctx, tx, history, placeId, { draftId: id })
      await tx
        .update(table)
        .set({ publishedAt: now, publishedBy: by, announcedAt: now, waived: [...waived] })
        .where(and(eq(table.siteId, ctx.site.id), eq(table.id, id)))
    },

    /** Stores the draft of changes when the content is taken off the site: then nothing about it is public. */
    adoptDraft: async (ctx: Ctx, tx: Tx, id: string): Promise<void> => {
      const head = await lockHead(ctx, tx, history, id)
      const first = await keepFirstPublished(ctx, tx, history, await load(ctx, tx, id))
      const draft = head.hasChanges ? await loadRevisionContent(ctx, tx, head.draftId) : undefined
      if (draft) await store(ctx, tx, id, draft)
      await updateHead(ctx, tx, history, id, { draftId: head.draftId ?? first ?? null, hasChanges: false, ...NO_REVIEW })
    },
  }
}
