import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { JOBS } from '#app/root/jobs.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { budgetCounts, budgetOptions, budgetPots, budgetRounds } from '../db/schema/budgets.ts'
import { ledgers, ledgerWaiting } from '../db/schema/ledger.ts'
import { contributionLinks, officialAnswerSets, officialResponses } from '../db/schema/contributions.ts'
import { appearanceRevisions } from '../db/schema/homepage.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { outboxMails } from '../db/schema/mail.ts'
import { installations } from '../db/schema/marketplace.ts'
import { campaigns, smsMessages, textConversations } from '../db/schema/messages.ts'
import { moderationCases, moderationReports, moderationRules } from '../db/schema/moderation.ts'
import { cityConnectors, cityDatasets } from '../db/schema/opencities.ts'
import { reachSalts } from '../db/schema/reach.ts'
import { engagedDaysDue, responseChanges, responseRecounts } from '../db/schema/response-figures.ts'
import { reportViews } from '../db/schema/reports.ts'
import { responses } from '../db/schema/responses.ts'
import { themeSuggestionRuns } from '../db/schema/heard.ts'
import { surveyExports } from '../db/schema/results.ts'
import { siteFigures, sites } from '../db/schema/sites.ts'
import { contributionDigestItems, projectUpdates } from '../db/schema/updates.ts'
import type { Site } from '../site-directory.ts'
import { runOnEachSite } from './each-site.ts'
import { JOBS_WITH_SITE_LOOKUP, loadSitesWithWork, runOnSitesWithWork, type SiteLookupJob } from './sites-with-work.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})

test('a site that fails does not stop the others, and its error is thrown at the end', async () => {
  for (const slug of ['ashford', 'birchwick', 'cedarholm']) await addSite(runtime, { slug })
  const seen: string[] = []
  const failing = runOnEachSite(runtime, async ({ site }) => {
    seen.push(site.slug)
    if (site.slug === 'ashford') throw new Error('no room')
    return 1
  })
  await expect(failing).rejects.toThrow('no room')
  expect(seen).toEqual(['ashford', 'birchwick', 'cedarholm'])
  await expect(runOnEachSite(runtime, async () => 2)).resolves.toBe(6)
  await expect(runOnEachSite(runtime, async ({ site }) => Promise.reject(new Error(site.slug)))).rejects.toThrow('failed on 3 sites')
})

/** `sweeps.test.ts` has those that delete or warn, `recount-responses.test.ts` the nightly check, `retention.test.ts` what removes personal data. */
const TESTED_APART: readonly SiteLookupJob[] = [
  'remind-of-certificates',
  'sweep-calls',
  'sweep-webhooks',
  'sweep-verifications',
  'sweep-uploads',
  'sweep-contribution-photos',
  'erase-originals',
  'sweep-response-files',
  'sweep-response-drafts',
  'expire-exports',
  'thin-revisions',
  'sweep',
  'check-figures',
  'remove-personal-data',
  // On Mondays, in each site's time zone.
  'mail-weekly',
]
const JOBS_HERE = JOBS_WITH_SITE_LOOKUP.filter((job) => !TESTED_APART.includes(job))

test('for each job, finds only the site with work, and nothing that is not yet due', async () => {
  const busy = await addSite(runtime, { slug: 'dunmore' })
  const waits = await addSite(runtime, { slug: 'elmhurst' })
  const due = new Date(Date.now() - 1000)
  const later = new Date(Date.now() + 3_600_000)
  const text = { en: 'Trees' }
  for (const [site, at] of [
    [busy, due],
    [waits, later],
  ] as const) {
    const own = () => ({ siteId: site.id, id: createId() })
    const project = await addProject(runtime, site, { status: 'scheduled', publishedAt: null, publishAt: at })
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    const officer = await addPerson(runtime, site)
    const shown = await addProject(runtime, site, { status: 'archived' })
    const ideas = await addActivity(runtime, site, { projectId: shown.id })
    const proposal = await addContribution(runtime, site, { activityId: ideas.id, number: 1 })
    await runtime.database.site(site.id).tx(async (tx) => {
      const revision = { ...own(), content: {}, createdAt: due, publishedAt: at }
      await tx.insert(appearanceRevisions).values(revision)
      await tx.insert(projectUpdates).values({ ...own(), projectId: project.id, slug: 'news', title: text, body: text, publishedAt: at })
      const mail = { recipient: 'ann@people.example', language: 'en' as const, subject: '', bodyText: '', bodyHtml: '' }
      await tx.insert(outboxMails).values({ ...own(), ...mail, nextAttemptAt: at })
      const times = { createdAt: due, updatedAt: due }
      await tx.insert(campaigns).values({ ...own(), ...times, name: 'News', status: site === busy ? 'sending' : 'draft' })
      const sms = {
        direction: 'out' as const,
        purpose: 'campaign' as const,
        status: 'waiting' as const,
        phone: '+12025550100',
        language: 'en' as const,
        body: '',
      }
      await tx.insert(smsMessages).values({ ...own(), ...sms, createdAt: due, nextAttemptAt: at })
      await tx.insert(installations).values({ ...own(), integration: 'webhooks', enabledAt: site === busy ? due : null })
      const connector = own()
      await tx.insert(cityConnectors).values({ ...connector, name: 'Data', portalUrl: 'https://data.example', kind: 'ckan' })
      await tx
        .insert(cityDatasets)
        .values({ ...own(), connectorId: connector.id, slug: 'trees', sourceId: 'trees', title: text, dueAt: at })
      const file = { surveyId: survey.id, format: 'csv' as const, language: 'en' as const, total: 1, createdAt: due, expiresAt: later }
      const answered = { surveyId: survey.id, version: 1, language: 'en' as const, answers: {}, receiptHash: Buffer.from(createId()) }
      await tx.insert(responses).values({ ...own(), ...answered, number: site === busy ? null : 1 })
      await tx.insert(surveyExports).values({ ...own(), ...file, state: site === busy ? 'waiting' : 'done' })
      const run = { projectId: project.id, source: 'q', language: 'en' as const, createdAt: due }
      await tx.insert(themeSuggestionRuns).values({ ...own(), ...run, state: site === busy ? 'waiting' : 'done' })
      await tx.insert(officialAnswerSets).values({
        ...own(),
        contributionIds: [createId()],
        writtenAt: due,
        state: site === busy ? 'waiting' : 'done',
        finishedAt: site === busy ? null : due,
      })
      const report = { userId: officer.id, audience: 'self' as const, name: 'Month', query: '', language: 'en' as const }
      await tx.insert(reportViews).values({ ...own(), ...report, schedule: 'weekly', nextAt: at, createdAt: due })
      const event = own()
      const startsAt = new Date(at.getTime() + 86_400_000)
      await tx.insert(events).values({ ...event, projectId: project.id, slug: 'walk', title: text, status: 'published', startsAt })
      await tx.insert(eventSignUps).values({ ...own(), eventId: event.id, language: 'en', state: 'going', createdAt: due })
      const round = { ...own(), projectId: project.id, slug: 'fund', title: text }
      await tx.insert(budgetRounds).values(round)
      // Who proposed an option is told once its round is published.
      const fund = { ...round, ...own(), projectId: shown.id, status: site === busy ? ('published' as const) : ('draft' as const) }
      const pot = { ...own(), roundId: fund.id }
      await tx.insert(budgetRounds).values(fund)
      await tx.insert(budgetPots).values({ ...pot, title: text, amount: 100 })
      const option = { roundId: fund.id, potId: pot.id, number: 1, title: text, cost: 50, state: 'feasible' as const }
      await tx.insert(budgetOptions).values({ ...own(), ...option, contributionId: proposal.id })
      const ledger = own()
      await tx.insert(ledgers).values({ ...ledger, ownerId: round.id })
      await tx.insert(ledgerWaiting).values({ siteId: site.id, ledgerId: ledger.id, kind: 'added', leaf: Buffer.alloc(32), dueAt: at })
      await tx.insert(budgetCounts).values({ ...own(), roundId: round.id, state: site === busy ? 'waiting' : 'done', createdAt: due })
      const conversation = { surveyId: survey.id, phoneHash: Buffer.alloc(32), version: 1, language: 'en' as const, question: 'q' }
      await tx.insert(textConversations).values({ ...own(), ...conversation, updatedAt: due, expiresAt: at })
    })
    await addContributionWork(site, at, site === busy ? null : due)
  }
  // Counted everywhere else, and nothing has changed since.
  for (const site of await runtime.sites.loadActive()) {
    if (site.id === busy.id) continue
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.delete(responseChanges)
      await tx.delete(engagedDaysDue)
      const at = { timeZone: site.timeZone, changedAt: new Date(0), recountedAt: due }
      await tx.insert(responseRecounts).values({ siteId: site.id, ...at })
      await tx.insert(reachSalts).values({ siteId: site.id, day: '2199-01-01', id: createId(), salt: Buffer.alloc(16) })
    })
    const none = { participants: 0, responses: 0, aware: 0, informed: 0, engaged: 0, failing: [] }
    await runtime.database.global.insert(siteFigures).values({
      siteId: site.id,
      countedAt: new Date(),
      ...none,
      openProjects: Number(site.id === waits.id),
      connections: Number(site.id === waits.id),
    })
  }
  await runtime.database.site(busy.id).tx((tx) => tx.insert(engagedDaysDue).values({ siteId: busy.id, day: '2026-11-20' }))
  for (const job of JOBS_HERE) expect([job, await loadSitesWithWork(runtime, job)]).toEqual([job, [busy.id]])
  // A suspended site still gets its mails: they tell its administrators why.
  await runtime.database.global.update(sites).set({ status: 'suspended' }).where(eq(sites.id, busy.id))
  for (const job of JOBS_HERE) expect([job, await loadSitesWithWork(runtime, job)]).toEqual([job, job === 'deliver-mails' ? [busy.id] : []])
  await runtime.database.global.update(sites).set({ status: 'active' }).where(eq(sites.id, busy.id))

  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const seen: string[][] = []
    const turn = runOnSitesWithWork('make-exports', async ({ sites: directory }) =>
      seen.push((await directory.loadActive()).map(({ slug }) => slug)),
    )
    const { signal } = new AbortController()
    await turn(runtime, signal)
    // Within a day every site has its turn all the same.
    vi.advanceTimersByTime(24 * 3_600_000)
    await turn(runtime, signal)
    await turn(runtime, signal)
    expect(seen).toEqual([['dunmore'], expect.arrayContaining(['ashford', 'dunmore', 'elmhurst']), ['dunmore']])
    const all = seen[1]?.toSorted()
    // Also little by little, wherever the round began.
    seen.length = 0
    for (let turns = 0; turns < 25; turns++) {
      vi.advanceTimersByTime(3_600_000)
      await turn(runtime, signal)
    }
    expect([...new Set(seen.flat())].toSorted()).toEqual(all)
    expect(Math.max(...seen.map((slugs) => slugs.length))).toBeLessThan(all?.length ?? 0)
  } finally {
    vi.useRealTimers()
  }
})

/** Cases, reports, merges, answers and digests that are due at a time, or of which people were told. */
async function addContributionWork(site: Site, at: Date, toldAt: Date | null): Promise<void> {
  const activity = await addActivity(runtime, site, { newsUntil: new Date() })
  const [about, other] = [
    await addContribution(runtime, site, { activityId: activity.id, number: 1 }),
    await addContribution(runtime, site, { activityId: activity.id, number: 2 }),
  ]
  const reader = await addPerson(runtime, site)
  const own = () => ({ siteId: site.id, id: createId() })
  await runtime.database.site(site.id).tx(async (tx) => {
    const opened = { contributionId: about.id, openedBy: 'report' as const, dueAt: at }
    await tx.insert(moderationCases).values({ ...own(), ...opened, heldUntil: at })
    const [decided, rule] = [own(), own()]
    await tx.insert(moderationCases).values({ ...decided, ...opened, contributionId: other.id, state: 'closed' })
    await tx.insert(moderationRules).values({ ...rule, code: 'bench', label: { en: 'Rule' } })
    const report = { caseId: decided.id, contributionId: other.id, version: 1, personHash: Buffer.alloc(32), byAccount: true }
    await tx.insert(moderationReports).values({ ...own(), ...report, reporterId: reader.id, ruleId: rule.id, ruleVersion: 1, toldAt })
    await tx.insert(contributionLinks).values({ ...own(), contributionId: other.id, targetId: about.id, kind: 'duplicate_of', toldAt })
    await tx.insert(officialResponses).values({ ...own(), contributionId: about.id, version: 1, toldAt })
    await tx.insert(contributionDigestItems).values({ siteId: site.id, userId: reader.id, activityId: activity.id, since: at, dueAt: at })
  })
}

test('looking for work reads no response that has nothing to wait for, however many arrived today', { timeout: 60_000 }, async () => {
  const many = await addSite(runtime, { slug: 'fernhill' })
  const survey = await addSurvey(runtime, many, { projectId: (await addProject(runtime, many)).id })
  await runtime.database.site(many.id).tx(async (tx) => {
    await tx.execute(sql`
      insert into responses (site_id, id, survey_id, version, language, answers, receipt_hash, number)
      select ${many.id}, gen_random_uuid(), ${survey.id}, 1, 'en', '{}', sha256(gen_random_uuid()::text::bytea), n from generate_series(1, 3000) n`)
    await tx.delete(responseChanges)
    await tx.insert(responseRecounts).values({ siteId: many.id, timeZone: many.timeZone, changedAt: new Date(), recountedAt: new Date() })
  })
  for (const job of JOBS_WITH_SITE_LOOKUP)
    expect([job, await countRowsRead(job, 'responses')]).toEqual([job, expect.toSatisfy((rows: number) => rows < 100, 'fewer than 100')])
})

test('what jobs look for every few seconds costs nothing on sites without work', async () => {
  await runtime.database.global.execute(sql`
    insert into sites (id, slug, name, region, locale, languages, time_zone)
    select gen_random_uuid(), 'idle-' || n, 'Idle', 'Canada', 'en', '{en}', 'America/Toronto' from generate_series(1, 300) n`)
  const frequent = JOBS_WITH_SITE_LOOKUP.filter((name) => (JOBS.find((job) => job.name === name)?.everySeconds ?? 0) < 60)
  expect(frequent).toContain('count-responses')
  for (const job of frequent)
    expect([job, await countRowsRead(job, 'sites')]).toEqual([job, expect.toSatisfy((rows: number) => rows < 10, 'fewer than 10')])
})

/** Rows of a table that one lookup reads. */
async function countRowsRead(job: SiteLookupJob, table: string): Promise<number> {
  const [site] = await runtime.sites.loadActive()
  return runtime.database.site(site?.id ?? '').tx(async (tx) => {
    const readCount = async () => {
      const { rows } = await tx.execute<{ read: number }>(
        sql`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where relname = ${table}`,
      )
      return rows[0]?.read ?? 0
    }
    const before = await readCount()
    await tx.execute(sql`select count(*) from sites_with_work(${job}, now())`)
    return (await readCount()) - before
  })
}
