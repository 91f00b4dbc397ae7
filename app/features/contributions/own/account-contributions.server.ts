import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { listSubjectHashes } from '#app/features/verifications/held-verifications.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import {
  activities,
  contributionLinks,
  contributionNotes,
  contributionPhotos,
  contributions,
  contributionVersions,
  officialResponses,
  reactions,
  replies,
} from '#app/server/db/schema/contributions.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { withdrawLeaves } from '../record/contribution-ledger.server.ts'
import { lockContributions, recountContributions } from '../record/contribution-counts.server.ts'
import { eraseAccountNotices, eraseNoticesAbout, moveAccountNotices } from '../moderation/account-notices.server.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { deletePrivateTexts } from '../moderation/decide.server.ts'
import { deleteContributionOriginals } from '../moderation/masking/masked-originals.server.ts'
import { releaseDoubles } from '../merging/merge-contributions.server.ts'
import { buildPhotoAddress } from '../record/photos.schema.ts'
import { releasePhotos } from '../photos/stored-photos.server.ts'
import { hashAccount } from '#app/features/accounts/account-hash.server.ts'
import { hashSubjects } from '#app/features/participation/person-hash.server.ts'

/** The hashes that an account's reactions are stored under: for each activity of the site, one for the account and one for each verification it holds. */
async function listAccountHashes(secret: string, tx: Tx, siteId: string, userId: string): Promise<Buffer[]> {
  const rows = await tx.select({ id: activities.id }).from(activities).where(eq(activities.siteId, siteId))
  const subjects = await listSubjectHashes(tx, siteId, userId)
  return rows.flatMap(({ id }) => [hashAccount(secret, id, userId), ...hashSubjects(secret, id, subjects)])
}

/** All that an account contributed or reacted to, in one order with everybody else: what is counted of these changes. */
async function lockTouched(tx: Tx, siteId: string, userId: string, hashes: readonly Buffer[]): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select id from ${contributions} where site_id = ${siteId} and author_id = ${userId}
    union select contribution_id from ${replies} where site_id = ${siteId} and author_id = ${userId}
    union select contribution_id from ${reactions} where site_id = ${siteId} and person_hash = any (${sql.param([...hashes])}::bytea[])`)
  await lockContributions(
    tx,
    siteId,
    rows.map(({ id }) => id),
  )
}

/** What a person supports. */
export async function readOwnReactions(secret: string, tx: Tx, siteId: string, userId: string) {
  const hashes = await listAccountHashes(secret, tx, siteId, userId)
  if (hashes.length === 0) return []
  return tx
    .select({
      contributionId: reactions.contributionId,
      value: reactions.value,
      waitsForAnswer: isNotNull(reactions.tellUserId),
      createdAt: reactions.createdAt,
    })
    .from(reactions)
    .where(and(eq(reactions.siteId, siteId), inArray(reactions.personHash, hashes)))
    .orderBy(asc(reactions.createdAt))
}

/** The photos that a person sent, with the addresses where they can open them while they are signed in. */
export async function readOwnPhotos(ctx: Ctx, tx: Tx, siteId: string, userId: string) {
  const rows = await tx
    .select({
      contributionId: contributionPhotos.heldBy,
      id: contributionPhotos.id,
      alt: contributionPhotos.alt,
      width: contributionPhotos.width,
      height: contributionPhotos.height,
      sentAt: contributionPhotos.sentAt,
      removedAt: contributionPhotos.removedAt,
    })
    .from(contributionPhotos)
    .innerJoin(contributions, and(eq(contributions.siteId, contributionPhotos.siteId), eq(contributions.id, contributionPhotos.heldBy)))
    .where(and(eq(contributionPhotos.siteId, siteId), eq(contributions.authorId, userId), isNull(contributionPhotos.goneAt)))
    .orderBy(asc(contributionPhotos.sentAt), asc(contributionPhotos.position))
  return rows.map(({ id, ...photo }) => ({ address: buildSiteUrl(ctx, buildPhotoAddress(id)), ...photo }))
}

/** The answers that only this person can read. */
export const readPrivateAnswers = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({
      contributionId: officialResponses.contributionId,
      text: officialResponses.text,
      former: officialResponses.former,
      createdAt: officialResponses.createdAt,
      withdrawnAt: officialResponses.withdrawnAt,
      withdrawalReason: officialResponses.withdrawalReason,
    })
    .from(officialResponses)
    .innerJoin(
      contributions,
      and(eq(contributions.siteId, officialResponses.siteId), eq(contributions.id, officialResponses.contributionId)),
    )
    .where(and(eq(officialResponses.siteId, siteId), eq(officialResponses.visibility, 'private'), eq(contributions.authorId, userId)))
    .orderBy(asc(officialResponses.createdAt))

/** Notes that a person wrote, and those about what the person contributed, without who wrote them. */
export async function readOwnNotes(tx: Tx, siteId: string, userId: string) {
  const rows = await tx
    .select({
      contributionId: contributionNotes.contributionId,
      authorId: contributionNotes.authorId,
      body: contributionNotes.body,
      createdAt: contributionNotes.createdAt,
      editedAt: contributionNotes.editedAt,
    })
    .from(contributionNotes)
    .innerJoin(
      contributions,
      and(eq(contributions.siteId, contributionNotes.siteId), eq(contributions.id, contributionNotes.contributionId)),
    )
    .where(and(eq(contributionNotes.siteId, siteId), or(eq(contributionNotes.authorId, userId), eq(contributions.authorId, userId))))
    .orderBy(asc(contributionNotes.createdAt))
  return rows.map(({ authorId, ...note }) => ({ ...note, own: authorId === userId }))
}

/**
 * Erases what an account contributed: the texts of contributions and replies go, as if they were withdrawn, and its reactions no longer
 * count. Numbers and official answers stay.
 */
export async function eraseAccountContributions(secret: string, tx: Tx, siteId: string, userId: string, now = new Date()): Promise<void> {
  const hashes = await listAccountHashes(secret, tx, siteId, userId)
  await lockTouched(tx, siteId, userId, hashes)
  await eraseContributionTexts(tx, siteId, eq(contributions.authorId, userId), now)
  await eraseAccountNotices(tx, siteId, userId)
  const said = await tx
    .delete(replies)
    .where(and(eq(replies.siteId, siteId), eq(replies.authorId, userId)))
    .returning({ contributionId: replies.contributionId })
  const withdrawn =
    hashes.length === 0
      ? []
      : await tx
          .delete(reactions)
          .where(and(eq(reactions.siteId, siteId), inArray(reactions.personHash, hashes)))
          .returning({ contributionId: reactions.contributionId })
  await recountContributions(
    tx,
    siteId,
    [...said, ...withdrawn].map(({ contributionId }) => contributionId),
  )
}

/**
 * Erases the texts of contributions, as if they were withdrawn, with all that is kept of them. The caller holds their locks. Numbers and
 * public official answers stay.
 */
export async function eraseContributionTexts(tx: Tx, siteId: string, which: SQL, now: Date): Promise<void> {
  const own = await tx
    .update(contributions)
    .set({
      state: sql`case when ${contributions.state} in ('held', 'published', 'merged') then 'withdrawn' else ${contributions.state} end`,
      title: '',
      body: '',
      shownAs: 'anonymous',
      shownName: '',
      placeText: '',
      fields: {},
      geometry: null,
      lng: null,
      lat: null,
      searchTitle: '',
      searchText: '',
      authorId: null,
    })
    .where(and(eq(contributions.siteId, siteId), which))
    .returning({ id: contributions.id, mergedInto: contributions.mergedInto })
  const ids = own.map(({ id }) => id)
  await deleteContributionOriginals(tx, siteId, ids)
  await releasePhotos(tx, siteId, ids, now)
  await withdrawLeaves(tx, siteId, ids, now)
  if (own.length > 0) {
    await deletePrivateTexts(tx, siteId, (id) => inArray(id, ids))
    await tx
      .delete(contributionVersions)
      .where(and(eq(contributionVersions.siteId, siteId), inArray(contributionVersions.contributionId, ids)))
    await tx
      .update(moderationCases)
      .set({ state: 'closed', heldUntil: null })
      .where(
        and(
          eq(moderationCases.siteId, siteId),
          inArray(moderationCases.state, ['open', 'appealed']),
          isNull(moderationCases.replyId),
          inArray(moderationCases.contributionId, ids),
        ),
      )
  }
  await eraseNoticesAbout(tx, siteId, ids, now)
  // What others said and was merged into one of these stands for itself again.
  await releaseDoubles(tx, { siteId, targetIds: own.filter(({ mergedInto }) => !mergedInto).map(({ id }) => id), now })
  await tx
    .update(contributionLinks)
    .set({ objection: '', objectionAnswer: '' })
    .where(and(eq(contributionLinks.siteId, siteId), inArray(contributionLinks.contributionId, ids)))
}

/** Moves what an account contributed to another: where both support the same, the person counts once. */
export async function moveAccountContributions(secret: string, tx: Tx, siteId: string, from: string, into: string): Promise<void> {
  for (const table of [contributions, replies]) {
    await tx
      .update(table)
      .set({ authorId: into })
      .where(and(eq(table.siteId, siteId), eq(table.authorId, from)))
  }
  const rows = await tx.select({ id: activities.id }).from(activities).where(eq(activities.siteId, siteId))
  await moveAccountNotices(secret, tx, siteId, { from, into, activityIds: rows.map(({ id }) => id) })
  for (const { id } of rows) {
    const [old, kept] = [hashAccount(secret, id, from), hashAccount(secret, id, into)]
    const moved = await tx
      .update(reactions)
      .set({ personHash: kept, tellUserId: sql`case when ${reactions.tellUserId} is not null then ${into}::uuid end` })
      .where(
        and(
          eq(reactions.siteId, siteId),
          eq(reactions.personHash, old),
          sql`not exists (select from reactions own where own.site_id = ${siteId} and own.contribution_id = ${reactions.contributionId}
            and own.person_hash = ${kept})`,
        ),
      )
      .returning({ contributionId: reactions.contributionId })
    // Somebody who supported both sides of a merge with two accounts is one person now.
    await recountContributions(
      tx,
      siteId,
      moved.map(({ contributionId }) => contributionId),
    )
  }
}
