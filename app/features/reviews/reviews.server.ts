import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { type PermissionTarget, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { listPermittedPeople } from '#app/features/permissions/permitted-people.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { ListResult } from '#app/server/api/implement.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import type { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { mailReturn, mailReviewRequest } from './review-mails.server.ts'

/** The request for a review of a draft, as it is stored; without a time if there is none. */
interface StoredRequest {
  requestedAt: Date | null
  requestedBy: string | null
}

/** One kind of draft that a colleague looks at before it is published. */
export interface ReviewedKind {
  thing: 'report' | 'survey' | 'activity'
  /** What the audit trail says the acts are about. */
  type: 'projects' | 'surveys' | 'activities'
  acts: Record<'request' | 'withdraw' | 'return', AuditAction>
  /** Acts that make the draft public, which is how a review is approved. */
  publications: readonly AuditAction[]
  revisions: typeof homepageRevisions
  /** All of the site: `id`, `project_id`, `title`, `is_public`, `draft_id`, `asked_at` and `asker_id`. */
  selectDrafts: (ctx: Ctx) => SQL
  /** Who sees reviews, and who is asked for one. */
  edit: Action
  publish: Action
  mayPublish: (viewer: Viewer, draft: Pick<DraftReview, 'projectId' | 'hubId' | 'publishedAt' | 'isPublic'>) => boolean
  /** Locks the request until the transaction ends; undefined if it was never edited. */
  lockRequest: (ctx: Ctx, tx: Tx, id: string) => Promise<StoredRequest | undefined>
  storeRequest: (ctx: Ctx, tx: Tx, id: string, request: StoredRequest) => Promise<void>
  /** The error for the person who asked and would decide about their own request. */
  refusesOwnBy: ErrorCode
  /** API tokens cannot decide about it. */
  isForPeople?: boolean
  buildPath: (review: Pick<DraftReview, 'id' | 'projectId'>) => string
}

const NO_REQUEST: StoredRequest = { requestedAt: null, requestedBy: null }

/** The latest request for a review of a draft, and what became of it. */
export interface DraftReview {
  /** Of what the draft is of; of a report, its project's. */
  id: string
  projectId: string
  hubId: string | null
  /** When its project was first published. */
  publishedAt: Date | null
  title: Translated
  /** Something of it is public, so that the draft is of changes. */
  isPublic: boolean
  isWaiting: boolean
  revisionId: string | null
  askedAt: Date | null
  askerId: string | null
  askedBy: string | null
  changedAt: Date | null
  changedBy: string | null
  returnedAt: Date | null
  returnedBy: string | null
  returnReason: string | null
}

interface ReviewRow extends Record<string, unknown> {
  id: string
  project_id: string
  hub_id: string | null
  published_at: string | null
  title: Translated
  is_public: boolean
  revision_id: string | null
  asked_at: string | null
  asker_id: string | null
  asked_by: string | null
  changed_at: string | null
  changed_by: string | null
  returned_at: string | null
  returned_by: string | null
  reason: string | null
}

const toDate = (at: string | null): Date | null => (at === null ? null : new Date(at))

/** What became of a request is known from the audit trail, until it is asked for again or published. */
async function selectReviews(
  ctx: Ctx,
  tx: Tx,
  kind: ReviewedKind,
  { where, isWaiting }: { where?: SQL | undefined; isWaiting?: boolean },
): Promise<DraftReview[]> {
  const { acts, publications } = kind
  const isAct = sql.join(
    [...Object.values(acts), ...publications].map((act) => sql`${act}`),
    sql`, `,
  )
  const isReturned = sql`last.action = ${acts.return}`
  const { rows } = await tx.execute<ReviewRow>(sql`
    select draft.id, draft.project_id, ${projects.hubId} as hub_id, ${projects.publishedAt} as published_at, draft.title, draft.is_public,
      draft.draft_id as revision_id, draft.asked_at, draft.asker_id, asker.login as asked_by,
      newer.created_at as changed_at, changer.login as changed_by,
      case when ${isReturned} then last.at end as returned_at, returner.login as returned_by,
      case when ${isReturned} then last.detail ->> 'reason' end as reason
    from (${kind.selectDrafts(ctx)}) draft
    join ${projects} on ${projects.siteId} = ${ctx.site.id} and ${projects.id} = draft.project_id
    left join lateral (
      select e.* from audit_events e where e.site_id = ${ctx.site.id} and e.subject_id = draft.id and e.action in (${isAct})
      order by e.sequence desc limit 1) last on true
    left join ${kind.revisions} newer on newer.site_id = ${ctx.site.id} and newer.id = draft.draft_id and draft.asked_at is not null
      and last.action = ${acts.request} and last.detail ->> 'revision' is distinct from draft.draft_id::text
    left join ${users} asker on asker.site_id = ${ctx.site.id} and asker.id = draft.asker_id
    left join ${users} changer on changer.site_id = ${ctx.site.id} and changer.id = newer.created_by
    left join ${users} returner on returner.site_id = ${ctx.site.id} and returner.id = last.actor_id and ${isReturned}
    where ${and(
      isWaiting === true
        ? sql`draft.asked_at is not null`
        : isWaiting === false
          ? sql`draft.asked_at is null and ${isReturned}`
          : sql`(draft.asked_at is not null or ${isReturned})`,
      scopeWhere(ctx.viewer, kind.edit, { hub: projects.hubId, project: projects.id }),
      where,
    )}
    order by draft.asked_at, draft.id limit 500`)
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    hubId: row.hub_id,
    publishedAt: toDate(row.published_at),
    title: row.title,
    isPublic: row.is_public,
    isWaiting: row.asked_at !== null,
    revisionId: row.revision_id,
    askedAt: toDate(row.asked_at),
    askerId: row.asker_id,
    askedBy: row.asked_by,
    changedAt: toDate(row.changed_at),
    changedBy: row.changed_by,
    returnedAt: toDate(row.returned_at),
    returnedBy: row.returned_by,
    returnReason: row.reason,
  }))
}

const isOneOf = (ids: readonly string[]): SQL => sql`draft.id = any (${sql.param([...ids])}::uuid[])`

const loadReviews = (ctx: Ctx, kind: ReviewedKind, ids: readonly string[]): Promise<DraftReview[]> =>
  ctx.db.read((tx) => selectReviews(ctx, tx, kind, { where: isOneOf(ids) }))

interface ReviewsQuery {
  /** Of what the draft is of. */
  id?: string | undefined
  project?: string | undefined
  waiting?: boolean | undefined
  page: { offset: number; limit: number }
}

export async function listReviews(
  ctx: Ctx,
  kind: ReviewedKind,
  { id, project, waiting, page }: ReviewsQuery,
): Promise<ListResult<DraftReview>> {
  const where = and(id === undefined ? undefined : isOneOf([id]), project === undefined ? undefined : eq(projects.id, project))
  const rows = await ctx.db.read((tx) => selectReviews(ctx, tx, kind, { where, ...(waiting !== undefined && { isWaiting: waiting }) }))
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

/** What a resource shows of a review. */
const toReviewAttributes = (review: DraftReview) => ({
  status: review.isWaiting ? ('in_review' as const) : ('returned' as const),
  askedAt: review.askedAt,
  askedBy: review.askedBy,
  changedAt: review.changedAt,
  changedBy: review.changedBy,
  returnedAt: review.returnedAt,
  returnedBy: review.returnedBy,
  returnReason: review.returnReason,
})

/** May approve it, by publishing it, or return it. */
export function mayReview(ctx: Ctx, kind: ReviewedKind, review: DraftReview): boolean {
  const own = findOwnId(ctx)
  return review.isWaiting && kind.mayPublish(ctx.viewer, review) && own !== undefined && own !== review.askerId
}

/** May end the request, as the person who made it. */
const mayWithdraw = (ctx: Ctx, { isWaiting, askerId }: DraftReview): boolean => isWaiting && askerId === findOwnId(ctx)

/** @throws {AppError} for the person who asked, and for a program where only people decide */
export function requireOtherPerson(ctx: Ctx, kind: ReviewedKind, askedBy: string | null): void {
  const own = findOwnId(ctx)
  const isProgram = ctx.viewer.kind === 'user' && ctx.viewer.apiToken !== undefined
  if (own === undefined || own === askedBy || (kind.isForPeople && isProgram)) throw new AppError(kind.refusesOwnBy)
}

interface Draft {
  /** Of what the draft is of. */
  id: string
  revisionId: string | null
  title: Translated
  project: { id: string; hubId: string | null; publishedAt: Date | null; title: Translated }
}

const toTarget = ({ id, hubId, publishedAt }: Draft['project']): PermissionTarget => ({
  hubId,
  projectId: id,
  everPublished: publishedAt !== null,
})

/** Asks those who may publish a draft to look at it; they are told. The caller has checked that it can be published. @throws {AppError} `conflict` if it waits already */
export async function requestReview(ctx: Ctx, tx: Tx, kind: ReviewedKind, { id, revisionId, title, project }: Draft): Promise<void> {
  if ((await kind.lockRequest(ctx, tx, id))?.requestedAt) throw new AppError('conflict')
  await kind.storeRequest(ctx, tx, id, { requestedAt: ctx.now(), requestedBy: findOwnId(ctx) ?? null })
  await recordAct(ctx, tx, kind, 'request', { id, hubId: project.hubId, projectId: project.id, detail: { revision: revisionId } })
  const people = await listPermittedPeople(ctx, tx, kind.publish, toTarget(project))
  const path = kind.buildPath({ id, projectId: project.id })
  await mailReviewRequest(ctx, tx, { thing: kind.thing, title, path, project: project.title, people })
}

/** A published draft no longer waits. @returns for the audit trail, who had asked */
export async function endReview(ctx: Ctx, tx: Tx, kind: ReviewedKind, id: string): Promise<{ asker?: string }> {
  const before = await kind.lockRequest(ctx, tx, id)
  if (!before?.requestedAt) return {}
  await kind.storeRequest(ctx, tx, id, NO_REQUEST)
  return before.requestedBy ? { asker: before.requestedBy } : {}
}

/** Ends the viewer's own request; the draft stays as it is. @throws {AppError} `forbidden` for others; `conflict` if it does not wait any more */
async function withdrawReview(ctx: Ctx, kind: ReviewedKind, review: DraftReview): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const request = await kind.lockRequest(ctx, tx, review.id)
    if (!request?.requestedAt) throw new AppError('conflict')
    if (request.requestedBy !== findOwnId(ctx)) throw new AppError('forbidden')
    await kind.storeRequest(ctx, tx, review.id, NO_REQUEST)
    await recordAct(ctx, tx, kind, 'withdraw', review)
  })
}

/**
 * Returns the draft under review, with a reason that is mailed to the person who requested the review.
 * @throws {AppError} `forbidden`; `conflict` if it does not wait any more; the kind's own refusal for the person who requested it
 */
async function returnReview(ctx: Ctx, kind: ReviewedKind, review: DraftReview, reason: string): Promise<void> {
  if (!kind.mayPublish(ctx.viewer, review)) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const request = await kind.lockRequest(ctx, tx, review.id)
    if (!request?.requestedAt) throw new AppError('conflict')
    requireOtherPerson(ctx, kind, request.requestedBy)
    await kind.storeRequest(ctx, tx, review.id, NO_REQUEST)
    await recordAct(ctx, tx, kind, 'return', { ...review, detail: { reason, asker: request.requestedBy } })
    const { thing, buildPath } = kind
    await mailReturn(ctx, tx, { thing, title: review.title, path: buildPath(review), askerId: request.requestedBy, reason })
  })
}

const recordAct = (
  ctx: Ctx,
  tx: Tx,
  kind: ReviewedKind,
  act: keyof ReviewedKind['acts'],
  { id, hubId, projectId, detail }: Pick<DraftReview, 'id' | 'hubId' | 'projectId'> & { detail?: Record<string, unknown> },
): Promise<void> =>
  recordAudit(ctx, tx, { action: kind.acts[act], subject: { type: kind.type, id }, hubId, projectId, ...(detail && { detail }) })

/** What the resources of all kinds of reviews have in common; each adds how its drafts are listed and asked about, and what they belong to. */
export const createReviewHandlers = (kind: ReviewedKind) => ({
  load: (ctx: Ctx, ids: readonly string[]) => loadReviews(ctx, kind, ids),
  can: (ctx: Ctx, review: DraftReview) => ({ review: mayReview(ctx, kind, review), remove: mayWithdraw(ctx, review) }),
  attributes: toReviewAttributes,
  update: async (ctx: Ctx, review: DraftReview, { returnReason }: { returnReason?: string | null | undefined }) => {
    if (returnReason) await returnReview(ctx, kind, review, returnReason)
  },
  remove: (ctx: Ctx, review: DraftReview) => withdrawReview(ctx, kind, review),
})
