import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { submitReport } from '#app/features/contributions/moderation/reports/submit-report.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { expectAccessible, expectUsable } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const DAY_MS = 86_400_000

test('held texts are decided by keyboard, each with its reason, and focus goes on to the next one', async () => {
  const { db, product } = useSharedProduct()
  const site = await addSite(db.runtime, { slug: 'keyed' })
  const moderator = await addPerson(db.runtime, site, { role: 'site_admin' })
  const activity = await addActivity(db.runtime, site)
  for (const [index, title] of ['Otters', 'Voles', 'Herons'].entries())
    await addContribution(db.runtime, site, { activityId: activity.id, number: index + 1, title, state: 'held' })
  const { page } = await product.visit(site, { token: moderator.token })
  await page.goto('/admin/moderation/waiting')
  const waiting = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Publish/ }) })
  await expect.poll(() => waiting.count()).toBe(3)
  const titles = await waiting.getByRole('heading').allInnerTexts()
  /** The text that has focus, or the id of what has. */
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.matches('.moderated') ? element.querySelector('h3')?.textContent : element?.id
    })
  await waiting
    .first()
    .getByRole('button', { name: /^Publish/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe(titles[1])
  // From the text past its links to its decisions.
  for (const name of [titles[1] ?? '', 'Publish', 'Do not publish']) {
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab')
        return page.evaluate(() => document.activeElement?.textContent)
      })
      .toContain(name)
  }
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog').filter({ has: page.getByRole('textbox') })
  // It takes the focus a moment after it is there.
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement)).catch(() => false)).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Adv')
  await page.keyboard.press('Tab')
  await page.keyboard.type('It sells something.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe(titles[2])
  await waiting.getByRole('button', { name: /^Publish/ }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('main')
  const rows = await db.database.site(site.id).tx((tx) => tx.select().from(contributions))
  const states = new Map(rows.map(({ title, state, reason }) => [title, [state, reason]]))
  expect(titles.map((title) => states.get(title))).toEqual([
    ['published', ''],
    ['declined', 'It sells something.'],
    ['published', ''],
  ])
})

describe('the moderation queue', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  let moderator: Person
  let reported: string
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'queued', languages: ['en', 'fr-CA', 'cy'] })
    moderator = await addPerson(db.runtime, site, { role: 'site_admin' })
    const project = await addProject(db.runtime, site, { slug: 'quay' })
    const activity = await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas' })
    const add = (number: number, title: string, daysAgo: number, state: 'held' | 'published') =>
      addContribution(db.runtime, site, {
        activityId: activity.id,
        number,
        title,
        state,
        submittedAt: new Date(Date.now() - daysAgo * DAY_MS),
      })
    await add(1, 'Buy my kayaks', 1, 'held')
    await add(2, 'Buy my canoes', 9, 'held')
    await add(3, 'More herons', 2, 'held')
    reported = (await add(4, 'My shop has oars', 2, 'published')).id
    const report = { id: createId(), contributionId: reported, replyId: null, rule: 'advertising', words: '' }
    await submitReport(createCtx(db.runtime, site), { ...report, browserToken: issueToken(db.runtime, site, 'the-browser-that-reported') })
  })
  const statesOf = async () =>
    Object.fromEntries(
      (await db.database.site(site.id).tx((tx) => tx.select().from(contributions))).map(({ number, state, reason }) => [
        number,
        [state, reason],
      ]),
    )

  test.each(['en', 'fr-CA', 'cy'])('is accessible and fits in %s', async (language) => {
    const { page, complaints } = await product.visit(site, { token: moderator.token })
    await page.setViewportSize({ width: 360, height: 900 })
    await page.goto(`/admin/moderation?lng=${language}`)
    await page.locator('tbody a').first().waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await expectUsable(page)
    expect(complaints).toEqual([])
  })

  test('shows what is due first, also what is public, and decides several for one reason', async () => {
    const { page, complaints } = await product.visit(site, { token: moderator.token })
    await page.goto('/admin')
    // Keys are heard once the page's scripts run.
    await expect
      .poll(async () => {
        await page.locator('body').press('g')
        await page.locator('body').press('m')
        return page.getByRole('heading', { level: 1, name: 'Moderation' }).count()
      })
      .toBe(1)
    const titles = page.locator('tbody a')
    await titles.first().waitFor()
    expect(await titles.allInnerTexts()).toEqual(['Buy my canoes', 'More herons', 'Buy my kayaks', 'My shop has oars'])
    expect(await page.getByText('Overdue').filter({ visible: true }).count()).toBe(1)

    await page.getByLabel('Why').selectOption({ label: 'Reported' })
    await expect.poll(() => titles.allInnerTexts()).toEqual(['My shop has oars'])
    await page.getByLabel('Why').selectOption({ label: 'Any reason' })
    await expect.poll(() => titles.count()).toBe(4)

    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    const refuseThree = async () => {
      // By keyboard: from row to row with the arrows.
      await page.getByRole('checkbox', { name: 'Select Buy my canoes' }).focus()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.getByText('3 selected').first().waitFor()
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: 'Do not publish or remove' }).click()
      const confirm = dialog.getByRole('button', { name: 'Do not publish or remove' })
      await dialog.getByLabel('Rule').selectOption('')
      await expect.poll(() => confirm.isDisabled()).toBe(true)
      await dialog.getByLabel('Rule').selectOption({ label: 'Advertising' })
      await dialog.getByLabel(/^Reason/).fill('It sells something.')
      await expectAccessible(page)
      await confirm.click()
      await page.getByText('Decided: 3 texts').waitFor()
    }
    const before = await statesOf()
    await refuseThree()
    expect(Object.values(await statesOf()).filter(([, reason]) => reason === 'It sells something.')).toHaveLength(3)
    // F6 leads to the messages, Tab to the message and to Undo.
    await dialog.getByRole('button', { name: 'Do not publish or remove' }).waitFor({ state: 'detached' })
    await page.keyboard.press('F6')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo')
    await page.keyboard.press('Enter')
    await page.getByText('3 decisions are undone. The texts are as they were before.').waitFor()
    await expect.poll(() => titles.allInnerTexts()).toEqual(['Buy my canoes', 'More herons', 'Buy my kayaks', 'My shop has oars'])
    expect(await statesOf()).toEqual(before)

    await refuseThree()
    await expect.poll(() => titles.allInnerTexts()).toEqual(['More herons'])
    expect(await statesOf()).toEqual({
      1: ['declined', 'It sells something.'],
      2: ['declined', 'It sells something.'],
      3: ['held', ''],
      4: ['removed', 'It sells something.'],
    })

    await page.getByRole('checkbox', { name: 'Select More herons' }).check()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Publish', exact: true }).click()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Nothing waits for a decision').waitFor()
    expect((await statesOf())[3]).toEqual(['published', ''])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Log of decisions (CSV)' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(5)
    expect(complaints).toEqual([])
  })
})
