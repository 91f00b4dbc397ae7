import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { mergeContributions } from '#app/features/contributions/merging/merge-contributions.server.ts'
import { decideOnContribution } from '#app/features/contributions/moderation/decide.server.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { activities, contributions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, POLL } from '#tests/factories/surveys.ts'
import { expectAccessible, expectUsable, takePartBefore, waitForScripts } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

/** What residents have typed, drawn, answered and sent is still there. */

const { db, product } = useSharedProduct()
const withoutScripts = { javaScriptEnabled: false, viewport: { width: 360, height: 800 } }
let site: Site
let projectId: string
let admin: Person

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'kept-for-residents', languages: ['en', 'fr-CA', 'cy'] })
  await addAreas(db.runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
  ])
  projectId = (await addProject(db.runtime, site, { slug: 'quay' })).id
  admin = await addPerson(db.runtime, site, { role: 'site_admin' })
})

const inSite = () => db.database.site(site.id)
const saved = (page: Page) => page.getByText(/^(Saved on this device|We restored what)/).waitFor()
const countKept = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('parley.written.')).length)

async function openActivity(slug: string, values: Parameters<typeof addActivity>[2] = {}) {
  const { id } = await addActivity(db.runtime, site, { projectId, slug, moderation: 'after', ...values })
  return { id, path: `/projects/quay/${slug}` }
}

async function asAdmin() {
  const viewer = await loadViewer({ db: inSite(), database: db.database }, admin.token, new Date())
  return createCtx(db.runtime, site, { viewer })
}

interface Writing {
  address: string
  label: string
  words: string
  /** What is chosen besides. */
  choose?: (page: Page) => Promise<void>
  send: string
  sent: string
}

/**
 * Writes, closes the tab, opens the page again in another, finds everything and sends it; then nothing is kept.
 * @returns the other tab
 */
async function expectWritingKept(
  { page, context }: Awaited<ReturnType<typeof product.visit>>,
  { address, label, words, choose, send, sent }: Writing,
): Promise<Page> {
  await page.goto(address)
  const field = page.locator('textarea').and(page.getByLabel(label))
  if (!(await field.isVisible())) await page.locator('summary', { hasText: /Add to your idea|not the same/ }).click()
  await choose?.(page)
  await field.fill(words)
  await saved(page)
  await page.close()
  const another = await context.newPage()
  waitForScripts(another)
  await another.goto(address)
  await another.getByText('We restored what you wrote on this device').waitFor()
  await expect.poll(() => another.locator('textarea').and(another.getByLabel(label)).inputValue()).toBe(words)
  await another.getByRole('button', { name: send, exact: true }).click()
  await another.getByText(sent).first().waitFor()
  await expect.poll(() => countKept(another)).toBe(0)
  return another
}

test('a report outlives a closed tab, is sent once, and is kept no longer', async () => {
  const { id: activityId, path } = await openActivity('reported')
  await addContribution(db.runtime, site, { activityId, number: 1 })
  const sent = await expectWritingKept(await product.visit(site), {
    address: `${path}/1/report`,
    label: 'Anything that helps us to see it',
    words: 'It is about one bar.',
    choose: (page) => page.getByRole('radio', { name: 'Off topic' }).check(),
    send: 'Send the report',
    sent: 'We have your report',
  })
  expect(await sent.locator('form textarea').count()).toBe(0)
})

test('an addition, an objection and an appeal outlive a closed tab, are sent, and are kept no longer', async () => {
  const { id: activityId, path } = await openActivity('answered')
  const author = await addPerson(db.runtime, site)
  const long = new Date(Date.now() - 3_600_000)
  const add = (number: number) => addContribution(db.runtime, site, { activityId, number, authorId: author.id, submittedAt: long })
  const [added, merged, removed] = [await add(1), await add(2), await add(3)]
  const target = await addContribution(db.runtime, site, { activityId, number: 4 })
  await mergeContributions(await asAdmin(), { contributionId: merged.id, targetId: target.id, reason: 'Both ask for trees' })
  await decideOnContribution(await asAdmin(), removed.id, 'remove', { rule: 'abuse', words: 'It insults somebody.' })
  const visit = () => product.visit(site, { token: author.token })
  await expectWritingKept(await visit(), {
    address: `${path}/receipt?number=1`,
    label: 'Add to your idea',
    words: 'And of ash.',
    send: 'Add',
    sent: 'Add to your idea',
  })
  const [addition] = await inSite().tx((tx) => tx.select().from(replies).where(eq(replies.contributionId, added.id)))
  expect(addition?.body).toBe('And of ash.')
  await expectWritingKept(await visit(), {
    address: `${path}/receipt?number=2`,
    label: 'Why is it not the same?',
    words: 'Mine is about the quay.',
    send: 'Send my objection',
    sent: 'We have your objection.',
  })
  const { page } = await visit()
  await page.goto(`${path}/receipt?number=3`)
  const appeal = await page.getByRole('link', { name: 'Appeal against this decision' }).getAttribute('href')
  await expectWritingKept(await visit(), {
    address: appeal ?? '',
    label: 'Why should your text be on the site?',
    words: 'He told me so himself.',
    send: 'Send my appeal',
    sent: 'We have your appeal',
  })
})

test('a line that was drawn is kept with the rest, finished as it was, and is sent', async () => {
  const { id, path } = await openActivity('drawn', { kind: 'places', settings: { geometries: ['points', 'lines'] } })
  const { page, context, complaints } = await product.visit(site)
  await page.goto(`${path}/new`)
  // Nothing else is written first: what is drawn is enough to be kept.
  await page.getByRole('radio', { name: 'A line' }).check()
  const map = page.getByRole('application', { name: 'Map to draw a line on' })
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  if (!box) throw new Error('The map is not shown')
  for (const [x, y] of [[0.3, 0.3], [0.4, 0.45], [0.55, 0.3]] as const) await map.click({ position: { x: box.width * x, y: box.height * y } }) // prettier-ignore
  const points = (one: Page) => one.locator('.place-points li > span').allTextContents()
  await expect.poll(async () => (await points(page)).length).toBe(3)
  await page.getByRole('button', { name: 'Finish the line' }).click()
  await page.getByRole('button', { name: 'Add more points' }).waitFor()
  await saved(page)
  const before = await points(page)
  await page.close()
  const another = await context.newPage()
  waitForScripts(another)
  await another.goto(`${path}/new`)
  await another.getByText('We restored what you wrote on this device').waitFor()
  await expect.poll(() => points(another)).toEqual(before)
  await another.getByRole('button', { name: 'Add more points' }).waitFor()
  expect(await another.getByRole('radio', { name: 'A line' }).isChecked()).toBe(true)
  await another.getByLabel('Give the place a title').fill('Along the water')
  await another.getByLabel('What should happen here?').fill('It is safer than the road.')
  await another.getByLabel('Anonymously').check()
  await another.getByRole('button', { name: 'Continue' }).click()
  await another.getByRole('button', { name: /^Send/ }).click()
  await another.waitForURL(/\/receipt$/)
  const [row] = await inSite().tx((tx) => tx.select().from(contributions).where(eq(contributions.activityId, id)))
  expect(row?.geometry?.type).toBe('LineString')
  await expect.poll(() => countKept(another)).toBe(0)
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
})

test('without JavaScript the languages above a form that was returned bring along what is typed in it', async () => {
  const { path } = await openActivity('returned')
  const { page } = await product.visit(site, withoutScripts)
  await page.goto(`${path}/new`)
  await takePartBefore(page)
  await page.getByLabel('Give your idea a title').fill('Benches of oak')
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.getByRole('link', { name: 'Write something first' }).waitFor()
  await page.getByLabel('What is your idea?').fill('They outlast us all.')
  const languages = page.locator('.site-header .languages')
  await languages.getByRole('button', { name: 'Français' }).click()
  expect(new URL(page.url()).pathname).toBe(`/fr-CA${path}/new`)
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
  expect(await page.locator('input[name="title"]').inputValue()).toBe('Benches of oak')
  expect(await page.locator('textarea[name="body"]').inputValue()).toBe('They outlast us all.')
  await languages.getByRole('button', { name: 'Cymraeg' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/cy${path}/new`)
  expect(await page.locator('textarea[name="body"]').inputValue()).toBe('They outlast us all.')
})

test('what a device keeps of an activity that has closed is shown there, copied and sent to the team', async () => {
  const { id, path } = await openActivity('closing')
  const { page, context } = await product.visit(site)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${path}/new`)
  await page.getByLabel('Give your idea a title').fill('Lanterns by the quay')
  await page.getByLabel('What is your idea?').fill('So that nobody falls in.')
  await saved(page)
  await inSite().tx((tx) => tx.update(activities).set({ status: 'archived' }).where(eq(activities.id, id)))
  await expect
    .poll(async () => {
      await page.goto(`${path}/new`)
      return page.locator('input[name="title"]').count()
    })
    .toBe(0)
  await page.getByText('This closed while you were writing').waitFor()
  const message = page.getByLabel('Your message to the team')
  expect(await message.inputValue()).toBe('Lanterns by the quay\n\nSo that nobody falls in.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Copy the text' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Lanterns by the quay\n\nSo that nobody falls in.')
  await page.getByRole('button', { name: 'Send it to the team' }).click()
  await page.getByText('The team has your message').waitFor()
  const mails = await inSite().tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, admin.id)))
  expect(mails.some(({ bodyText }) => bodyText.includes('So that nobody falls in.'))).toBe(true)
  await expect.poll(() => countKept(page)).toBe(0)
  await page.goto(`${path}/new`)
  await page.getByText('This closed while you were writing').waitFor({ state: 'detached' })
})

test('the map of all places is searched by keys, and without JavaScript; map and list show what is there', async () => {
  const { id: activityId, path } = await openActivity('mapped', { kind: 'places' })
  const add = (number: number, title: string, placeText: string, lng: number, lat: number) =>
    addContribution(db.runtime, site, {
      activityId,
      number,
      title,
      placeText,
      lng,
      lat,
      geometry: { type: 'Point', coordinates: [lng, lat] },
    })
  await add(1, 'A lime', 'Rue du Couvent', -74.65, 45.05)
  await add(2, 'A bench', 'Quai Royal', -74.77, 45.02)
  const { page, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto(path)
  const field = page.getByRole('combobox', { name: 'Street, address, postcode or area' })
  await page.getByLabel('Street, address, postcode or area').focus()
  await field.pressSequentially('couv')
  await page.getByRole('option', { name: /^Rue du Couvent/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/bbox=/)
  await page.getByRole('heading', { name: '1 place', exact: true }).waitFor()
  expect(await page.locator('.contribution-card').getByText('A bench').count()).toBe(0)
  expect(await page.getByRole('link', { name: /^No\. 1, A lime/ }).count()).toBe(1)
  await expectAccessible(page)
  await expectUsable(page)
  expect(complaints).toEqual([])

  const plain = await product.visit(site, withoutScripts)
  await plain.page.goto(path)
  await plain.page.getByLabel('Street, address, postcode or area').fill('Quai Royal')
  await plain.page.keyboard.press('Enter')
  await plain.page.getByText('The map shows Quai Royal, Elm.').waitFor()
  expect(await plain.page.locator('.contribution-card h3').allTextContents()).toEqual(['A bench'])
  await plain.page.getByLabel('Street, address, postcode or area').fill('Nowhere Lane')
  await plain.page.getByRole('button', { name: 'Show it on the map' }).click()
  await plain.page.getByText('We found no street, place, address, postcode or area with this name. Check how it is written.').waitFor()
})

test('without JavaScript an answered poll shows its result on the project’s page, and nobody else sees it as answered', async () => {
  const project = await addProject(db.runtime, site, { slug: 'polled' })
  const values = { projectId: project.id, slug: 'which-night', definition: POLL, access: 'anyone_once' as const, resultsPublic: true }
  await addSurvey(db.runtime, site, { ...values, closesAt: new Date(Date.now() + 48 * 3_600_000) })
  const answer = async () => {
    const { page } = await product.visit(site, withoutScripts)
    await page.goto('/projects/polled')
    await takePartBefore(page)
    await page.getByLabel('Friday').check()
    await page.getByRole('button', { name: 'Send my answer' }).click()
    await page.waitForURL('**/receipt')
    return page
  }
  const page = await answer()
  await page.goto('/projects/polled')
  await page.getByText('You have already answered').waitFor()
  // One person's answer would be known from the results.
  await page.getByText('once at least 5 people have answered').waitFor()
  expect(await page.getByLabel('Friday').count()).toBe(0)
  for (let person = 2; person <= 5; person++) await answer()
  await expect
    .poll(async () => {
      await page.goto('/projects/polled')
      return page.getByRole('table').count()
    })
    .toBe(1)
  const { page: other } = await product.visit(site, withoutScripts)
  await other.goto('/projects/polled')
  expect(await other.getByLabel('Friday').count()).toBe(1)
  expect(await other.getByText('You have already answered').count()).toBe(0)
})

test('the last receipts of a browser are listed without JavaScript, open each, and can be hidden', async () => {
  const ideas = await openActivity('listed-ideas')
  const project = await addProject(db.runtime, site, { slug: 'listed' })
  await addSurvey(db.runtime, site, {
    projectId: project.id,
    slug: 'night',
    definition: POLL,
    title: { en: 'Which night?' },
    variant: 'classic',
  })
  const { page } = await product.visit(site, withoutScripts)
  await page.goto(`${ideas.path}/new`)
  await takePartBefore(page)
  await page.getByLabel('Give your idea a title').fill('Benches of oak')
  await page.getByLabel('What is your idea?').fill('They outlast us all.')
  await page.getByLabel('Anonymously').check()
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.waitForURL('**/receipt')
  await page.goto('/projects/listed/surveys/night')
  await page.getByLabel('Friday').check()
  await page.getByRole('button', { name: 'Send my answers' }).click()
  await page.waitForURL('**/surveys/night/receipt')
  await page.goto('/receipt')
  const list = page.getByRole('region', { name: 'Your last receipts on this device' })
  await list.getByRole('button', { name: 'Ideas for the park' }).click()
  await page.waitForURL(`**${ideas.path}/receipt`)
  await page.getByText('Benches of oak').first().waitFor()
  await page.goto('/receipt')
  await list.getByRole('button', { name: 'Which night?' }).waitFor()
  await page.getByRole('button', { name: 'Hide all receipts on this device' }).click()
  await expect.poll(() => list.count()).toBe(0)
})
