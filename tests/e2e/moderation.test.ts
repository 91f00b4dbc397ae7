import { beforeAll, describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import type { Site } from '#app/server/site-directory.ts'
import {
  expectAccessible,
  getConsoleErrors,
  openPage,
  signIn,
  takePartBefore,
  type DemoSite,
  expectUsable,
} from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const ACTIVITY = '/projects/riverfront/ideas'

test('whoever is declined reads which rule and why, on the receipt and at the address; all without JavaScript', async () => {
  const title = `Buy my kayaks ${Date.now()}`
  const author = await openPage({ javaScript: false, width: 360 })
  await author.goto(`${ACTIVITY}/new`)
  await takePartBefore(author)
  await author.getByLabel('Give your idea a title').fill(title)
  await author.getByLabel('What is your idea?').fill('Half price until Sunday.')
  await author.getByLabel('Anonymously').check()
  await author.getByRole('button', { name: 'Send my idea' }).click()
  await author.getByText('It is not public yet.').waitFor()
  const number = /No\. (\d+)/.exec((await author.locator('#own-heading').textContent()) ?? '')?.[1]

  const moderator = await openPage()
  await signIn(moderator, 'site.admin')
  await moderator.goto('/admin/moderation/waiting')
  const waiting = moderator.locator('.moderated', { hasText: title })
  await waiting.getByRole('link', { name: title }).click()
  const why = moderator.getByRole('region', { name: 'To be looked at by a moderator' })
  await why.getByText('Before publication').waitFor()
  await why.getByText('Nobody').waitFor()
  await expectAccessible(moderator)
  await moderator.goBack()
  await waiting.getByRole('button', { name: /^Do not publish/ }).click()
  const dialog = moderator.getByRole('alertdialog').or(moderator.getByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: 'Do not publish' })
  await dialog.getByLabel(/^Reason/).fill('This activity is about the riverfront.')
  // Words alone do not say which rule it was.
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Rule').selectOption({ label: 'Advertising' })
  await dialog.getByText('mainly promotes a product').waitFor()
  await expectAccessible(moderator)
  await confirm.click()
  await moderator.getByText('Decided', { exact: true }).waitFor()
  expect(getConsoleErrors(moderator)).toEqual([])

  await author.reload()
  await author.getByText('Advertising').waitFor()
  await author.getByText('This activity is about the riverfront.').waitFor()
  const reader = await openPage({ javaScript: false })
  expect((await reader.goto(`${ACTIVITY}/${number}`))?.status()).toBe(410)
  await reader.getByText('Advertising').waitFor()
  // French has a space before a colon.
  for (const [page, address] of [
    [reader, `${ACTIVITY}/${number}`],
    [author, `${ACTIVITY}/receipt`],
  ] as const) {
    await page.goto(`/fr-CA${address}`)
    expect(await page.getByRole('heading', { name: /^Motif/ }).textContent()).toMatch(/^Motif\u00a0: /)
  }
})

describe('the rules of a site', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'ruled', languages: ['en', 'fr-CA'] })
  })

  test('are changed by its administrator, in every language, and the public page follows', async () => {
    const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
    const { page, complaints } = await product.visit(site, { token })
    await page.goto('/admin/moderation/rules')
    await page.getByRole('button', { name: 'Change Off topic' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Name/).first().fill('Not about this')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not about this', { exact: true }).first().waitFor()
    const visitor = await product.visit(site, { javaScriptEnabled: false })
    await expect
      .poll(async () => {
        await visitor.page.goto('/moderation')
        await takePartBefore(visitor.page)
        return visitor.page.locator('main').innerText()
      })
      .toContain('Not about this')
    expect(await visitor.page.locator('main').innerText()).not.toContain('Off topic')
    expect(complaints).toEqual([])
  })

  test('can be read, but not changed, by the administrator of a department', async () => {
    const { token } = await addPerson(db.runtime, site, { role: 'hub_admin' })
    const { page } = await product.visit(site, { token })
    await page.goto('/admin/moderation/rules')
    await page.getByText('Personal data').waitFor()
    expect(await page.getByRole('button', { name: 'Add a rule' }).count()).toBe(0)
  })
})

const TITLES: [DemoSite, Language, string][] = [
  ['riverbend', 'en', 'How we moderate'],
  ['riverbend', 'fr-CA', 'Notre modération'],
  ['dyffryn', 'cy', 'Sut rydym yn cymedroli'],
]

test.each(TITLES)('at %s in %s everyone reads the rules, who decides and the figures', async (site, language, title) => {
  const page = await openPage({ site, width: 360 })
  await page.goto(`/${language}/moderation`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(await page.locator('main dt').count()).toBeGreaterThanOrEqual(8)
  await expectUsable(page)
  expect(getConsoleErrors(page)).toEqual([])
})
