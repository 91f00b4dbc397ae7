import { readdirSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { ACTIVITY_KINDS, type ActivityKind } from '#app/features/contributions/kinds/kinds.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Language, LANGUAGES } from '#app/lib/languages.ts'
import { activities, contributions, mapLayers } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const ROUTES = new URL('../../app/routes/_site/', import.meta.url)
const MAX_TABS = 120

let site: Site
let project: { id: string; slug: string }
let author: Person
let moderator: Person
const placed = {} as Record<ActivityKind, { id: string; slug: string; contribution: string }>

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'pages', languages: ['en', 'fr-CA', 'cy'] })
  project = await addProject(db.runtime, site, { slug: 'park' })
  author = await addPerson(db.runtime, site)
  moderator = await addPerson(db.runtime, site, { role: 'site_admin' })
  await addAreas(db.runtime, site, [{ name: 'Elm', west: -75, south: 45, side: 0.4 }])
  for (const kind of ACTIVITY_KINDS) {
    const { id, slug } = await addActivity(db.runtime, site, {
      projectId: project.id,
      slug: kind,
      kind,
      settings: { openData: true, ledger: true },
    })
    const { id: contribution } = await addContribution(db.runtime, site, {
      activityId: id,
      number: 1,
      title: `Benches, ${kind}`,
      authorId: author.id,
      ...(kind === 'places' && {
        lng: -74.8,
        lat: 45.2,
        geometry: { type: 'Point' as const, coordinates: [-74.8, 45.2] as [number, number] },
      }),
      ...(kind === 'questions' && { dueAt: new Date('2999-01-01T00:00:00Z') }),
    })
    await addContribution(db.runtime, site, { activityId: id, number: 2, title: `Lamps, ${kind}`, state: 'held' })
    placed[kind] = { id, slug, contribution }
  }
  await db.database.site(site.id).tx(async (tx) => {
    await tx.insert(mapLayers).values({
      siteId: site.id,
      id: createId(),
      activityId: placed.places.id,
      number: 1,
      name: { en: 'River paths', 'fr-CA': 'Sentiers', cy: 'Llwybrau' },
      pattern: 'stripes',
      bytes: 100,
      features: 1,
      box: [-74.9, 45.1, -74.7, 45.3],
      shapes: [{ lines: [[-74.9, 45.1, -74.7, 45.3]] }],
      columns: ['name'],
      rows: [['River path']],
      isSimplified: false,
    })
    await tx.update(activities).set({ layers: 1 }).where(eq(activities.id, placed.places.id))
  })
})

/** Addresses below a route of an activity, by the end of the route's file name. */
const ADDRESSES: Record<string, (kind: ActivityKind) => string | undefined> = {
  'index.tsx': () => '',
  'new.tsx': () => '/new',
  'receipt.tsx': () => '/receipt?number=1',
  '$number.index.tsx': () => '/1',
  '$number.reply.tsx': (kind) => (kind === 'questions' ? undefined : '/1/reply'),
  '$number.report.tsx': () => '/1/report',
  'ledger.tsx': () => '/ledger',
  'layers.$layer.tsx': (kind) => (kind === 'places' ? '/layers/1' : undefined),
}

test('no page of an activity is forgotten below', () => {
  const prefix = 'projects.$slug.$activity.'
  const routes = readdirSync(ROUTES).filter((name) => name.startsWith(prefix))
  expect(routes.map((name) => name.slice(prefix.length)).toSorted()).toEqual(Object.keys(ADDRESSES).toSorted())
})

const expectFit = async (page: Page, address: string) => {
  await page.locator('h1').waitFor()
  await expectAccessible(page)
  expect([address, await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)]).toEqual([address, 0])
}

/** A language for each page in turn, so that each kind of page is seen in each of them. */
const languageOf = (place: number): Language => LANGUAGES[place % LANGUAGES.length] ?? 'en'

test('each page of each kind of activity is accessible, fits a phone and is silent in the console', async () => {
  const { page, complaints } = await product.visit(site, { token: author.token, viewport: { width: 360, height: 800 } })
  const paths = [
    ...ACTIVITY_KINDS.flatMap((kind) =>
      Object.values(ADDRESSES).flatMap((toPath) => {
        const path = toPath(kind)
        return path === undefined ? [] : [`/projects/park/${kind}${path}`]
      }),
    ),
    '/projects/park',
    '/moderation',
    '/account/contributions',
  ]
  for (const [place, path] of paths.entries()) {
    const language = languageOf(place)
    const address = `/${language}${path}`
    expect([address, (await page.goto(address))?.status()]).toEqual([address, 200])
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await expectFit(page, address)
  }
  expect(complaints).toEqual([])
})

test('each screen of contributions is accessible, fits a phone and is silent in the console', async () => {
  const { page, complaints } = await product.visit(site, { token: moderator.token, viewport: { width: 360, height: 800 } })
  const paths = [
    '/admin/contributions',
    '/admin/moderation/waiting',
    '/admin/moderation/rules',
    '/admin/moderation',
    ...ACTIVITY_KINDS.map((kind) => `/admin/contributions/${placed[kind].contribution}`),
    ...ACTIVITY_KINDS.map((kind) => `/admin/contributions/activities/${placed[kind].id}`),
  ]
  for (const [place, path] of paths.entries()) {
    const language = languageOf(place)
    await page.goto(`${path}?lng=${language}`)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await expectFit(page, path)
  }
  await page.goto(`/admin/projects/${project.id}?lng=cy`)
  await page.getByRole('tab', { name: 'Gweithgareddau' }).click()
  await page.locator('#activities-heading').waitFor()
  await expectFit(page, 'activities')
  expect(complaints).toEqual([])
})

/** Tabs until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let at = 0; at < MAX_TABS; at++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Nothing led to ${String(target)} in ${MAX_TABS} presses of Tab`)
}

async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
  'by keyboard only, a person finds an activity, sends an idea, supports, replies to, follows and reports another one ($javaScriptEnabled)',
  async ({ javaScriptEnabled }) => {
    const person = await addPerson(db.runtime, site, { login: 'Ana Ortiz' })
    const { page, complaints } = await product.visit(site, { token: person.token, javaScriptEnabled })
    const title = `A pond with frogs ${Date.now()}`
    await page.goto('/projects/park/ideas')
    await pressOn(page, page.getByRole('link', { name: 'Add your idea' }).first())
    await page.waitForURL(/\/ideas\/new$/)
    await typeInto(page, page.getByLabel('Give your idea a title'), title)
    await typeInto(page, page.getByLabel('What is your idea?'), 'Behind the old mill.')
    await tabTo(page, page.getByRole('radio').first())
    await page.keyboard.press('Space')
    await pressOn(page, page.getByRole('button', { name: 'Send my idea' }))
    await page.waitForURL(/receipt/)
    await page.getByText('It is not public yet.').waitFor()
    const [sent] = await db.database
      .site(site.id)
      .tx((tx) => tx.select({ state: contributions.state }).from(contributions).where(eq(contributions.title, title)))
    expect(sent?.state).toBe('held')

    await page.goto('/projects/park/ideas')
    await pressOn(page, page.getByRole('link', { name: 'Benches, ideas' }).first())
    await page.waitForURL(/\/ideas\/1$/)
    await pressOn(page, page.getByRole('button', { name: /^Support/ }))
    await page.getByText('You support this').waitFor()
    await pressOn(page, page.getByRole('button', { name: /^Follow/ }))
    await page.getByRole('button', { name: /following|Unfollow|Stop/ }).waitFor()
    await pressOn(page, page.getByRole('link', { name: /Reply/ }).first())
    await page.waitForURL(/\/reply/)
    await typeInto(page, page.getByRole('textbox').first(), 'And a table.')
    await pressOn(page, page.getByRole('button', { name: 'Send' }))
    await page.waitForURL(/\/ideas\/1\?sent=/)

    await pressOn(page, page.getByRole('link', { name: /^Report/ }).first())
    await page.waitForURL(/\/report/)
    await tabTo(page, page.getByRole('radio').first())
    await page.keyboard.press('Space')
    await pressOn(page, page.getByRole('button', { name: /Report|Send/ }))
    await page
      .getByText(/You reported this/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
  },
)
