import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { selectFollowers } from '#app/features/contributions/following/follow-contribution.server.ts'
import { buildUnsubscribeUrl } from '#app/features/follows/unsubscribe-links.server.ts'
import { projectColumns } from '#app/features/projects/projects.policy.server.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { ToldOutcome } from '#app/lib/vocabulary/budgets.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { budgetOptions, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { findStandingResult, loadOverrides, type OptionRow, type OverrideRow, type PlacedRound } from '../budgets.policy.server.ts'
import { listFundedInTheEnd } from '../managing/budget-overrides.server.ts'

const PEOPLE_AT_ONCE = 500

/** The same condition is in the function `sites_with_work`. */
const OUTCOME = sql<ToldOutcome>`case
  when ${budgetOptions.withdrawnAt} is not null then 'withdrawn'
  when ${budgetOptions.state} = 'not_feasible' then 'not_feasible'
  when exists (select from budget_results s where s.site_id = ${budgetRounds.siteId} and s.round_id = ${budgetRounds.id}
    and s.state = 'certified') then 'decided'
  else 'feasible' end`

/**
 * Tells the author of each proposal that became an option of a published round, and those who follow it, what became of it: that it is on the
 * ballot, was found not feasible or was withdrawn, each with the reason, and whether it is funded once the result is certified. How people
 * voted plays no part. Run by a job.
 * @returns how many people were told
 */
export const tellProposers = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    let told = 0
    for (let more: number | null = 0; more !== null; told += more ?? 0) more = await ctx.db.tx((tx) => tellSome(ctx, tx))
    return told
  })

/** The next accounts about the first option that some do not know of. @returns null if everybody knows */
async function tellSome(ctx: Ctx, tx: Tx): Promise<number | null> {
  const [claimed] = await tx
    .select({ option: budgetOptions, round: budgetRounds, project: projectColumns, outcome: OUTCOME })
    .from(budgetOptions)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetOptions.siteId), eq(budgetRounds.id, budgetOptions.roundId)))
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
    .where(
      and(
        eq(budgetOptions.siteId, ctx.site.id),
        eq(budgetRounds.status, 'published'),
        inArray(projects.status, ['published', 'archived']),
        ne(budgetOptions.state, 'idea'),
        isNotNull(budgetOptions.contributionId),
        or(isNotNull(budgetOptions.toldUntil), sql`${budgetOptions.told} is distinct from ${OUTCOME}`),
      ),
    )
    .orderBy(asc(budgetOptions.id))
    .limit(1)
    .for('update', { of: budgetOptions, skipLocked: true })
  if (!claimed) return null
  const { option, outcome } = claimed
  const [placed] = await tx
    .select({ contribution: contributions, activity: activities })
    .from(contributions)
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, option.contributionId ?? '')))
  const isReadable = placed && READABLE_STATES.includes(placed.contribution.state)
  const after = option.told === outcome ? option.toldUntil : null
  const people = isReadable ? await loadPeople(ctx, tx, placed.contribution, after) : []
  if (placed && people.length > 0) {
    const news = { ...claimed, ...(await findDecision(tx, claimed)), placed }
    for (const reader of people) await queueNews(ctx, tx, news, reader)
  }
  const last = people.length === PEOPLE_AT_ONCE ? people.at(-1) : undefined
  await tx
    .update(budgetOptions)
    .set({ told: outcome, toldUntil: last?.id ?? null, toldAt: ctx.now() })
    .where(and(eq(budgetOptions.siteId, ctx.site.id), eq(budgetOptions.id, option.id)))
  return people.length
}

interface Proposal {
  contribution: typeof contributions.$inferSelect
  activity: typeof activities.$inferSelect
}

type Reader = Pick<typeof users.$inferSelect, 'id' | 'email' | 'locale'>

/** The author, and those who follow the proposal or one that was merged into it and want mails. */
const loadPeople = (
  ctx: Ctx,
  tx: Tx,
  { id, authorId }: Pick<Proposal['contribution'], 'id' | 'authorId'>,
  after: string | null,
): Promise<Reader[]> => {
  return tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(
      and(
        eq(users.siteId, ctx.site.id),
        after ? gt(users.id, after) : undefined,
        isNotNull(users.emailConfirmedAt),
        isNull(users.blockedAt),
        or(
          authorId ? eq(users.id, authorId) : undefined,
          and(ne(users.followMails, 'never'), inArray(users.id, selectFollowers(tx, ctx.site.id, id))),
        ),
      ),
    )
    .orderBy(asc(users.id))
    .limit(PEOPLE_AT_ONCE)
}

interface Decision {
  /** Undefined before the result is certified. */
  isFunded?: boolean
  /** What a body decided instead of the rule. */
  override?: OverrideRow | undefined
}

async function findDecision(tx: Tx, { option, round, project, outcome }: Claimed): Promise<Decision> {
  const result = outcome === 'decided' ? await findStandingResult(tx, round) : undefined
  if (!result) return {}
  const funded = await listFundedInTheEnd(tx, { round, project }, result)
  return {
    isFunded: funded.has(option.number),
    override: (await loadOverrides(tx, round)).find(({ optionId }) => optionId === option.id),
  }
}

interface Claimed extends PlacedRound {
  option: OptionRow
  outcome: ToldOutcome
}

type News = Claimed & Decision & { placed: Proposal }

const MAIL_KINDS = {
  feasible: 'proposal-on-ballot',
  not_feasible: 'proposal-not-feasible',
  withdrawn: 'proposal-withdrawn',
} as const

async function queueNews(ctx: Ctx, tx: Tx, news: News, reader: Reader): Promise<void> {
  const { option, round, project, outcome, isFunded, override, placed } = news
  const { site } = ctx
  const language = matchLanguage(reader.locale, site.languages) ?? site.locale
  const t = getTranslator(language, 'mail')
  const { contribution, activity } = placed
  const names = {
    site: site.name,
    number: contribution.number,
    title: contribution.title,
    activity: getTranslation(activity.title, language, site.locale),
    round: getTranslation(round.title, language, site.locale),
    option: option.number,
  }
  const kind = outcome === 'decided' ? (isFunded ? 'proposal-funded' : 'proposal-not-funded') : MAIL_KINDS[outcome]
  const reason =
    outcome === 'not_feasible'
      ? getTranslation(option.reason, language, site.locale)
      : outcome === 'withdrawn'
        ? getTranslation(option.withdrawnReason, language, site.locale)
        : override && getTranslation(override.reason, language, site.locale)
  const isAuthor = contribution.authorId === reader.id
  const leave = buildUnsubscribeUrl(ctx, language, { kind: 'contribution', contributionId: contribution.id, userId: reader.id })
  const path = `/${language}/projects/${project.slug}/budgets/${round.slug}${outcome === 'decided' ? '/results' : ''}`
  await queueMail(ctx, tx, {
    kind,
    to: reader.email,
    userId: reader.id,
    language,
    ...(!isAuthor && { leaveUrl: leave }),
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [
        t(`${kind}.text`, names),
        ...(override ? [t('proposal-decided-by', { body: getTranslation(override.body, language, site.locale) })] : []),
        ...(reason ? [t('contribution-reason', { reason })] : []),
      ],
      action: { label: t(outcome === 'decided' ? 'proposal-see-result' : 'proposal-see-vote'), href: buildSiteUrl(ctx, path) },
      footer: t(isAuthor ? 'contribution-footer' : 'contribution-followed.footer', names),
      ...(!isAuthor && { leave: { label: t('contribution-followed.leave'), href: leave } }),
    },
  })
}
