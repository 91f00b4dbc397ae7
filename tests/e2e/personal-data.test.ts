import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { getConsoleErrors, openPage, signIn, takePartBefore, type DemoSite, expectUsable } from '#tests/support/browser.ts'

const PHONE = { riverbend: '514 273-0123', dyffryn: '020 7946 0018' }

async function writeIdea(page: Page, { title, body }: { title: string; body: string }) {
  await page.locator('[name=title]').fill(title)
  await page.locator('[name=body]').fill(body)
  await page.locator('[name=shownAs][value=anonymous]').check()
  await page.locator('form.form .form-actions button').first().click()
}

test('an author without JavaScript is told what they are about to publish, and can change it or go on', async () => {
  const page = await openPage({ javaScript: false, width: 360 })
  const title = `Quinces ${Date.now()}`
  await page.goto('/projects/riverfront/ideas/new')
  await takePartBefore(page)
  await writeIdea(page, { title, body: `Ring ${PHONE.riverbend} or write to ana@example.org.` })
  const notice = page.locator('#personal-data')
  await notice.getByText('You are about to publish').waitFor()
  expect(await notice.locator('li').allInnerTexts()).toEqual([`a phone number: ${PHONE.riverbend}`, 'an email address: ana@example.org'])
  expect(await page.locator('[name=body]').inputValue()).toContain('ana@example.org')

  // What is added now was not seen yet.
  await page.locator('[name=body]').fill(`Ring ${PHONE.riverbend}. My card is 4111 1111 1111 1111.`)
  await page.getByRole('button', { name: 'Send it anyway' }).click()
  await notice.getByText('4111 1111 1111 1111').waitFor()
  expect(await notice.getByText('ana@example.org').count()).toBe(0)

  await page.locator('[name=body]').fill(`Ring ${PHONE.riverbend}.`)
  await page.getByRole('button', { name: 'Send it anyway' }).click()
  await notice.getByText(PHONE.riverbend).waitFor()
  await page.getByRole('button', { name: 'Send it anyway' }).click()
  await page.getByRole('heading', { name: 'We have your idea' }).waitFor()

  // The same is asked where it is changed.
  await page.locator('summary', { hasText: 'Change your idea' }).click()
  await page.locator('[name=body]').fill('Write to ana@example.org.')
  await page.getByRole('button', { name: 'Save' }).click()
  await notice.getByText('ana@example.org').waitFor()
  expect(await page.locator('[name=body]').isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Send it anyway' }).click()
  await page.locator('.receipt', { hasText: 'Write to ana@example.org.' }).waitFor()

  const moderator = await openPage()
  await signIn(moderator, 'site.admin')
  await moderator.goto('/admin/moderation/waiting')
  const token = (await moderator.context().cookies()).find(({ name }) => name === 'token')?.value
  const found = await moderator.evaluate(async (bearer) => {
    const path = '/api/v2/moderation-cases?filter[state]=open&filter[openedBy]=personal-data'
    const response = await fetch(path, { headers: { accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${bearer}` } })
    return ((await response.json()) as { data: unknown[] }).data.length
  }, token)
  expect(found).toBeGreaterThan(0)
})

test('a text without personal data is sent at once', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/riverfront/ideas/new')
  await takePartBefore(page)
  await writeIdea(page, { title: `Medlars ${Date.now()}`, body: 'Planted in 1964 for $1,200; see 21/01234/FUL and buses 10, 11 and 205.' })
  expect(await page.locator('h1').innerText()).toBe('We have your idea')
})

test('a reply is asked about in the same way', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/riverfront/ideas/1/reply')
  await takePartBefore(page)
  await page.locator('[name=body]').fill('Write to ana@example.org.')
  await page.getByRole('button', { name: 'Send my reply' }).click()
  await page.locator('#personal-data').getByText('ana@example.org').waitFor()
  await page.getByRole('button', { name: 'Send it anyway' }).click()
  expect(new URL(page.url()).searchParams.has('sent')).toBe(true)
})

describe.each([
  ['riverbend', 'en', '/en/projects/riverfront'],
  ['riverbend', 'fr-CA', '/fr-CA/projects/riverfront'],
  ['dyffryn', 'cy', '/cy/projects/lle-i-r-afon'],
] as [DemoSite & keyof typeof PHONE, Language, string][])('at %s in %s', (site, language, project) => {
  test('the warning is accessible, has the focus and fits on a phone and a wide screen', async () => {
    const page = await openPage({ site, width: 360 })
    await page.goto(`${project}/ideas/new`)
    await writeIdea(page, {
      title: `Zzyzx ${Date.now()}`,
      body: `${PHONE[site]}, ${'long-'.repeat(10)}address@example.org, 4111 1111 1111 1111`,
    })
    await page.locator('#personal-data').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('personal-data')
    await expectUsable(page)
    // The refusal itself is no fault of the page.
    expect(getConsoleErrors(page).filter((text) => !text.includes('status of 409'))).toEqual([])
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/personal-${language}.png`, fullPage: true })
  })
})
