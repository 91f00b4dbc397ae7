import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { getContribution, getProjectActivities, listContributions } from '#app/features/contributions/reading/views.server.ts'
import { readSiteFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { getHomepage, getHubHomepage } from '#app/features/homepage/homepage.server.ts'
import { getHub, listHubs } from '#app/features/hubs/hubs.server.ts'
import { readOpencitiesMeta } from '#app/features/opencities/opencities.server.ts'
import { listPublishedDatasets } from '#app/features/opencities/published-datasets.server.ts'
import { getPage } from '#app/features/pages/pages.server.ts'
import { listProjects } from '#app/features/projects/projects.list.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { getSiteFrame } from '#app/features/sites/sites.server.ts'
import { buildSitemap } from '#app/features/sites/sitemap.server.ts'
import { getPublicResults } from '#app/features/surveys/results/results.server.ts'
import { getUpdate } from '#app/features/updates/updates.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import * as contributionTables from '#app/server/db/schema/contributions.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projectDates, projects, topics } from '#app/server/db/schema/projects.ts'
import { siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { ContentMemory } from '#app/server/memory/content-memory.ts'
import { MemoryBudget } from '#app/server/memory/memory-budget.ts'
import { PublicReads } from '#app/server/public-reads.ts'
import type { Site } from '#app/server/site-directory.ts'
import { readCurrentSite, readSiteSettings } from '#app/shell/page-state.server.ts'
import { addHub, addPage, addTopic, addUpdate } from '#tests/factories/content.ts'
import { addActivity, addContribution, addStage } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

/**
 * After every kind of change, each kind of page that is kept is what a process without a memory reads. This is what a wrong `readWithin`, or a column
 * that is wrongly left out of `content_of`, would break.
 */

const { activities, contributionLinks, contributionStatuses, contributions, officialResponses, projectStages, replies } = contributionTables
const NOW = new Date('2026-05-04T12:00:00Z')

let runtime: TestRuntime
let site: Site
let memory: ContentMemory<unknown>
let content: Awaited<ReturnType<typeof addContent>>

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  runtime.publicReads = new PublicReads({ changes: runtime.sites.changes })
  memory = new ContentMemory({ budget: new MemoryBudget(10_000_000), name: 'pages', ttlMs: 3_600_000, changes: runtime.sites.changes })
  site = await addSite(runtime)
  content = await addContent()
})

async function addContent() {
  const [hub, topic] = [await addHub(runtime, site), await addTopic(runtime, site, { slug: 'streets', title: inAllLanguages('Streets') })]
  const [elm, oak] = [
    await addProject(runtime, site, { slug: 'elm', hubId: hub.id, topicId: topic.id }),
    await addProject(runtime, site, { slug: 'oak' }),
  ]
  const stage = await addStage(runtime, site, { projectId: elm.id })
  const ideas = await addActivity(runtime, site, { projectId: elm.id, slug: 'ideas', stageId: stage.id })
  const others = await addActivity(runtime, site, { projectId: oak.id, slug: 'ideas' })
  const first = await addContribution(runtime, site, { activityId: ideas.id, number: 1 })
  const second = await addContribution(runtime, site, { activityId: ideas.id, number: 2 })
  const third = await addContribution(runtime, site, { activityId: ideas.id, number: 3 })
  const away = await addContribution(runtime, site, { activityId: others.id, number: 1 })
  const update = await addUpdate(runtime, site, elm.id, { slug: 'news' })
  const survey = await addSurvey(runtime, site, { projectId: elm.id, slug: 'survey', resultsPublic: true })
  const page = await addPage(runtime, site, { slug: 'about' })
  return { hub, topic, elm, oak, stage, ideas, others, first, second, third, away, update, survey, page }
}

/** What the loaders of pages read. */
const VIEWS: Readonly<Record<string, (ctx: Ctx) => Promise<unknown>>> = {
  frame: getSiteFrame,
  site: async (ctx) => [await readCurrentSite(ctx), readSiteSettings(ctx)],
  features: readSiteFeatures,
  'open cities': readOpencitiesMeta,
  homepage: getHomepage,
  projects: (ctx) => listProjects(ctx, {}),
  'project elm': (ctx) => getProject(ctx, { slug: 'elm' }),
  'project oak': (ctx) => getProject(ctx, { slug: 'oak' }),
  'activities of elm': (ctx) => getProjectActivities(ctx, { slug: 'elm' }),
  'activities of oak': (ctx) => getProjectActivities(ctx, { slug: 'oak' }),
  'data of elm': (ctx) => listPublishedDatasets(ctx, { project: 'elm' }),
  'ideas of elm': (ctx) => listContributions(ctx, { project: 'elm', activity: 'ideas' }, {}),
  'ideas of oak': (ctx) => listContributions(ctx, { project: 'oak', activity: 'ideas' }, {}),
  'idea 1': (ctx) => getContribution(ctx, { project: 'elm', activity: 'ideas' }, 1, undefined),
  'idea 2': (ctx) => getContribution(ctx, { project: 'elm', activity: 'ideas' }, 2, undefined),
  'idea 3': (ctx) => getContribution(ctx, { project: 'elm', activity: 'ideas' }, 3, undefined),
  'idea of oak': (ctx) => getContribution(ctx, { project: 'oak', activity: 'ideas' }, 1, undefined),
  update: (ctx) => getUpdate(ctx, { project: 'elm', update: 'news' }),
  results: (ctx) => getPublicResults(ctx, { project: 'elm', survey: 'survey' }),
  hubs: listHubs,
  hub: (ctx) => getHub(ctx, { slug: content.hub.slug }),
  'page of the hub': (ctx) => getHubHomepage(ctx, { slug: content.hub.slug }),
  page: (ctx) => getPage(ctx, { slug: 'about' }),
  sitemap: buildSitemap,
}

async function findSite(): Promise<Site> {
  runtime.sites.forget()
  const found = await runtime.sites.find(site.host)
  if (!found) throw new Error('The site is gone')
  return found
}

const toText = async (reading: Promise<unknown>): Promise<string> =>
  JSON.stringify(await reading.catch((error: unknown) => (error as { code?: string }).code))

/** Everything as it is kept, made where it is not; and which of it was found. */
async function readKept() {
  const current = await findSite()
  const found: string[] = []
  const shown: Record<string, string> = {}
  for (const [name, read] of Object.entries(VIEWS)) {
    if (memory.find(current, name) !== undefined) found.push(name)
    const ctx = createCtx(runtime, current)
    shown[name] = (await memory.obtain(current, name, async () => ({ value: await toText(read(ctx)), bytes: 100 }))) as string
  }
  return { found, shown }
}

async function readFresh(): Promise<Record<string, string>> {
  const current = await findSite()
  const { publicReads: _, ...forgetful } = runtime
  return Object.fromEntries(
    await Promise.all(
      Object.entries(VIEWS).map(async ([name, read]) => [name, await toText(read(createCtx(forgetful, current)))] as const),
    ),
  )
}

type Change = (tx: Tx, all: typeof content) => PromiseLike<unknown>

/** With what must be kept through it. */
const CHANGES: Readonly<Record<string, { change: Change; keeps: readonly string[] }>> = {
  'a contribution is published': {
    change: (tx, { ideas }) =>
      tx.insert(contributions).values({
        siteId: site.id,
        id: createId(),
        activityId: ideas.id,
        number: 4,
        language: 'en',
        title: 'Benches',
        body: 'Everywhere',
        placeText: '',
        state: 'published',
        receiptHash: Buffer.from('4'),
        submittedAt: NOW,
        publishedAt: NOW,
      }),
    keeps: [
      'frame',
      'homepage',
      'projects',
      'project elm',
      'project oak',
      'activities of oak',
      'ideas of oak',
      'idea 1',
      'idea 2',
      'idea of oak',
      'page',
      'hub',
    ],
  },
  'a contribution is edited': {
    change: (tx, { first }) => tx.update(contributions).set({ title: 'Other words' }).where(eq(contributions.id, first.id)),
    keeps: ['frame', 'homepage', 'project elm', 'idea 2', 'ideas of oak', 'page'],
  },
  'two contributions are named as related': {
    change: (tx, { first, second }) =>
      tx
        .insert(contributionLinks)
        .values({ siteId: site.id, id: createId(), contributionId: first.id, targetId: second.id, kind: 'related', createdAt: NOW }),
    keeps: ['idea 3', 'idea of oak', 'homepage', 'page'],
  },
  'a related contribution is renamed': {
    change: (tx, { second }) => tx.update(contributions).set({ title: 'Related to this' }).where(eq(contributions.id, second.id)),
    keeps: ['idea 3', 'idea of oak', 'homepage', 'page'],
  },
  'a relation ends': {
    change: (tx) => tx.update(contributionLinks).set({ endedAt: NOW }).where(eq(contributionLinks.kind, 'related')),
    keeps: ['idea 3', 'homepage', 'page'],
  },
  'a contribution is merged into another': {
    change: async (tx, { third, second }) => {
      await tx
        .insert(contributionLinks)
        .values({ siteId: site.id, id: createId(), contributionId: third.id, targetId: second.id, kind: 'duplicate_of', createdAt: NOW })
      await tx.update(contributions).set({ state: 'merged', mergedInto: second.id }).where(eq(contributions.id, third.id))
    },
    keeps: ['idea 1', 'idea of oak', 'homepage', 'page'],
  },
  'what it was merged into is renamed': {
    change: (tx, { second }) => tx.update(contributions).set({ title: 'Both in one' }).where(eq(contributions.id, second.id)),
    keeps: ['idea 1', 'idea of oak', 'homepage', 'page'],
  },
  'a reply is published': {
    change: async (tx, { first }) => {
      await tx.insert(replies).values({
        siteId: site.id,
        id: createId(),
        contributionId: first.id,
        language: 'en',
        body: 'Yes',
        state: 'published',
        receiptHash: Buffer.from('r'),
        createdAt: NOW,
      })
      await tx.update(contributions).set({ repliesCount: 1 }).where(eq(contributions.id, first.id))
    },
    keeps: ['idea 2', 'ideas of oak', 'homepage', 'page'],
  },
  'a contribution is answered': {
    change: async (tx, { first, ideas }) => {
      const statusId = ideas.statuses[1]?.id ?? null
      await tx.insert(officialResponses).values({
        siteId: site.id,
        id: createId(),
        contributionId: first.id,
        statusId,
        text: { en: 'We will' },
        version: 1,
        createdAt: NOW,
      })
      await tx.update(contributions).set({ statusId, answered: 'public' }).where(eq(contributions.id, first.id))
    },
    keeps: ['idea 2', 'homepage', 'page'],
  },
  'a status is renamed': {
    change: (tx, { ideas }) =>
      tx
        .update(contributionStatuses)
        .set({ title: { en: 'Renamed' } })
        .where(eq(contributionStatuses.activityId, ideas.id)),
    keeps: ['ideas of oak', 'idea of oak', 'homepage', 'page'],
  },
  'a contribution is removed': {
    change: (tx, { second }) => tx.update(contributions).set({ state: 'removed' }).where(eq(contributions.id, second.id)),
    keeps: ['idea of oak', 'ideas of oak', 'homepage', 'page'],
  },
  'an activity is renamed': {
    change: (tx, { ideas }) =>
      tx
        .update(activities)
        .set({ title: { en: 'Renamed' } })
        .where(eq(activities.id, ideas.id)),
    keeps: ['activities of oak', 'ideas of oak', 'idea of oak', 'homepage', 'page'],
  },
  'an activity is added': {
    change: (tx, { elm, ideas }) =>
      tx.insert(activities).values({
        siteId: site.id,
        id: createId(),
        projectId: elm.id,
        slug: 'more',
        title: { en: 'More' },
        kind: 'ideas',
        status: 'published',
        settings: ideas.settings,
      }),
    keeps: ['activities of oak', 'ideas of oak', 'homepage', 'page'],
  },
  'a stage is renamed': {
    change: (tx, { stage }) =>
      tx
        .update(projectStages)
        .set({ title: { en: 'Deciding' } })
        .where(eq(projectStages.id, stage.id)),
    keeps: ['activities of oak', 'homepage', 'page'],
  },
  'a project is edited': {
    change: (tx, { elm }) =>
      tx
        .update(projects)
        .set({ title: { en: 'Elm Street' } })
        .where(eq(projects.id, elm.id)),
    keeps: ['page', 'project oak', 'activities of oak', 'ideas of oak', 'idea of oak'],
  },
  'a project gets a date': {
    change: (tx, { elm }) =>
      tx.insert(projectDates).values({ siteId: site.id, id: createId(), projectId: elm.id, title: { en: 'Meeting' }, happensAt: NOW }),
    keeps: ['page', 'project oak', 'homepage', 'projects'],
  },
  'news is published': {
    change: (tx, { elm }) =>
      tx
        .insert(projectUpdates)
        .values({ siteId: site.id, id: createId(), projectId: elm.id, slug: 'more', title: { en: 'More' }, body: {}, publishedAt: NOW }),
    keeps: ['page', 'project oak', 'hub'],
  },
  'a survey is renamed': {
    change: (tx, { survey }) =>
      tx
        .update(surveys)
        .set({ title: { en: 'Renamed' } })
        .where(eq(surveys.id, survey.id)),
    keeps: ['page', 'hub', 'ideas of elm', 'idea 1'],
  },
  'a survey is added': {
    change: (tx, { survey }) => tx.insert(surveys).values({ ...survey, id: createId(), slug: 'another' }),
    keeps: ['page', 'hub', 'ideas of elm', 'idea 1'],
  },
  'a survey no longer shows its results': {
    change: (tx, { survey }) => tx.update(surveys).set({ resultsPublic: false }).where(eq(surveys.id, survey.id)),
    keeps: ['page', 'hub', 'ideas of elm', 'idea 1'],
  },
  'a department is renamed': {
    change: (tx, { hub }) =>
      tx
        .update(hubs)
        .set({ title: { en: 'Streets' } })
        .where(eq(hubs.id, hub.id)),
    keeps: ['page', 'ideas of elm', 'idea 1'],
  },
  'a topic is renamed': {
    change: (tx, { topic }) =>
      tx
        .update(topics)
        .set({ title: { en: 'Roads' } })
        .where(eq(topics.id, topic.id)),
    keeps: ['page', 'ideas of elm', 'idea 1'],
  },
  'a homepage is published': {
    change: (tx) => {
      const content = { blocks: [{ id: 'a', type: 'text', title: { en: 'Welcome' }, text: { en: 'Come in' } }] }
      return tx
        .insert(homepageRevisions)
        .values({ siteId: site.id, id: createId(), number: 1, content, publishedAt: NOW, createdAt: NOW } as never)
    },
    keeps: ['page', 'ideas of elm', 'idea 1'],
  },
  'a page is edited': {
    change: (tx, { page }) =>
      tx
        .update(pages)
        .set({ title: { en: 'About us' } })
        .where(eq(pages.id, page.id)),
    keeps: ['ideas of elm', 'idea 1', 'homepage', 'hub'],
  },
  'a page is withdrawn': {
    change: (tx, { page }) => tx.update(pages).set({ publishedAt: null }).where(eq(pages.id, page.id)),
    keeps: ['ideas of elm', 'idea 1', 'homepage', 'hub'],
  },
  'a feature is switched': {
    change: (tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'whitelist-embed', enabled: true }),
    keeps: ['ideas of elm', 'page', 'homepage', 'hub'],
  },
  'the site gets another look': {
    change: (tx) =>
      tx
        .update(sites)
        .set({ theme: { accent: '#104f4b' } })
        .where(eq(sites.id, site.id)),
    keeps: [],
  },
  'the site is renamed': { change: (tx) => tx.update(sites).set({ name: 'Renamed' }).where(eq(sites.id, site.id)), keeps: [] },
  'a project is taken off the site': {
    change: (tx, { elm }) =>
      tx
        .update(projects)
        .set({ status: 'draft' })
        .where(and(eq(projects.siteId, site.id), eq(projects.id, elm.id))),
    keeps: ['page', 'project oak', 'ideas of oak'],
  },
}

test.each(Object.entries(CHANGES))('%s: what is kept is as fresh, and what it does not concern is kept', async (_, { change, keeps }) => {
  const before = (await readKept()).shown
  expect(before).toEqual(await readFresh())
  await runtime.database.site(site.id).tx(async (tx) => void (await change(tx, content)))
  const { found, shown } = await readKept()
  const fresh = await readFresh()
  expect(shown).toEqual(fresh)
  expect(fresh, 'the change is seen somewhere').not.toEqual(before)
  expect(found).toEqual(expect.arrayContaining([...keeps]))
})
