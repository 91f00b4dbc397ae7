import { describe, expect, test } from 'vitest'
import { getConsoleErrors, openPage, signIn, takePartBefore, expectUsable } from '#tests/support/browser.ts'

const ACTIVITY = '/projects/riverfront/ideas'

test('a visitor without JavaScript posts an idea; a moderator publishes and answers it; everyone sees the answer', async () => {
  const title = `Hammocks between the willows ${Date.now()}`
  const visitor = await openPage({ javaScript: false, width: 360 })
  await visitor.goto('/projects/riverfront')
  await takePartBefore(visitor)
  expect(await visitor.locator('.stage[aria-current="step"] h3').first().textContent()).toBe('Listening')
  await visitor.getByRole('link', { name: 'Read the ideas' }).click()
  await visitor.getByRole('link', { name: 'Add your idea' }).click()

  // What is missing is said at its field, and what was typed stays.
  await visitor.getByLabel('Give your idea a title').fill(title)
  await visitor.getByRole('button', { name: 'Send my idea' }).click()
  await visitor.getByRole('link', { name: 'Write something first' }).waitFor()
  expect(await visitor.getByLabel('Give your idea a title').inputValue()).toBe(title)
  await visitor.getByLabel('What is your idea?').fill('Four are enough. They come down in October.')
  await visitor.getByLabel('Nature').check()
  await visitor.getByLabel('Anonymously').check()
  await visitor.getByRole('button', { name: 'Send my idea' }).click()
  expect(new URL(visitor.url()).pathname).toBe(`${ACTIVITY}/receipt`)
  await visitor.getByText('It is not public yet.').waitFor()
  const number = /No\. (\d+)/.exec((await visitor.locator('#own-heading').textContent()) ?? '')?.[1]
  const code = /\w{4}(-\w{4}){3}/.exec((await visitor.locator('.receipt-code').textContent()) ?? '')?.[0] ?? ''

  // Days later, on another device, the code is all there is.
  const returning = await openPage({ javaScript: false, width: 360 })
  await returning.goto('/')
  await returning.getByRole('contentinfo').getByRole('link', { name: 'Find your answers' }).click()
  await returning.locator('input[name="code"]').fill(code.toLowerCase())
  await returning.getByRole('button', { name: 'Find my answers' }).click()
  expect(new URL(returning.url()).pathname).toBe(`${ACTIVITY}/receipt`)
  await returning.getByRole('article').getByText('Four are enough. They come down in October.').waitFor()

  // Typed where the idea was sent, it is shown as it was given.
  const again = await openPage({ javaScript: false, width: 360 })
  await again.goto(`${ACTIVITY}/receipt`)
  await again.locator('input[name="code"]').fill(code.toLowerCase())
  await again.getByRole('button', { name: 'Find it' }).click()
  await expect.poll(() => again.locator('.receipt-code').textContent()).toContain(code)

  const reader = await openPage({ javaScript: false })
  expect((await reader.goto(`${ACTIVITY}/${number}`))?.status()).toBe(404)

  const moderator = await openPage()
  await signIn(moderator, 'site.admin')
  await moderator.goto('/admin/moderation/waiting')
  await moderator
    .locator('.moderated', { hasText: title })
    .getByRole('button', { name: /^Publish/ })
    .click()
  await moderator.getByText('Decided', { exact: true }).waitFor()
  await moderator.goto('/admin/contributions?q=hammocks')
  await moderator.getByRole('link', { name: title }).first().click()
  await moderator.getByRole('heading', { level: 1, name: title }).waitFor()
  await moderator.getByLabel('Status').selectOption({ label: 'Planned' })
  await moderator.getByLabel('Answer', { exact: true }).fill('They hang from May.')
  await moderator.getByText(/^The status changes from “.+” to “Planned”\.$/).waitFor()
  // Nothing is published in fewer languages by accident.
  expect(await moderator.getByRole('button', { name: 'Publish the answer' }).isDisabled()).toBe(true)
  await moderator.getByRole('checkbox', { name: /^Answer in / }).check()
  await moderator.getByRole('button', { name: 'Publish the answer' }).click()
  await moderator.getByText('Answers so far').waitFor()
  // The next one keeps the status.
  await moderator.getByText('The status stays “Planned”.').waitFor()
  const given = moderator.locator('.admin-panel', { hasText: 'They hang from May.' })
  await given.getByRole('button', { name: /^Edit/ }).click()
  await given.getByLabel('Answer', { exact: true }).fill('They hang from June.')
  await given.getByRole('checkbox', { name: /^Answer in / }).check()
  await given.getByRole('button', { name: 'Publish the change' }).click()
  await moderator.getByText('The answer is changed', { exact: true }).waitFor()

  expect((await reader.goto(`${ACTIVITY}/${number}`))?.status()).toBe(200)
  await reader.getByText('They hang from June.').waitFor()
  await reader.locator('summary', { hasText: /^Edited on .+: earlier wording$/ }).click()
  await reader.getByText('They hang from May.').waitFor()
  await reader.getByRole('button', { name: 'Support' }).click()
  await reader.getByText('Press the button once more').waitFor()
  await reader.getByRole('button', { name: 'Support' }).click()
  await reader.getByText('You support this').waitFor()
  await reader.getByText('1 supporter', { exact: true }).waitFor()
  await reader.getByRole('button', { name: 'Withdraw my support' }).click()
  await reader.getByText('0 supporters', { exact: true }).waitFor()

  // The author withdraws it: the address says so.
  await visitor.reload()
  await visitor.getByText('It is public.').waitFor()
  await visitor.locator('summary', { hasText: 'Withdraw your idea' }).click()
  await visitor.getByRole('button', { name: 'Withdraw your idea' }).click()
  expect((await reader.goto(`${ACTIVITY}/${number}`))?.status()).toBe(410)
  await reader.getByRole('heading', { name: 'The author withdrew this' }).waitFor()
})

test('Back after sending an idea shows its receipt, not an empty form; another one can still be written', async () => {
  const page = await openPage()
  await page.goto(`${ACTIVITY}/new`)
  await page.getByLabel('Give your idea a title').fill(`A swing for grandparents ${Date.now()}`)
  await page.getByLabel('What is your idea?').fill('Wide, slow, and in the shade.')
  await page.getByLabel('Anonymously').check()
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.waitForURL('**/receipt')
  const code = await page.locator('.receipt-code').textContent()
  await page.goBack({ waitUntil: 'commit' })
  await page.waitForURL('**/receipt')
  expect(await page.locator('.receipt-code').textContent()).toBe(code)
  await page.goto(`${ACTIVITY}/new`)
  await page.getByLabel('What is your idea?').waitFor()
  await page.waitForLoadState('networkidle')
  expect(new URL(page.url()).pathname).toBe(`${ACTIVITY}/new`)
})

test('two quick taps of somebody who was never here count once, and share the request for a token', async () => {
  const page = await openPage()
  const calls: string[] = []
  page.on('request', (asked) => {
    if (asked.method() === 'POST') calls.push(new URL(asked.url()).pathname.startsWith('/_serverFn') ? 'token' : 'support')
  })
  await page.goto(`${ACTIVITY}/2`)
  const readCount = async () => Number(/\d+/.exec(await page.locator('.support-count').innerText())?.[0])
  const before = await readCount()
  await page.getByRole('button', { name: 'Support' }).dblclick()
  await page.getByText('You support this').waitFor()
  expect(calls.filter((call) => call === 'token')).toHaveLength(1)
  expect(await readCount()).toBe(before + 1)
  await page.reload()
  expect(await readCount()).toBe(before + 1)
  await page.getByRole('button', { name: 'Withdraw my support' }).click()
  await expect.poll(readCount).toBe(before)
})

test('where an activity asks, a visitor without JavaScript agrees, changes their mind and takes it back', async () => {
  const page = await openPage({ site: 'dyffryn', javaScript: false, width: 360 })
  await page.goto('/en/projects/lle-i-r-afon/ideas/3')
  await takePartBefore(page)
  const readSupport = () => page.locator('#support').innerText()
  const before = await readSupport()
  expect(before).toContain('15 people agree · 1 disagrees')
  await page.getByRole('button', { name: 'Agree', exact: true }).click()
  await page.getByText('You agree', { exact: true }).waitFor()
  expect(await readSupport()).toContain('16 people agree · 1 disagrees')
  await page.getByRole('button', { name: 'Disagree', exact: true }).click()
  await page.getByText('You disagree', { exact: true }).waitFor()
  expect(await readSupport()).toContain('15 people agree · 2 disagree')
  await page.getByRole('button', { name: 'Withdraw my view' }).click()
  await page.getByText('15 people agree · 1 disagrees').waitFor()
  expect(await readSupport()).toBe(before)
})

test('an idea is followed on its page, without JavaScript; visitors sign in first', async () => {
  const visitor = await openPage({ javaScript: false, width: 360 })
  await visitor.goto(`${ACTIVITY}/1`)
  await takePartBefore(visitor)
  await visitor.getByRole('button', { name: 'Follow', exact: true }).click()
  expect(new URL(visitor.url()).pathname).toBe('/sign-in')

  const person = await openPage({ javaScript: false })
  await signIn(person, 'participant')
  await person.goto(`${ACTIVITY}/1`)
  await takePartBefore(person)
  const title = (await person.locator('h1').textContent()) ?? ''
  await person.getByRole('button', { name: 'Follow', exact: true }).click()
  await person.getByText('You follow this.').waitFor()
  await person.goto('/account/follows')
  await person.getByRole('button', { name: `Stop following “${title}”` }).click()
  await person.getByText('Saved').first().waitFor()
  await person.goto(`${ACTIVITY}/1`)
  expect(await person.getByRole('button', { name: 'Follow', exact: true }).count()).toBe(1)
})

test('similar ideas are shown once before sending, and never stand in the way', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto(`${ACTIVITY}/new`)
  await takePartBefore(page)
  await page.getByLabel('Give your idea a title').fill('Canoes to borrow at the library')
  await page.getByLabel('What is your idea?').fill('And paddles.')
  await page.getByLabel('Anonymously').check()
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.getByRole('link', { name: 'Canoes to borrow, like library books', exact: true }).waitFor()
  expect(await page.getByLabel('What is your idea?').inputValue()).toBe('And paddles.')
  await page.getByRole('button', { name: 'Send mine anyway' }).click()
  await page.getByRole('heading', { name: 'We have your idea' }).waitFor()
})

describe.each([
  ['riverbend', 'en', '/en/projects/riverfront'],
  ['riverbend', 'fr-CA', '/fr-CA/projects/riverfront'],
  ['dyffryn', 'cy', '/cy/projects/lle-i-r-afon'],
] as const)('at %s in %s', (site, _language, project) => {
  test('pages of ideas are accessible on a phone and a wide screen, and silent in the console', async () => {
    const page = await openPage({ site, width: 360 })
    for (const path of ['', '/ideas', '/ideas?page=2&sort=supported', '/ideas/new', '/ideas/1', '/ideas/1/reply', '/ideas/receipt']) {
      await page.goto(project + path)
      await page.locator('h1').waitFor()
      await expectUsable(page)
    }
    expect(getConsoleErrors(page)).toEqual([])
  })
})
