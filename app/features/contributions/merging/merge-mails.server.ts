import { and, asc, eq, gt, inArray, isNotNull, isNull, ne } from 'drizzle-orm'
import { buildUnsubscribeUrl } from '#app/features/follows/unsubscribe-links.server.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { contributionFollows, contributionLinks, contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { hashAccount } from '#app/features/accounts/account-hash.server.ts'
import { type PlacedContribution, selectPlacedContributions } from '../record/loading.server.ts'
import type { LinkRow } from './links.server.ts'
import { loadMergedInto } from '../record/merge-trees.server.ts'

const PEOPLE_AT_ONCE = 2000

interface Reader {
  id: string
  email: string
  locale: string
}

type MergeMail =
  | 'contribution-merged'
  | 'merge-joined'
  | 'merge-supported'
  | 'merge-reacted'
  | 'merge-followed'
  | 'contribution-unmerged'
  | 'objection-answered'

/** Tells an author that their contribution stands for itself again. */
export async function mailMergeUndone(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  { into, reason }: { into: number; reason: string },
): Promise<void> {
  const { authorId } = placed.contribution
  const [author] = authorId ? await loadReaders(ctx, tx, [authorId]) : []
  if (author) await queueMergeMail(ctx, tx, placed, { kind: 'contribution-unmerged', reader: author, into, reason })
}

/** Tells an author who objected why the two stay together. */
export async function mailObjectionAnswer(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  { into, reason }: { into: number; reason: string },
): Promise<void> {
  const { authorId } = placed.contribution
  const [author] = authorId ? await loadReaders(ctx, tx, [authorId]) : []
  if (author) await queueMergeMail(ctx, tx, placed, { kind: 'objection-answered', reader: author, into, reason })
}

/**
 * Tells authors, supporters with an account and followers that a contribution was merged, each once: who was
 * notified is recorded in the mail's transaction. Reactions are anonymous, so supporters are recognised by the hash of each account. Run by a job.
 * @returns how many people were told
 */
export const tellMerges = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    let told = 0
    for (let more: number | null = 0; more !== null; told += more ?? 0) more = await ctx.db.tx((tx) => tellSome(ctx, tx))
    return told
  })

/** The next accounts about the oldest merge that some do not know of. @returns null if everybody knows */
async function tellSome(ctx: Ctx, tx: Tx): Promise<number | null> {
  const siteId = ctx.site.id
  const [link] = await tx
    .select()
    .from(contributionLinks)
    .where(
      and(
        eq(contributionLinks.siteId, siteId),
        eq(contributionLinks.kind, 'duplicate_of'),
        isNull(contributionLinks.toldAt),
        isNull(contributionLinks.endedAt),
      ),
    )
    .orderBy(asc(contributionLinks.createdAt))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!link) return null
  const [placed] = await selectPlacedContributions(tx).where(
    and(eq(contributions.siteId, siteId), eq(contributions.id, link.contributionId)),
  )
  const [target] = await loadMergedInto(tx, siteId, link.contributionId)
  if (!placed || !target) {
    await recordTold(tx, link, { toldAt: ctx.now() })
    return 0
  }
  const people = await tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(and(eq(users.siteId, siteId), link.toldUntil ? gt(users.id, link.toldUntil) : undefined))
    .orderBy(asc(users.id))
    .limit(PEOPLE_AT_ONCE)
  const [other] = await tx
    .select({ authorId: contributions.authorId })
    .from(contributions)
    .where(and(eq(contributions.siteId, siteId), eq(contributions.id, link.targetId)))
  const reacted = await findReacted(ctx, tx, placed, people)
  const followers = await findFollowers(tx, placed, people)
  let told = 0
  for (const reader of people) {
    const kind = chooseMail(reader.id, {
      author: placed.contribution.authorId,
      targetAuthor: other?.authorId ?? null,
      reacted,
      takesOpinions: readActivitySettings(placed.activity).tools.reactions.includes('disagree'),
      followers,
    })
    if (!kind) continue
    await queueMergeMail(ctx, tx, placed, { kind, reader, into: target.number, reason: link.reason })
    told += 1
  }
  const last = people.length === PEOPLE_AT_ONCE ? people.at(-1) : undefined
  await recordTold(tx, link, last ? { toldUntil: last.id } : { toldAt: ctx.now() })
  return told
}

interface Concerned {
  author: string | null
  targetAuthor: string | null
  reacted: ReadonlySet<string>
  takesOpinions: boolean
  followers: ReadonlySet<string>
}

function chooseMail(id: string, { author, targetAuthor, reacted, takesOpinions, followers }: Concerned): MergeMail | undefined {
  if (id === author) return 'contribution-merged'
  if (id === targetAuthor) return 'merge-joined'
  if (reacted.has(id)) return takesOpinions ? 'merge-reacted' : 'merge-supported'
  return followers.has(id) ? 'merge-followed' : undefined
}

/** Which of these accounts follow the contribution and want mails about it. They go on following it where it went. */
async function findFollowers(tx: Tx, { contribution }: PlacedContribution, people: readonly Reader[]): Promise<Set<string>> {
  if (people.length === 0) return new Set()
  const found = await tx
    .select({ id: users.id })
    .from(contributionFollows)
    .innerJoin(users, and(eq(users.siteId, contributionFollows.siteId), eq(users.id, contributionFollows.userId)))
    .where(
      and(
        eq(contributionFollows.siteId, contribution.siteId),
        eq(contributionFollows.contributionId, contribution.id),
        ne(users.followMails, 'never'),
        isNotNull(users.emailConfirmedAt),
        isNull(users.blockedAt),
        inArray(
          users.id,
          people.map(({ id }) => id),
        ),
      ),
    )
  return new Set(found.map(({ id }) => id))
}

/** Which of these accounts support the contribution, or said whether they agree. */
async function findReacted(
  ctx: Ctx,
  tx: Tx,
  { contribution, activity }: PlacedContribution,
  people: readonly Reader[],
): Promise<Set<string>> {
  if (people.length === 0) return new Set()
  const hashes = people.map(({ id }) => ({ id, hash: hashAccount(ctx.runtime.secret, activity.id, id) }))
  const found = await tx
    .select({ hash: reactions.personHash })
    .from(reactions)
    .where(
      and(
        eq(reactions.siteId, ctx.site.id),
        eq(reactions.contributionId, contribution.id),
        inArray(
          reactions.personHash,
          hashes.map(({ hash }) => hash),
        ),
      ),
    )
  const known = new Set(found.map(({ hash }) => hash.toString('hex')))
  return new Set(hashes.filter(({ hash }) => known.has(hash.toString('hex'))).map(({ id }) => id))
}

async function recordTold(tx: Tx, link: LinkRow, told: Partial<Pick<LinkRow, 'toldUntil' | 'toldAt'>>): Promise<void> {
  await tx
    .update(contributionLinks)
    .set(told)
    .where(and(eq(contributionLinks.siteId, link.siteId), eq(contributionLinks.id, link.id)))
}

const loadReaders = (ctx: Ctx, tx: Tx, ids: string[]): Promise<Reader[]> =>
  tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(and(eq(users.siteId, ctx.site.id), inArray(users.id, ids)))

/** Why somebody gets the mail who wrote neither. */
const FOOTERS = {
  'merge-supported': 'merge-supported.footer',
  'merge-reacted': 'merge-reacted.footer',
  'merge-followed': 'contribution-followed.footer',
} as const satisfies Partial<Record<MergeMail, string>>

async function queueMergeMail(
  ctx: Ctx,
  tx: Tx,
  { contribution, activity, project }: PlacedContribution,
  { kind, reader, into, reason }: { kind: MergeMail; reader: Reader; into: number; reason: string },
): Promise<void> {
  const { site } = ctx
  const language = matchLanguage(reader.locale, site.languages) ?? site.locale
  const t = getTranslator(language, 'mail')
  const names = {
    site: site.name,
    number: contribution.number,
    title: contribution.title,
    into,
    activity: getTranslation(activity.title, language, site.locale),
  }
  const path = `/projects/${project.slug}/${activity.slug}`
  const isAuthor = kind === 'contribution-merged' || kind === 'objection-answered'
  const leave =
    kind === 'merge-followed' &&
    buildUnsubscribeUrl(ctx, language, { kind: 'contribution', contributionId: contribution.id, userId: reader.id })
  await queueMail(ctx, tx, {
    kind,
    to: reader.email,
    userId: reader.id,
    language,
    ...(leave && { leaveUrl: leave }),
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [
        t(`${kind}.text`, names),
        t('contribution-reason', { reason }),
        ...(kind === 'contribution-merged' ? [t('contribution-merged.object')] : []),
      ],
      action: {
        label: t('contribution-action'),
        href: buildSiteUrl(ctx, `/${language}${path}/${isAuthor ? `receipt?number=${contribution.number}` : contribution.number}`),
      },
      footer: t(kind in FOOTERS ? FOOTERS[kind as keyof typeof FOOTERS] : 'contribution-footer', names),
      ...(leave && { leave: { label: t('contribution-followed.leave'), href: leave } }),
    },
  })
}
