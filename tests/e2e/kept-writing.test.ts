import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { takePartBefore, waitForScripts } from '#tests/support/browser.ts'
import { createPicture } from '#tests/support/pictures.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

/** Each way in which what people write is lost elsewhere, in a real browser. */

const { db, product } = useSharedProduct()
let site: Site
let projectId: string

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'kept-writing', languages: ['en', 'fr-CA', 'cy'] })
  projectId = (await addProject(db.runtime, site, { slug: 'quay' })).id
})

async function openActivity(slug: string, settings: Record<string, unknown> = {}) {
  const { id } = await addActivity(db.runtime, site, { projectId, slug, moderation: 'after', settings })
  return { id, path: `/projects/quay/${slug}` }
}
const loadTitles = async (activityId: string) => {
  const rows = await db.database.site(site.id).tx((tx) =>
    tx
      .select({ title: contributions.title })
      .from(contributions)
      .where(and(eq(contributions.siteId, site.id), eq(contributions.activityId, activityId))),
  )
  return rows.map(({ title }) => title)
}
const loadReplies = async (contributionId: string) => {
  const rows = await db.database
    .site(site.id)
    .tx((tx) => tx.select({ body: replies.body }).from(replies).where(eq(replies.contributionId, contributionId)))
  return rows.map(({ body }) => body)
}
const saved = (page: Page) => page.getByText(/^(Saved on this device|We restored what)/).waitFor()
const title = (page: Page) => page.locator('input[name="title"]')
const body = (page: Page) => page.locator('textarea[name="body"]')
const anonymous = (page: Page) => page.locator('input[name="shownAs"][value="anonymous"]')
const countKept = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('parley.written.')).length)
const countFiles = (page: Page) =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'parley.files')) return 0
    const opening = indexedDB.open('parley.files', 1)
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const counting = opening.result.transaction('files').objectStore('files').count()
    await new Promise((resolve) => counting.addEventListener('success', resolve))
    opening.result.close()
    return counting.result
  })

async function write(page: Page, path: string) {
  await page.goto(`${path}/new`)
  await title(page).fill('Benches of oak')
  await body(page).fill('They outlast us all.')
  await anonymous(page).check()
  await saved(page)
}
async function expectWritten(page: Page) {
  await expect.poll(() => title(page).inputValue()).toBe('Benches of oak')
  expect(await body(page).inputValue()).toBe('They outlast us all.')
  expect(await anonymous(page).isChecked()).toBe(true)
}

test('an idea outlives a reload, leaving, another language, a second tab and a closed one, and is then sent once', async () => {
  const { id, path } = await openActivity('ideas')
  const { page, context, complaints } = await product.visit(site)
  await write(page, path)
  await page.reload()
  await expectWritten(page)
  await page.getByText('We restored what you wrote on this device').waitFor()
  await page.goto('/projects')
  await page.goto(`${path}/new`)
  await expectWritten(page)
  await page.goto(`/fr-CA${path}/new`)
  await expectWritten(page)
  await page.getByText('Nous avons rétabli ce que vous aviez écrit').waitFor()
  const second = await context.newPage()
  waitForScripts(second)
  await second.goto(`${path}/new`)
  await expectWritten(second)
  await second.close()
  await page.close()
  const another = await context.newPage()
  waitForScripts(another)
  await another.goto(`${path}/new`)
  await expectWritten(another)
  await another.locator('.form-actions button').dblclick({ noWaitAfter: true })
  await another.waitForURL('**/receipt')
  expect(await loadTitles(id)).toEqual(['Benches of oak'])
  await expect.poll(() => countKept(another)).toBe(0)
  await another.goto(`${path}/new`)
  await another.waitForLoadState('networkidle')
  expect(await title(another).inputValue()).toBe('')
  expect(complaints).toEqual([])
})

test('an idea sent from two tabs that restored it is stored once', async () => {
  const { id, path } = await openActivity('two-tabs')
  const { page, context } = await product.visit(site)
  await write(page, path)
  await page.reload()
  await expectWritten(page)
  const second = await context.newPage()
  waitForScripts(second)
  await second.goto(`${path}/new`)
  await expectWritten(second)
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.waitForURL('**/receipt')
  await second.getByRole('button', { name: 'Send my idea' }).click()
  // What the first tab has sent is similar.
  await second.getByRole('button', { name: 'Send mine anyway' }).click()
  await second.waitForURL('**/receipt')
  expect(await loadTitles(id)).toEqual(['Benches of oak'])
})

test('an idea waits while the network is dead, says so, and is sent when it returns', async () => {
  const { id, path } = await openActivity('offline')
  const { page, context } = await product.visit(site)
  await write(page, path)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.getByText('You are offline').waitFor()
  expect(await loadTitles(id)).toEqual([])
  await context.setOffline(false)
  await page.waitForURL('**/receipt')
  expect(await loadTitles(id)).toEqual(['Benches of oak'])
})

test('what was refused stays kept until it is sent, and can be cleared', async () => {
  const { path } = await openActivity('refused')
  const { page } = await product.visit(site)
  await page.goto(`${path}/new`)
  await body(page).fill('No title yet.')
  await saved(page)
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.getByRole('alert').waitFor()
  expect(await body(page).inputValue()).toBe('No title yet.')
  // A receipt of something else leaves it.
  await page.goto(`${path}/receipt`)
  await page.waitForLoadState('networkidle')
  await page.goto(`${path}/new`)
  await expect.poll(() => body(page).inputValue()).toBe('No title yet.')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Clear what I wrote' }).click()
  await expect.poll(() => countKept(page)).toBe(0)
  await expect.poll(() => body(page).inputValue()).toBe('')
})

test('a reply outlives a closed tab and a dead network, is sent once, and is kept no longer', async () => {
  const { id: activityId, path } = await openActivity('replied')
  const { id } = await addContribution(db.runtime, site, { activityId, number: 1 })
  const { page, context } = await product.visit(site)
  await page.goto(`${path}/1/reply`)
  await body(page).fill('And of ash.')
  await saved(page)
  await page.close()
  const another = await context.newPage()
  waitForScripts(another)
  await another.goto(`${path}/1/reply`)
  await expect.poll(() => body(another).inputValue()).toBe('And of ash.')
  await another.waitForLoadState('networkidle')
  await context.setOffline(true)
  await another.getByRole('button', { name: 'Send my reply' }).click()
  await another.getByText('You are offline').waitFor()
  await context.setOffline(false)
  await another.waitForURL('**/1?sent=reply*')
  expect(await loadReplies(id)).toEqual(['And of ash.'])
  await expect.poll(() => countKept(another)).toBe(0)
})

test('without JavaScript another language brings along what was typed, and so does an error', async () => {
  const { id, path } = await openActivity('without-scripts')
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  await page.goto(`${path}/new`)
  await takePartBefore(page)
  await title(page).fill('Benches of oak')
  await anonymous(page).check()
  await page.getByRole('button', { name: 'Français' }).click()
  expect(new URL(page.url()).pathname).toBe(`/fr-CA${path}/new`)
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
  expect(await title(page).inputValue()).toBe('Benches of oak')
  expect(await anonymous(page).isChecked()).toBe(true)
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.locator('#main').getByRole('button', { name: 'English' }).click()
  expect(await loadTitles(id)).toEqual([])
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.getByRole('link', { name: 'Write something first' }).waitFor()
  expect(await title(page).inputValue()).toBe('Benches of oak')
  await body(page).fill('They outlast us all.')
  // The Enter key sends, and does not change the language.
  await title(page).press('Enter')
  await page.waitForURL('**/receipt')
  expect(await loadTitles(id)).toEqual(['Benches of oak'])
})

test('without JavaScript an answer goes along to another language', async () => {
  const question = { id: 'street', type: 'short_text' as const, title: inAllLanguages('Which street?') }
  const definition = { schema: 1 as const, pages: [{ id: 'p', questions: [question] }] }
  for (const variant of ['classic', 'revised'] as const) {
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    const { slug } = await addSurvey(db.runtime, site, { projectId, slug: `asked-${variant}`, definition, variant })
    await page.goto(`/projects/quay/surveys/${slug}?step=street`)
    const street = page.locator('input[name="q.street"]')
    await street.fill('Elm Street')
    await page.getByRole('button', { name: 'Cymraeg' }).click()
    expect(new URL(page.url()).pathname).toBe(`/cy/projects/quay/surveys/${slug}`)
    expect(await street.inputValue()).toBe('Elm Street')
    expect(await page.getByRole('alert').count()).toBe(0)
  }
})

test('a chosen photo outlives a closed tab, is sent with its idea, and is kept no longer', async () => {
  const { id, path } = await openActivity('photographed', { photos: 2 })
  const { page, context } = await product.visit(site)
  await write(page, path)
  const photo = { name: 'bench.jpg', mimeType: 'image/jpeg', buffer: await createPicture(900, 600).jpeg().toBuffer() }
  await page.getByLabel('Photo 1', { exact: true }).setInputFiles(photo)
  await page.getByLabel('What does photo 1 show?').fill('A bench under a lime tree')
  await expect.poll(() => countFiles(page)).toBe(1)
  await page.close()
  const another = await context.newPage()
  waitForScripts(another)
  await another.goto(`${path}/new`)
  await expectWritten(another)
  await another.getByText('bench.jpg').waitFor()
  await another.getByRole('button', { name: 'Send my idea' }).click()
  await another.waitForURL('**/receipt')
  await another.getByRole('img', { name: 'A bench under a lime tree' }).waitFor()
  expect(await loadTitles(id)).toEqual(['Benches of oak'])
  await expect.poll(() => countKept(another)).toBe(0)
  await expect.poll(() => countFiles(another)).toBe(0)
})

test('what was sent but is still kept is stored once as it stands, and as something else once it is changed', async () => {
  const { id, path } = await openActivity('sent-and-kept')
  const { page } = await product.visit(site)
  await page.goto(`${path}/new`)
  await title(page).fill('A first idea')
  await body(page).fill('With words of its own.')
  await anonymous(page).check()
  await saved(page)
  const kept = await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('parley.written.')))
  const send = async () => {
    await page.locator('form.form .form-actions button').first().click()
    // What has arrived is similar to itself.
    const anyway = page.getByRole('button', { name: 'Send mine anyway' })
    await anyway.or(page.locator('.receipt-code')).first().waitFor()
    if (await anyway.isVisible()) await anyway.click()
    await page.waitForURL(/\/receipt/)
    await expect.poll(() => countKept(page)).toBe(0)
  }
  await send()
  // As after a tab that was closed before its receipt was shown.
  const keepAgain = () =>
    page.evaluate(
      ([key = '', value = '{}']) => localStorage.setItem(key, JSON.stringify({ ...(JSON.parse(value) as object), isSent: true })),
      kept ?? [],
    )
  const openKept = async () => {
    await keepAgain()
    await page.goto(`${path}/new`)
    await body(page).focus()
    await expect.poll(() => title(page).inputValue()).toBe('A first idea')
  }
  await openKept()
  await send()
  expect(await loadTitles(id)).toEqual(['A first idea'])
  await openKept()
  await title(page).fill('Lanterns by the quay')
  await send()
  expect((await loadTitles(id)).toSorted()).toEqual(['A first idea', 'Lanterns by the quay'])
})
