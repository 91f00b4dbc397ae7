import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { buildUnsubscribeUrl } from '#app/features/follows/unsubscribe-links.server.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import {
  contributionFollows,
  contributions,
  contributionStatuses,
  officialResponses,
  reactions,
} from '#app/server/db/schema/contributions.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { ANSWER_MAILS } from '../moderation/decision-mails.server.ts'
import { isAnswer } from '../questions/question-state.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { selectTrees } from '../record/merge-trees.server.ts'
import { type PlacedContribution, selectPlacedContributions } from '../record/loading.server.ts'

const PEOPLE_AT_ONCE = 500

interface Reader {
  id: string
  email: string
  locale: string
  /** Asked the same question. */
  joined: boolean
  /** Which of the answered contributions they follow or ask. */
  about: string | null
}

/**
 * Tells those who follow a contribution that the team answered it, edited an answer and asked to say so, or withdrew one, and of a new answer everybody with an account who asks the same question, each of them
 * once: whoever was told is recorded in the same transaction as the mail. The author is told with the answer itself. Run by a job.
 * @returns how many people were told
 */
export const tellOfAnswers = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    let told = 0
    for (let more: number | null = 0; more !== null; told += more ?? 0) more = await ctx.db.tx((tx) => tellSome(ctx, tx))
    return told
  })

type ResponseRow = typeof officialResponses.$inferSelect

/** The next accounts about the oldest answer that some do not know of. @returns null if everybody knows */
async function tellSome(ctx: Ctx, tx: Tx): Promise<number | null> {
  const siteId = ctx.site.id
  const responses = await claimResponses(ctx, tx)
  const [response] = responses
  if (!response) return null
  const ids = responses.map(({ contributionId }) => contributionId)
  const isOneOf = and(eq(contributions.siteId, siteId), inArray(contributions.id, ids))
  // Two answers to one question, in two processes, do not tell the same person.
  await tx.select({ id: contributions.id }).from(contributions).where(isOneOf).orderBy(asc(contributions.id)).for('update')
  const found = await selectPlacedContributions(tx).where(isOneOf)
  const placed = found.filter(({ contribution }) => READABLE_STATES.includes(contribution.state))
  const given = responses.flatMap(({ statusId }) => statusId ?? [])
  const statuses = await tx
    .select()
    .from(contributionStatuses)
    .where(and(eq(contributionStatuses.siteId, siteId), inArray(contributionStatuses.id, given)))
  const statusOf = (contributionId: string) => {
    const statusId = responses.find((one) => one.contributionId === contributionId)?.statusId
    return statuses.find(({ id }) => id === statusId)
  }
  const answered = placed.filter(
    ({ contribution, activity }) =>
      response.tells === 'answer' && readActivitySettings(activity).tools.question && isAnswer(statusOf(contribution.id)?.code ?? null),
  )
  const people = await loadPeople(ctx, tx, placed, {
    after: response.toldUntil,
    answered: answered.map(({ contribution }) => contribution.id),
  })
  for (const reader of people) {
    const about = placed.find(({ contribution }) => contribution.id === reader.about) ?? placed[0]
    if (about) await queueAnswerMail(ctx, tx, about, { reader, response, status: statusOf(about.contribution.id)?.title ?? {} })
  }
  const last = people.length === PEOPLE_AT_ONCE ? people.at(-1) : undefined
  await tx
    .update(officialResponses)
    .set(last ? { toldUntil: last.id } : { toldAt: ctx.now() })
    .where(
      and(
        eq(officialResponses.siteId, siteId),
        inArray(
          officialResponses.id,
          responses.map(({ id }) => id),
        ),
      ),
    )
  return people.length
}

/** The oldest response that some do not know of, with those that were given together with it. */
async function claimResponses(ctx: Ctx, tx: Tx): Promise<ResponseRow[]> {
  const isUntold = and(
    eq(officialResponses.siteId, ctx.site.id),
    isNull(officialResponses.toldAt),
    eq(officialResponses.visibility, 'public'),
  )
  const isFirst = sql`(${officialResponses.groupId} is null or ${officialResponses.tells} <> 'answer' or not exists (
    select from official_responses o where o.site_id = ${ctx.site.id} and o.group_id = official_responses.group_id
      and o.told_at is null and o.tells = 'answer' and o.id < official_responses.id))`
  // One that failed half way may still be sent to the rest.
  const isWhole = sql`(${officialResponses.groupId} is null or ${officialResponses.tells} <> 'answer'
    or not exists (select from official_answer_sets s where s.site_id = ${ctx.site.id} and s.id = official_responses.group_id
      and s.state in ('waiting', 'running', 'failed')))`
  const [response] = await tx
    .select()
    .from(officialResponses)
    .where(and(isUntold, isFirst, isWhole))
    .orderBy(asc(officialResponses.createdAt), asc(officialResponses.version))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!response?.groupId || response.tells !== 'answer') return response ? [response] : []
  return tx
    .select()
    .from(officialResponses)
    .where(and(isUntold, eq(officialResponses.groupId, response.groupId), eq(officialResponses.tells, 'answer')))
    .orderBy(asc(officialResponses.id))
    .for('update')
}

/** The next people who are to be told, without the authors. Those who asked the same as one of the `answered` questions wait for no other answer from now on. */
async function loadPeople(
  ctx: Ctx,
  tx: Tx,
  placed: readonly PlacedContribution[],
  { after, answered }: { after: string | null; answered: readonly string[] },
): Promise<Reader[]> {
  const [first] = placed
  if (!first) return []
  const siteId = ctx.site.id
  const trees = selectTrees(
    siteId,
    placed.map(({ contribution }) => contribution.id),
  )
  const tree = sql`(select tree_of.id from ${trees} as tree_of)`
  const authors = placed.flatMap(({ contribution }) => contribution.authorId ?? [])
  const answersQuestion = answered.length > 0
  const asked = sql`(select tree_of.id from ${selectTrees(siteId, answered)} as tree_of)`
  const isJoined = (who: SQL | undefined) => and(eq(reactions.siteId, siteId), sql`${reactions.contributionId} in ${asked}`, who)
  const asking = or(
    inArray(
      users.id,
      tx
        .select({ id: reactions.tellUserId })
        .from(reactions)
        .where(isJoined(isNotNull(reactions.tellUserId))),
    ),
    inArray(
      users.id,
      tx
        .select({ id: contributions.authorId })
        .from(contributions)
        .where(and(eq(contributions.siteId, siteId), sql`${contributions.id} in ${asked}`, isNotNull(contributions.authorId))),
    ),
  )
  const following = and(
    ne(users.followMails, 'never'),
    inArray(
      users.id,
      tx
        .select({ id: contributionFollows.userId })
        .from(contributionFollows)
        .where(and(eq(contributionFollows.siteId, siteId), sql`${contributionFollows.contributionId} in ${tree}`)),
    ),
  )
  const about = sql<string | null>`(select t.root from ${trees} as t where exists (
      select from contribution_follows f where f.site_id = ${siteId} and f.contribution_id = t.id and f.user_id = users.id)
    or exists (select from reactions r where r.site_id = ${siteId} and r.contribution_id = t.id and r.tell_user_id = users.id)
    or exists (select from contributions c where c.site_id = ${siteId} and c.id = t.id and c.author_id = users.id)
    order by t.root limit 1)`
  const found = await tx
    .select({
      id: users.id,
      email: users.email,
      locale: users.locale,
      joined: answersQuestion ? sql<boolean>`coalesce(${asking}, false)` : sql<boolean>`false`,
      about: placed.length > 1 ? about : sql<string>`${first.contribution.id}::uuid`,
    })
    .from(users)
    .where(
      and(
        eq(users.siteId, siteId),
        after ? gt(users.id, after) : undefined,
        authors.length > 0 ? notInArray(users.id, authors) : undefined,
        isNotNull(users.emailConfirmedAt),
        isNull(users.blockedAt),
        answersQuestion ? or(asking, following) : following,
      ),
    )
    .orderBy(asc(users.id))
    .limit(PEOPLE_AT_ONCE)
  const told = found.filter(({ joined }) => joined).map(({ id }) => id)
  if (told.length > 0)
    await tx
      .update(reactions)
      .set({ tellUserId: null })
      .where(isJoined(inArray(reactions.tellUserId, told)))
  return found
}

async function queueAnswerMail(
  ctx: Ctx,
  tx: Tx,
  { contribution, activity, project }: PlacedContribution,
  { reader, response, status }: { reader: Reader; response: ResponseRow; status: Translated },
): Promise<void> {
  const { site } = ctx
  const language = matchLanguage(reader.locale, site.languages) ?? site.locale
  const t = getTranslator(language, 'mail')
  const names = {
    site: site.name,
    number: contribution.number,
    title: contribution.title,
    status: getTranslation(status, language, site.locale),
    activity: getTranslation(activity.title, language, site.locale),
  }
  const { tells } = response
  const kind = tells !== 'answer' ? ANSWER_MAILS[tells] : reader.joined ? 'question-answered' : 'contribution-followed'
  const reason = getTranslation(response.withdrawalReason, language, site.locale)
  const leave = buildUnsubscribeUrl(ctx, language, { kind: 'contribution', contributionId: contribution.id, userId: reader.id })
  await queueMail(ctx, tx, {
    kind,
    to: reader.email,
    userId: reader.id,
    language,
    ...(!reader.joined && { leaveUrl: leave }),
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [t(`${kind}.text`, names), ...(tells === 'withdrawal' ? [t('contribution-reason', { reason })] : [])],
      action: {
        label: t('question-answered.action'),
        href: buildSiteUrl(ctx, `/${language}/projects/${project.slug}/${activity.slug}/${contribution.number}`),
      },
      footer: t(reader.joined ? 'question-answered.footer' : 'contribution-followed.footer', names),
      ...(!reader.joined && { leave: { label: t('contribution-followed.leave'), href: leave } }),
    },
  })
}
