import { and, desc, eq, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { moveAccountContributions } from '#app/features/contributions/own/account-contributions.server.ts'
import { moveSignUps } from '#app/features/events/signing-up/cancel-sign-up.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { moveProfileAnswers } from '#app/features/profile-answers/profile-answers.server.ts'
import { copyVotes } from '#app/features/budgets/voting/voters.server.ts'
import { copyParticipations } from '#app/features/surveys/surveys.policy.server.ts'
import { moveVerifications } from '#app/features/verifications/verifications.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moveTeamwork } from '#app/features/teamwork/own-teamwork.server.ts'
import { memberships, personNotes, users } from '#app/server/db/schema/accounts.ts'
import { mailConsents } from '#app/server/db/schema/mail.ts'
import { identities } from '#app/server/db/schema/identity.ts'
import { smsConsents, smsMessages } from '#app/server/db/schema/messages.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { queueAccountMail } from '#app/features/accounts/account-mails.server.ts'
import { updateAccountType } from '#app/features/accounts/memberships.server.ts'
import { eraseAccountRows } from './own-data.server.ts'
import { loadPeopleById } from '#app/features/accounts/people.list.server.ts'
import { lockUser } from '#app/features/accounts/account-realm.server.ts'
import { changeSiteAdmins } from '#app/features/accounts/site-admins.server.ts'

/**
 * Merges two accounts of the same person: moves everything from `from` to `into`, then deletes `from`. If both answered a survey, both
 * responses are kept; of two answers to a question about the person, the newer one. The person is notified by email.
 * @throws {AppError} `forbidden`, `not-found`, `invalid`, `last-site-admin`
 */
export async function mergePeople(ctx: Ctx, input: { from: string; into: string }): Promise<void> {
  requirePermission(ctx, 'participants.merge')
  const { from, into } = input
  if (from === into) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/into' }] })
  if (ctx.viewer.kind === 'user' && ctx.viewer.id === from) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const seen = await loadPeopleById(withTx(ctx, tx), [from, into])
    if (seen.length < 2) throw new AppError('not-found')
    const { kept, leaving } = await changeSiteAdmins(ctx, tx, ctx.site.id, async () => {
      // Always lock in the same order, so that two merges cannot deadlock.
      for (const id of [from, into].toSorted()) await lockUser(tx, ctx.site.id, id)
      const people = { kept: await lockUser(tx, ctx.site.id, into), leaving: await lockUser(tx, ctx.site.id, from) }
      await moveUserRows(tx, ctx.site.id, from, into)
      await moveConsents(tx, ctx.site.id, from, into)
      await moveProfileAnswers(tx, ctx.site.id, from, into)
      await moveVerifications(tx, ctx.site.id, from, into)
      await copyParticipations(ctx, tx, { from, into })
      await copyVotes(ctx, tx, { from, into })
      await moveSignUps(ctx, tx, { from, into })
      await moveAccountContributions(ctx.runtime.secret, tx, ctx.site.id, from, into)
      await eraseAccountRows(ctx, tx, ctx.site.id, from)
      await updateAccountType(tx, people.kept)
      return people
    })
    await queueAccountMail(ctx, tx, kept, { kind: 'accounts-merged', gone: leaving.email })
    await recordAudit(ctx, tx, { action: 'users.merge', subject: { type: 'users', id: into }, detail: { from } })
  })
}

async function moveUserRows(tx: Tx, siteId: string, from: string, into: string): Promise<void> {
  for (const table of [responses, responseDrafts, smsMessages, identities, personNotes]) {
    await tx
      .update(table)
      .set({ userId: into })
      .where(and(eq(table.siteId, siteId), eq(table.userId, from)))
  }
  await tx
    .update(personNotes)
    .set({ authorId: into })
    .where(and(eq(personNotes.siteId, siteId), eq(personNotes.authorId, from)))
  await moveTeamwork(tx, siteId, from, into)
  // Copy what `into` does not have yet; duplicates are deleted with the account.
  for (const [table, thing] of [
    ['project_follows', 'project_id'],
    ['project_members', 'project_id'],
    ['contribution_follows', 'contribution_id'],
    ['people_group_members', 'group_id'],
  ] as const) {
    const [name, column] = [sql.identifier(table), sql.identifier(thing)]
    await tx.execute(
      sql`insert into ${name} (site_id, ${column}, user_id, created_at)
          select site_id, ${column}, ${into}, created_at from ${name} where site_id = ${siteId} and user_id = ${from} on conflict do nothing`,
    )
  }
  // One of each: what `into` has stays.
  for (const table of ['user_phones', 'home_areas']) {
    const name = sql.identifier(table)
    await tx.execute(sql`update ${name} set user_id = ${into} where site_id = ${siteId} and user_id = ${from}
      and not exists (select from ${name} own where own.site_id = ${siteId} and own.user_id = ${into})`)
  }
  await tx.execute(sql`update saved_views v set user_id = ${into} where v.site_id = ${siteId} and v.user_id = ${from}
    and not exists (select from saved_views own where own.site_id = ${siteId} and own.user_id = ${into} and own.table_name = v.table_name
      and own.survey_id is not distinct from v.survey_id and own.name = v.name)`)
  await tx.execute(sql`update report_views v set user_id = ${into} where v.site_id = ${siteId} and v.user_id = ${from}
    and not exists (select from report_views own where own.site_id = ${siteId} and own.user_id = ${into} and own.name = v.name)`)
  await tx.execute(sql`insert into follow_digest_items (site_id, user_id, update_id, due_at)
    select site_id, ${into}, update_id, due_at from follow_digest_items where site_id = ${siteId} and user_id = ${from}
    on conflict do nothing`)
  await tx.execute(sql`insert into contribution_digest_items as own (site_id, user_id, activity_id, since, due_at)
    select site_id, ${into}, activity_id, since, due_at from contribution_digest_items where site_id = ${siteId} and user_id = ${from}
    on conflict (site_id, user_id, activity_id) do update set since = least(own.since, excluded.since)`)
  const same = sql`select 1 from memberships own where own.site_id = ${siteId} and own.user_id = ${into} and own.role = ${memberships.role}
    and own.hub_id is not distinct from ${memberships.hubId} and own.project_id is not distinct from ${memberships.projectId}`
  await tx
    .update(memberships)
    .set({ userId: into })
    .where(and(eq(memberships.siteId, siteId), eq(memberships.userId, from), sql`not exists (${same})`))
}

/** The ledgers follow the person. Their latest word on news by email counts, from whichever account. */
async function moveConsents(tx: Tx, siteId: string, from: string, into: string): Promise<void> {
  const findLatest = async (userId: string) => {
    const [latest] = await tx
      .select({ at: mailConsents.at })
      .from(mailConsents)
      .where(and(eq(mailConsents.siteId, siteId), eq(mailConsents.userId, userId)))
      .orderBy(desc(mailConsents.at))
      .limit(1)
    return latest?.at.getTime() ?? 0
  }
  if ((await findLatest(from)) > (await findLatest(into)))
    await tx.execute(sql`update ${users} set marketing_consent_at =
      (select gone.marketing_consent_at from ${users} gone where gone.site_id = ${siteId} and gone.id = ${from})
      where site_id = ${siteId} and id = ${into}`)
  for (const table of [mailConsents, smsConsents]) {
    await tx
      .update(table)
      .set({ userId: into })
      .where(and(eq(table.siteId, siteId), eq(table.userId, from)))
  }
}
