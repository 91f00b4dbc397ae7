import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { appearanceRevisions } from '../db/schema/homepage.ts'
import { outboxMails } from '../db/schema/mail.ts'
import { installations } from '../db/schema/marketplace.ts'
import { campaigns, smsMessages } from '../db/schema/messages.ts'
import { cityConnectors, cityDatasets } from '../db/schema/opencities.ts'
import { reachSalts } from '../db/schema/reach.ts'
import { engagedDaysDue, responseChanges, responseRecounts } from '../db/schema/response-figures.ts'
import { responses } from '../db/schema/responses.ts'
import { surveyExports } from '../db/schema/results.ts'
import { siteFigures, sites } from '../db/schema/sites.ts'
import { projectUpdates } from '../db/schema/updates.ts'
import { runOnEachSite } from './each-site.ts'
import { JOBS_WITH_SITE_LOOKUP, loadSitesWithWork, runOnSitesWithWork } from './sites-with-work.ts'

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

test('for each job, finds only the site with work, and nothing that is not yet due', async () => {
  const busy = await addSite(runtime, { slug: 'dunmore' })
  const waits = await addSite(runtime, { slug: 'elmhurst' })
  const due = new Date(Date.now() - 1000)
  const later = new Date(Date.now() + 60_000)
  const text = { en: 'Trees' }
  for (const [site, at] of [
    [busy, due],
    [waits, later],
  ] as const) {
    const own = () => ({ siteId: site.id, id: createId() })
    const project = await addProject(runtime, site, { status: 'scheduled', publishedAt: null, publishAt: at })
    const survey = await addSurvey(runtime, site, { projectId: project.id })
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
    })
  }
  // Counted everywhere else, and nothing has changed since.
  for (const site of await runtime.sites.loadActive()) {
    if (site.id === busy.id) continue
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.delete(responseChanges)
      const at = { timeZone: site.timeZone, changedAt: new Date(0), recountedAt: due }
      await tx.insert(responseRecounts).values({ siteId: site.id, ...at })
      await tx.insert(reachSalts).values({ siteId: site.id, day: '2199-01-01', id: createId(), salt: Buffer.alloc(16) })
    })
    const none = { openProjects: 0, participants: 0, responses: 0, aware: 0, informed: 0, engaged: 0, failing: [] }
    await runtime.database.global
      .insert(siteFigures)
      .values({ siteId: site.id, countedAt: new Date(), ...none, connections: site.id === waits.id ? 1 : 0 })
  }
  await runtime.database.site(busy.id).tx((tx) => tx.insert(engagedDaysDue).values({ siteId: busy.id, day: '2026-11-20' }))
  for (const job of JOBS_WITH_SITE_LOOKUP) expect([job, await loadSitesWithWork(runtime, job)]).toEqual([job, [busy.id]])
  // A suspended site still gets its mails: they tell its administrators why.
  await runtime.database.global.update(sites).set({ status: 'suspended' }).where(eq(sites.id, busy.id))
  for (const job of JOBS_WITH_SITE_LOOKUP)
    expect([job, await loadSitesWithWork(runtime, job)]).toEqual([job, job === 'deliver-mails' ? [busy.id] : []])
  await runtime.database.global.update(sites).set({ status: 'active' }).where(eq(sites.id, busy.id))

  const seen: string[][] = []
  const turn = runOnSitesWithWork('make-exports', async ({ sites: directory }) =>
    seen.push((await directory.loadActive()).map(({ slug }) => slug)),
  )
  const { signal } = new AbortController()
  await turn(runtime, signal)
  await turn(runtime, signal)
  expect(seen).toEqual([expect.arrayContaining(['ashford', 'dunmore', 'elmhurst']), ['dunmore']])
})
