import { and, count, eq, gt, isNotNull, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { GroupRule } from '#app/features/accounts/accounts.schema.ts'
import { loadGroupCondition, loadSupporterCondition } from '#app/features/accounts/people.list.server.ts'
import { buildInvolvementCondition } from '#app/features/accounts/participation.server.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { peopleGroups, users } from '#app/server/db/schema/accounts.ts'
import { homeAreas } from '#app/server/db/schema/areas.ts'
import { mailAddresses } from '#app/server/db/schema/mail.ts'
import { userPhones } from '#app/server/db/schema/messages.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Audience, Channel } from './campaigns.schema.ts'

export interface Reader {
  id: string
  login: string
  /** Phone number in E.164 format, or email address. */
  address: string
  locale: ContentLanguage
}

/** Whom a campaign reaches: people of its department or project, with filters. */
export interface AudienceQuery {
  channel: Channel
  hubId: string | null
  projectId: string | null
  audience: Audience
  /** Only people without an area that they may be targeted by. */
  unplaced?: boolean
}

/** Per channel: the columns to scan, and the condition for being reachable. */
const CHANNEL_COLUMNS = {
  sms: {
    key: userPhones.userId,
    address: userPhones.phone,
    site: userPhones.siteId,
    // The latest ledger entry for a number is the one that counts.
    agreed: (siteId: string) => sql`(select c.given from sms_consents c
      where c.site_id = ${siteId} and c.phone = ${userPhones.phone} order by c.at desc, c.id desc limit 1)`,
  },
  email: {
    key: users.id,
    address: users.email,
    site: users.siteId,
    agreed: (siteId: string) => sql`${users.marketingConsentAt} is not null and not exists (
      select 1 from ${mailAddresses} where ${mailAddresses.siteId} = ${siteId} and ${mailAddresses.address} = ${users.email}
        and ${mailAddresses.bouncedAt} is not null)`,
  },
} as const

/** Matches people who are reachable, have consented and are in the audience. */
const loadReaderCondition = async (ctx: Ctx, tx: Tx, of: AudienceQuery): Promise<SQL | undefined> =>
  and(CHANNEL_COLUMNS[of.channel].agreed(ctx.site.id), await loadAudienceCondition(ctx, tx, of))

async function loadAudienceCondition(ctx: Ctx, tx: Tx, { hubId, projectId, audience, unplaced }: AudienceQuery): Promise<SQL | undefined> {
  const siteId = ctx.site.id
  const [group] = audience.group
    ? await tx
        .select()
        .from(peopleGroups)
        .where(and(eq(peopleGroups.siteId, siteId), eq(peopleGroups.id, audience.group)))
    : []
  const groupRule = group?.rule as GroupRule | null | undefined
  const inHub = hubId ? sql`${projects.hubId} = ${hubId}` : undefined
  const place = projectId ? sql`${projects.id} = ${projectId}` : inHub
  return and(
    eq(users.siteId, siteId),
    isNull(users.blockedAt),
    isNotNull(users.emailConfirmedAt),
    place &&
      or(buildParticipationCondition(siteId, place), await loadSupporterCondition(ctx, tx, { rule: groupRule ?? null, inScope: place })),
    audience.area ? buildHomeAreaCondition(siteId, sql`area_id = ${audience.area}`) : undefined,
    unplaced ? not(buildHomeAreaCondition(siteId, sql`true`)) : undefined,
    // Only within the campaign's own place: it must not single out people of other departments' projects.
    audience.topic ? buildParticipationCondition(siteId, and(sql`${projects.topicId} = ${audience.topic}`, place) ?? sql`true`) : undefined,
    audience.language ? eq(users.locale, audience.language) : undefined,
    audience.group ? (group ? await loadGroupCondition(ctx, tx, group) : sql`false`) : undefined,
  )
}

/**
 * Scans the next `most` candidates by id and returns those in the audience. The cost depends on the batch, not on the size of the site.
 * @returns matching readers, and the id to continue after; null at the end
 */
export async function loadReadersAfter(
  ctx: Ctx,
  tx: Tx,
  of: AudienceQuery,
  after: string | null,
  most: number,
): Promise<{ readers: Reader[]; until: string | null }> {
  const { key, site } = CHANNEL_COLUMNS[of.channel]
  const beyond = and(eq(site, ctx.site.id), after ? gt(key, after) : undefined)
  const people = tx.select({ id: key }).from(of.channel === 'sms' ? userPhones : users)
  const [last] = await people
    .where(beyond)
    .orderBy(key)
    .limit(1)
    .offset(most - 1)
  const where = and(await loadReaderCondition(ctx, tx, of), beyond, last ? lte(key, last.id) : undefined)
  const readers = await selectReaders(tx, of, where).orderBy(key)
  return { readers, until: last?.id ?? null }
}

function selectReaders(tx: Tx, { channel }: AudienceQuery, where: SQL | undefined) {
  const { address } = CHANNEL_COLUMNS[channel]
  const people = tx
    .select({ id: users.id, login: users.login, address: sql<string>`${address}`, locale: users.locale })
    .from(users)
    .$dynamic()
  const withPhones = and(eq(userPhones.siteId, users.siteId), eq(userPhones.userId, users.id))
  return (channel === 'sms' ? people.innerJoin(userPhones, withPhones) : people).where(where)
}

/** The whole audience in batches. */
export async function* streamReaders(ctx: Ctx, of: AudienceQuery, most: number): AsyncGenerator<Reader[]> {
  for (let after: string | null = null; ;) {
    const from: string | null = after
    const found: { readers: Reader[]; until: string | null } = await ctx.db.read((tx) => loadReadersAfter(ctx, tx, of, from, most))
    yield found.readers
    if (!found.until) return
    after = found.until
  }
}

/** A page of the audience, and how many it has: the database counts and skips, so that only the page is read. */
export function loadReaderPage(
  ctx: Ctx,
  of: AudienceQuery,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ readers: Reader[]; total: number }> {
  const { key, site } = CHANNEL_COLUMNS[of.channel]
  return ctx.db.read(async (tx) => {
    const where = and(eq(site, ctx.site.id), await loadReaderCondition(ctx, tx, of))
    const [counted] = await tx.select({ total: count() }).from(selectReaders(tx, of, where).as('audience'))
    const readers = await selectReaders(tx, of, where).orderBy(key).limit(limit).offset(offset)
    return { readers, total: counted?.total ?? 0 }
  })
}

/** Counts people in a newsletter's audience who consented but whose address refuses mail. */
export async function countUnreachable(ctx: Ctx, of: AudienceQuery): Promise<number> {
  const [counted] = await ctx.db.read(async (tx) =>
    tx
      .select({ total: count() })
      .from(users)
      .innerJoin(
        mailAddresses,
        and(eq(mailAddresses.siteId, users.siteId), eq(mailAddresses.address, users.email), isNotNull(mailAddresses.bouncedAt)),
      )
      .where(and(isNotNull(users.marketingConsentAt), await loadAudienceCondition(ctx, tx, of))),
  )
  return counted?.total ?? 0
}

/** Counts people left out only because they gave no area; null unless the audience is filtered by area. */
export async function countWithoutArea(ctx: Ctx, of: AudienceQuery): Promise<number | null> {
  const { area, ...rest } = of.audience
  if (!area) return null
  let total = 0
  for await (const readers of streamReaders(ctx, { ...of, audience: rest, unplaced: true }, READERS_PER_BATCH)) total += readers.length
  return total
}

/** Number of people a count scans at once. */
export const READERS_PER_BATCH = 5000

/** People who said where they live and consented to being targeted by it. */
const buildHomeAreaCondition = (siteId: string, where: SQL): SQL =>
  sql`${users.id} in (select user_id from ${homeAreas} where site_id = ${siteId} and news_consented_at is not null and ${where})`

/** People who belong to a project, but for members who did nothing there. */
const buildParticipationCondition = (siteId: string, project: SQL): SQL =>
  buildInvolvementCondition({ siteId, column: sql`${users.id}`, inScope: project }, false)
