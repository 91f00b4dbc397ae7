import { and, asc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { canSignIn } from '#app/features/accounts/site-admins.server.ts'
import { loadModerationSettings } from '#app/features/contributions/moderation/moderation-settings.server.ts'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { listPermittedPeople } from '#app/features/permissions/permitted-people.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { RevisionKind, RevisionRow } from '#app/features/revisions/revisions.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { heardReportReviewShape } from './report-reviews.api.schema.ts'

/** The latest request for a review of a project's report, and what became of it. */
interface ReportReview {
  /** The project's. */
  id: string
  hubId: string | null
  publishedAt: Date | null
  title: Translated
  isWaiting: boolean
  revisionId: string | null
  askedAt: Date | null
  askerId: string | null
  askedBy: string | null
  returnedAt: Date | null
  returnedBy: string | null
  returnReason: string | null
}

const NO_REVIEW = { reviewRequestedAt: null, reviewRequestedBy: null }

const isHead = (ctx: Ctx, projectId: string) =>
  and(eq(revisionHeads.siteId, ctx.site.id), eq(revisionHeads.subject, 'heard-report'), eq(revisionHeads.scopeId, projectId))

async function lockHead(ctx: Ctx, tx: Tx, projectId: string) {
  const [head] = await tx.select().from(revisionHeads).where(isHead(ctx, projectId)).for('update')
  return head
}

/** A changed or published draft no longer waits. */
export async function endReview(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  await tx
    .update(revisionHeads)
    .set(NO_REVIEW)
    .where(and(isHead(ctx, projectId), isNotNull(revisionHeads.reviewRequestedAt)))
}

/**
 * If the site requires agreement, a draft is published only by a second person, after a review of it was requested.
 * @throws {AppError} `report-needs-agreement` if no review of this draft was requested; `report-agree-other` for the person who requested it
 */
export async function requireAgreement(ctx: Ctx, tx: Tx, { id, placeId }: RevisionRow): Promise<void> {
  const { reportsNeedAgreement } = await loadModerationSettings(tx, ctx.site.id)
  if (!reportsNeedAgreement) return
  const head = await lockHead(ctx, tx, placeId ?? '')
  if (head?.draftId !== id || !head.reviewRequestedAt) throw new AppError('report-needs-agreement')
  requireOtherPerson(ctx, head.reviewRequestedBy)
}

/** A person, not a program, and not the one who asked. */
function requireOtherPerson(ctx: Ctx, askedBy: string | null): void {
  const own = findOwnId(ctx)
  if (own === undefined || own === askedBy || (ctx.viewer.kind === 'user' && ctx.viewer.apiToken)) throw new AppError('report-agree-other')
}

/** Asks those who may publish the project to agree to the draft of its report; they are told. @throws {AppError} `conflict` if it is not the draft, or waits already */
export const requestReportReview: NonNullable<RevisionKind['requestReview']> = async (ctx, tx, row, place) => {
  const projectId = row.placeId ?? ''
  const head = await lockHead(ctx, tx, projectId)
  if (head?.draftId !== row.id || head.reviewRequestedAt) throw new AppError('conflict')
  await tx
    .update(revisionHeads)
    .set({ reviewRequestedAt: ctx.now(), reviewRequestedBy: findOwnId(ctx) ?? null })
    .where(isHead(ctx, projectId))
  await recordAudit(ctx, tx, {
    action: 'heard-reports.request-review',
    subject: { type: 'projects', id: projectId },
    ...place,
    detail: { revision: row.id },
  })
  await mailColleagues(ctx, tx, projectId)
}

async function mailColleagues(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const { site, viewer } = ctx
  if (viewer.kind !== 'user') return
  const [project] = await tx
    .select({ id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt, title: projects.title })
    .from(projects)
    .where(and(eq(projects.siteId, site.id), eq(projects.id, projectId)))
  if (!project) return
  for (const { id, only } of await listPermittedPeople(ctx, tx, 'projects.publish', toPermissionTarget(project))) {
    const reader = only || id === viewer.id ? undefined : await loadReader(ctx, tx, id)
    if (!reader) continue
    const t = getTranslator(reader.language, 'mail')
    const names = { site: site.name, who: viewer.login, project: getTranslation(project.title, reader.language, site.locale) }
    await queueMail(ctx, tx, {
      kind: 'agreement-asked',
      to: reader.email,
      userId: id,
      language: reader.language,
      content: {
        subject: t('agreement-asked.subject-report', names),
        paragraphs: [t('agreement-asked.text-report', names), t('agreement-asked.what-to-do')],
        action: { label: t('agreement-asked.action-report'), href: buildSiteUrl(ctx, buildEditorPath(projectId)) },
        footer: t('agreement-asked.footer-report', names),
      },
    })
  }
}

/** A person's address and language for mails; undefined if they cannot sign in. */
async function loadReader({ site }: Ctx, tx: Tx, userId: string) {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, site.id), eq(users.id, userId)))
  if (!user || !canSignIn(user)) return undefined
  return { email: user.email, language: matchLanguage(user.locale, site.languages) ?? site.locale }
}

const buildEditorPath = (projectId: string) => `/admin/projects/${projectId}/heard/report`

interface ReviewRow extends Record<string, unknown> {
  id: string
  hub_id: string | null
  published_at: string | null
  title: Translated
  revision_id: string | null
  asked_at: string | null
  asker_id: string | null
  asked_by: string | null
  returned_at: string | null
  returned_by: string | null
  reason: string | null
}

/** Who returned it is known from the audit trail, until it is asked for again or published. */
async function selectReviews(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<ReportReview[]> {
  const { rows } = await tx.execute<ReviewRow>(sql`
    select ${projects.id} as id, ${projects.hubId} as hub_id, ${projects.publishedAt} as published_at, ${projects.title} as title,
      head.draft_id as revision_id, head.review_requested_at as asked_at, head.review_requested_by as asker_id, asker.login as asked_by,
      returned.at as returned_at, returner.login as returned_by, returned.detail ->> 'reason' as reason
    from ${projects}
    left join ${revisionHeads} head on head.site_id = ${projects.siteId} and head.subject = 'heard-report' and head.scope_id = ${projects.id}
    left join lateral (
      select e.* from audit_events e where e.site_id = ${projects.siteId} and e.subject_id = ${projects.id}
        and e.action in ('heard-reports.request-review', 'heard-reports.withdraw-review', 'heard-reports.return', 'heard-reports.publish')
      order by e.sequence desc limit 1) returned on returned.action = 'heard-reports.return'
    left join ${users} asker on asker.site_id = ${projects.siteId} and asker.id = head.review_requested_by
    left join ${users} returner on returner.site_id = ${projects.siteId} and returner.id = returned.actor_id
    where ${and(
      eq(projects.siteId, ctx.site.id),
      sql`(head.review_requested_at is not null or returned.id is not null)`,
      scopeWhere(ctx.viewer, 'projects.edit', { hub: projects.hubId, project: projects.id }),
      where,
    )}
    order by asked_at, ${asc(projects.id)} limit 500`)
  return rows.map((row) => ({
    id: row.id,
    hubId: row.hub_id,
    publishedAt: toDate(row.published_at),
    title: row.title,
    isWaiting: row.asked_at !== null,
    revisionId: row.revision_id,
    askedAt: toDate(row.asked_at),
    askerId: row.asker_id,
    askedBy: row.asked_by,
    returnedAt: toDate(row.returned_at),
    returnedBy: row.returned_by,
    returnReason: row.reason,
  }))
}

const toDate = (at: string | null): Date | null => (at === null ? null : new Date(at))

export const loadReportReviews = (ctx: Ctx, ids: readonly string[]): Promise<ReportReview[]> =>
  ctx.db.read((tx) => selectReviews(ctx, tx, inArray(projects.id, [...ids])))

export async function listReportReviews(
  ctx: Ctx,
  { filter, page }: ListQuery<typeof heardReportReviewShape>,
): Promise<ListResult<ReportReview>> {
  const all = await ctx.db.read((tx) => selectReviews(ctx, tx, filter.project === undefined ? undefined : eq(projects.id, filter.project)))
  const rows = all.filter(({ isWaiting }) => filter.waiting === undefined || isWaiting === filter.waiting)
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

/** May agree to it, by publishing it, or return it. */
export function mayReview(ctx: Ctx, review: ReportReview): boolean {
  const decision = checkPermission(ctx.viewer, 'projects.publish', toPermissionTarget(review))
  const own = findOwnId(ctx)
  return review.isWaiting && decision.ok && !decision.only && own !== undefined && own !== review.askerId
}

/** A condition on `projects`: a colleague should agree to a draft of its report. */
export const isReportInReview = sql<boolean>`exists (select from ${revisionHeads} where ${revisionHeads.siteId} = ${projects.siteId}
  and ${revisionHeads.subject} = 'heard-report' and ${revisionHeads.scopeId} = ${projects.id} and ${revisionHeads.reviewRequestedAt} is not null)`

/** May take back the request, as the person who made it. */
export const mayWithdraw = (ctx: Ctx, { isWaiting, askerId }: ReportReview): boolean => isWaiting && askerId === findOwnId(ctx)

/** Ends the viewer's own request; the draft stays as it is. @throws {AppError} `forbidden` for others; `conflict` if it does not wait any more */
export async function withdrawReview(ctx: Ctx, { id, hubId }: ReportReview): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const head = await lockHead(ctx, tx, id)
    if (!head?.reviewRequestedAt) throw new AppError('conflict')
    if (head.reviewRequestedBy !== findOwnId(ctx)) throw new AppError('forbidden')
    await endReview(ctx, tx, id)
    await recordAudit(ctx, tx, { action: 'heard-reports.withdraw-review', subject: { type: 'projects', id }, hubId, projectId: id })
  })
}

/**
 * Returns the draft under review, with a reason that is mailed to the person who requested the review.
 * @throws {AppError} `forbidden`; `conflict` if it does not wait any more; `report-agree-other` for the person who requested it
 */
export async function returnReport(ctx: Ctx, review: ReportReview, reason: string): Promise<void> {
  const decision = checkPermission(ctx.viewer, 'projects.publish', toPermissionTarget(review))
  if (!decision.ok || decision.only) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const head = await lockHead(ctx, tx, review.id)
    if (!head?.reviewRequestedAt) throw new AppError('conflict')
    requireOtherPerson(ctx, head.reviewRequestedBy)
    await endReview(ctx, tx, review.id)
    await recordAudit(ctx, tx, {
      action: 'heard-reports.return',
      subject: { type: 'projects', id: review.id },
      hubId: review.hubId,
      projectId: review.id,
      detail: { reason, asker: head.reviewRequestedBy },
    })
    await mailAsker(ctx, tx, { ...review, askerId: head.reviewRequestedBy }, reason)
  })
}

async function mailAsker(ctx: Ctx, tx: Tx, { id, askerId, title }: ReportReview, reason: string): Promise<void> {
  const { site, viewer } = ctx
  const reader = askerId && (await loadReader(ctx, tx, askerId))
  if (!reader || viewer.kind !== 'user') return
  const t = getTranslator(reader.language, 'mail')
  const project = t('review-returned.report', { project: getTranslation(title, reader.language, site.locale) })
  const names = { site: site.name, project, who: viewer.login }
  await queueMail(ctx, tx, {
    kind: 'review-returned',
    to: reader.email,
    userId: askerId,
    language: reader.language,
    content: {
      subject: t('review-returned.subject', names),
      paragraphs: [t('review-returned.text', names), reason, t('review-returned.what-to-do', names)],
      action: { label: t('review-returned.action-report'), href: buildSiteUrl(ctx, buildEditorPath(id)) },
      footer: t('review-returned.footer', names),
    },
  })
}
