import { eq } from 'drizzle-orm'
import { chooseDuties } from '#app/features/duties/duties.schema.ts'
import { chooseHolidays } from '#app/lib/public-holidays.ts'
import { createRandom } from '#app/lib/random.ts'
import { createId } from '#app/lib/uuid.ts'
import { hashPassword } from '#app/server/auth/passwords.ts'
import type { Database, Tx } from '#app/server/db/client.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { retentionSettings } from '#app/server/db/schema/projects.ts'
import { siteDomains, siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Storage } from '#app/server/storage/storage.ts'
import { createCalendar } from './calendar.ts'
import { DEMO_SITES } from './content/sites.ts'
import type { DemoSite } from './content/types.ts'
import { insertAll } from './insert-rows.ts'
import { seedBudgets } from './seed-budgets.ts'
import { seedContent } from './seed-content.ts'
import { DEMO_PASSWORD, DEMO_PLATFORM_ACCOUNT } from './demo-accounts.ts'
import { seedContributions } from './seed-contributions.ts'
import { seedDuties } from './seed-duties.ts'
import { seedEvents } from './seed-events.ts'
import { seedHeard } from './seed-heard.ts'
import { seedHistory } from './seed-history.ts'
import { seedMap } from './seed-map.ts'
import { seedNewsletters } from './seed-newsletters.ts'
import { seedPeople } from './seed-people.ts'
import { seedPlaces } from './seed-places.ts'
import { seedProfile } from './seed-profile.ts'
import { seedQuestions } from './seed-questions.ts'
import { seedReach } from './seed-reach.ts'
import { seedResponses } from './seed-responses.ts'
import { seedStories } from './seed-stories.ts'
import { seedVerifiedIdeas } from './seed-verified.ts'
import { seedTextMessages } from './seed-text-messages.ts'
import type { SeedContext } from './seed-context.ts'

export interface DemoReport {
  /** Sites created by this run; existing ones are left as they are. */
  sites: { slug: string; name: string; host: string; responses: number; accounts: string[] }[]
  accounts: string[]
  password: string
}

/**
 * Fills an empty database with the demo: three active sites, their people and their responses. The choices are always the same; dates are
 * relative to `now`. Each site is one transaction; an existing site is not touched. Pictures of contributions need a `storage`, and the
 * demo's library card the server's `secret`.
 */
export async function seedDemo(
  database: Database,
  options: { now?: Date; say?: (line: string) => void; storage?: Storage; secret?: string } = {},
): Promise<DemoReport> {
  const now = options.now ?? new Date()
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await database.site(PLATFORM_SITE_ID).tx((tx) => seedPlatform(tx, passwordHash, now))
  const report: DemoReport = { sites: [], accounts: [DEMO_PLATFORM_ACCOUNT], password: DEMO_PASSWORD }
  for (const content of DEMO_SITES) {
    const [standing] = await database.global.select({ id: sites.id }).from(sites).where(eq(sites.slug, content.slug))
    if (standing) continue
    options.say?.(`Making the demo site ${content.name}…`)
    const siteId = createId()
    const made = await database
      .site(siteId)
      .tx((tx) => seedSite(tx, { siteId, content, passwordHash, now, storage: options.storage, secret: options.secret ?? '' }))
    report.sites.push(made)
    report.accounts.push(...made.accounts)
  }
  return report
}

async function seedPlatform(tx: Tx, passwordHash: string, now: Date): Promise<void> {
  const id = createId()
  const [made] = await tx
    .insert(users)
    .values({
      siteId: PLATFORM_SITE_ID,
      id,
      email: DEMO_PLATFORM_ACCOUNT,
      login: 'Robin Ferreira',
      type: 'administrator',
      passwordHash,
      locale: 'en',
      emailConfirmedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (made) await tx.insert(memberships).values({ siteId: PLATFORM_SITE_ID, id: createId(), userId: made.id, role: 'platform_admin' })
}

async function seedSite(
  tx: Tx,
  {
    siteId,
    content,
    passwordHash,
    now,
    storage,
    secret,
  }: { siteId: string; content: DemoSite; passwordHash: string; now: Date; storage: Storage | undefined; secret: string },
): Promise<DemoReport['sites'][number]> {
  const calendar = createCalendar(now, content.timeZone)
  await tx.insert(sites).values({
    id: siteId,
    slug: content.slug,
    name: content.name,
    region: content.region,
    locale: content.locale,
    languages: content.languages,
    timeZone: content.timeZone,
    holidays: chooseHolidays(content.region),
    duties: chooseDuties(content.region, content.languages),
    tagline: content.tagline,
    contactEmail: `hello@${content.mailDomain}`,
    theme: { ...content.palette, mark: `/demo/${content.slug}/mark.svg` },
    consentRequired: content.consentRequired,
    createdAt: calendar.at(-900 + 7 * DEMO_SITES.indexOf(content), 9),
  })
  if (content.keptMonths !== undefined)
    await tx.insert(retentionSettings).values({ siteId, keptMonths: content.keptMonths, updatedAt: now })
  await tx.insert(siteDomains).values(content.hosts.map((host) => ({ host, siteId, isPrimary: host === `${content.slug}.localhost` })))
  await insertAll(
    tx,
    siteFeatures,
    Object.entries(content.features).map(([name, enabled]) => ({ siteId, name, enabled })),
  )
  const seeding: SeedContext = { tx, siteId, content, calendar, passwordHash, storage, secret, random: createRandom(content.slug) }
  const people = await seedPeople(seeding)
  const placed = await seedContent(seeding, people)
  const responses = await seedResponses(seeding, people, placed)
  await seedHeard(seeding, people, placed)
  await seedDuties(seeding, placed)
  await seedContributions(seeding, people, placed)
  await seedMap(seeding)
  await seedPlaces(seeding, people, placed)
  await seedQuestions(seeding, people, placed)
  await seedStories(seeding, people, placed)
  const cardList = await seedVerifiedIdeas(seeding, placed)
  await seedBudgets(seeding, people, placed, cardList)
  await seedEvents(seeding, people, placed)
  await seedHistory(seeding, people, placed)
  await seedReach(seeding, placed)
  await seedTextMessages(seeding, people)
  await seedNewsletters(seeding, people)
  await seedProfile(seeding, people)
  return {
    slug: content.slug,
    name: content.name,
    host: content.hosts[0] ?? `${content.slug}.localhost`,
    responses,
    accounts: Object.values(people.accounts).map((account) => account.email),
  }
}
