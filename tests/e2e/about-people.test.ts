import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { awaitScripts, expectAccessible, expectAccessibleOnceScripted, openApi, openPage, signIn } from '#tests/support/browser.ts'
import { requireMailedLink } from '#tests/support/mails.ts'

const PASSWORD = 'a long river of words'
const text = (words: string) => ({ en: words, 'fr-CA': words })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

interface Named {
  data: { id: string; attributes: { name?: string; login?: string } }[]
}

async function addGroupByRule(page: Page, name: string, rule: { label: string; option: string }): Promise<void> {
  await page.goto('/admin/people/groups')
  await awaitScripts(page)
  await press(page, 'New group or tag')
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name="name"]').fill(name)
  await dialog.getByLabel('How people are added').selectOption('By a rule')
  await dialog.getByLabel(rule.label).selectOption(rule.option)
  await press(page, 'Create')
  await dialog.waitFor({ state: 'detached' })
}

test('a question is asked at sign-up without JavaScript, filters the list of people, and its answer can be changed and deleted', async () => {
  const key = `pets${Date.now()}`
  const label = `Do you live with an animal? ${key}`
  const login = `Petra ${key}`
  const email = `${key}@example.org`
  const api = await openApi('riverbend', 'site.admin')
  const { data: question } = await api<{ data: { id: string } }>('POST', '/profile-questions', {
    type: 'profile-questions',
    attributes: {
      key,
      kind: 'one-choice',
      labelTranslations: text(label),
      purposeTranslations: text('to plan parks for dogs.'),
      options: ['dog', 'cat', 'none'].map((id) => ({ id, label: text(`${id} ${key}`) })),
      askedAt: 'sign-up',
      retentionMonths: 18,
      status: 'live',
    },
  })
  try {
    const page = await openPage({ javaScript: false })
    await page.goto('/register')
    const group = page.getByRole('radiogroup', { name: label })
    expect(await group.innerText()).toContain('Why we ask: to plan parks for dogs. We keep your answer for 18 months.')
    await page.locator('input[name="login"]').fill(login)
    await page.locator('input[name="email"]').fill(email)
    await page.locator('input[name="password"]').fill(PASSWORD)
    await page.locator('input[name="q.born"]').fill('1800')
    await press(page, 'Create my account')
    const summary = page.locator('.error-summary')
    await summary.waitFor()
    expect(await summary.innerText()).toContain('Enter a year of birth in four digits')
    expect(await page.locator('input[name="q.born"]').inputValue()).toBe('1800')
    await expectAccessibleOnceScripted(page)
    await page.locator('input[name="q.born"]').fill('1958')
    await group.getByLabel(`dog ${key}`).check()
    await page.locator('input[name="password"]').fill(PASSWORD)
    await press(page, 'Create my account')
    await page.waitForURL('**/check-mail**')
    await page.goto(await requireMailedLink(email, 'confirm-email'))
    await press(page, 'Yes, confirm it')
    await page.waitForURL('**/sign-in**')

    const admin = await openPage()
    await signIn(admin, 'site.admin')
    await admin.goto('/admin/people')
    await awaitScripts(admin)
    await admin.getByLabel(label).selectOption(`dog ${key}`)
    await admin.getByRole('link', { name: login }).waitFor()
    expect(new URL(admin.url()).searchParams.get('profile')).toBe(`${key}:dog`)
    await admin.getByLabel(label).selectOption(`cat ${key}`)
    await expect.poll(() => admin.getByRole('link', { name: login }).count()).toBe(0)
    await addGroupByRule(admin, `Dogs ${key}`, { label, option: `dog ${key}` })
    const { data: groups } = await api<Named>('GET', `/groups?filter[q]=${key}`)
    const dogs = groups.find(({ attributes }) => attributes.name === `Dogs ${key}`)
    const { data: members } = await api<Named>('GET', `/users?filter[group]=${dogs?.id ?? ''}`)
    expect(members.map(({ attributes }) => attributes.login)).toEqual([login])

    await page.goto('/sign-in')
    await page.locator('input[name="email"]').fill(email)
    await page.locator('input[name="password"]').fill(PASSWORD)
    await page.locator('main form.form [type="submit"]').click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.goto('/account')
    await page.getByRole('link', { name: 'See and change what you told us' }).click()
    await page.waitForURL('**/account/about-you')
    await expectAccessibleOnceScripted(page)
    expect(await page.locator('input[name="q.born"]').inputValue()).toBe('1958')
    await group.getByLabel(`cat ${key}`).check()
    await press(page, `Save: ${label}`)
    await page.getByText('Your answer is saved.').waitFor()
    await admin.goto(`/admin/people?profile=${key}:cat`)
    await admin.getByRole('link', { name: login }).waitFor()
    await press(page, `Delete this answer: ${label}`)
    await page.getByText('Your answer is deleted.').waitFor()
    expect(await group.getByRole('radio', { checked: true }).count()).toBe(0)
    await admin.reload()
    await expect.poll(() => admin.getByRole('link', { name: login }).count()).toBe(0)
  } finally {
    const { data } = await api<{ data: { id: string; meta: { lockVersion: number } } }>('GET', `/profile-questions/${question.id}`)
    const meta = { lockVersion: data.meta.lockVersion }
    await api('PATCH', `/profile-questions/${data.id}`, { type: 'profile-questions', id: data.id, attributes: { status: 'retired' }, meta })
  }
})

test('an administrator writes a question, looks at it in both languages, moves it by keyboard and asks it', async () => {
  const key = `bikes${Date.now()}`
  const page = await openPage()
  await signIn(page, 'site.admin')
  await page.goto('/admin/people/questions')
  await awaitScripts(page)
  await press(page, 'Add a question')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Short name').fill(key)
  await dialog.getByLabel('Kind of answer').selectOption('Short text')
  await dialog.getByLabel('Question', { exact: true }).fill(`Your bicycle ${key}`)
  await dialog.getByLabel('Why we ask').fill('to plan stands.')
  await dialog.getByText(`Your bicycle ${key}`).waitFor()
  await press(page, 'Save')
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('listitem').filter({ hasText: key })
  await row.waitFor()
  expect(await row.innerText()).toContain('2 texts are missing')
  await row.getByRole('button', { name: /^Ask it/ }).click()
  await page
    .getByText(/missing in one of the site/)
    .first()
    .waitFor()
  await row.getByRole('button', { name: /^Move up/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(new RegExp(`${key} is now number`)).waitFor({ state: 'attached' })
  // The same key moves it on.
  const readFocus = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  await expect.poll(readFocus).toBe(`Move up: Your bicycle ${key}`)
  await row.getByRole('button', { name: /^Delete/ }).click()
  await expect.poll(() => row.count()).toBe(0)
})

test('the team enters what a person said on the phone, who sees that and has the last word', async () => {
  const api = await openApi('riverbend', 'site.admin')
  const { data: people } = await api<Named>('GET', '/users?filter[q]=participant@riverbend.example')
  const person = people[0]?.id ?? ''
  const key = `shoes${Date.now()}`
  const label = `How do you get about? ${key}`
  const { data: question } = await api<{ data: { id: string } }>('POST', '/profile-questions', {
    type: 'profile-questions',
    attributes: {
      key,
      kind: 'several-choices',
      labelTranslations: text(label),
      purposeTranslations: text('to plan pavements.'),
      options: ['walk', 'bus', 'bike'].map((id) => ({ id, label: text(`${id} ${key}`) })),
      askedAt: 'account-only',
      retentionMonths: 12,
      status: 'live',
    },
  })
  try {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto(`/admin/people/${person}`)
    await awaitScripts(page)
    await press(page, 'Enter an answer…')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Question', { exact: true }).selectOption(label)
    await press(page, 'Save')
    await dialog.getByText('Complete this field').waitFor()
    await dialog.getByLabel(`walk ${key}`).check()
    await dialog.getByLabel(`bus ${key}`).check()
    await expectAccessible(page)
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(`walk ${key}; bus ${key}`).waitFor()
    await page.getByText(/Entered by the team/).waitFor()

    const own = await openPage({ javaScript: false })
    await signIn(own, 'participant')
    await own.goto('/account/about-you')
    const card = own.getByRole('region', { name: label })
    expect(await card.innerText()).toContain('Entered by the site’s team')
    await card.getByLabel(`bus ${key}`).uncheck()
    await card.getByRole('button', { name: `Save: ${label}` }).click()
    await own.getByText('Your answer is saved.').waitFor()
    await page.reload()
    await page.getByText(`walk ${key}`, { exact: true }).waitFor()
  } finally {
    const { data } = await api<{ data: { meta: { lockVersion: number } } }>('GET', `/profile-questions/${question.id}`)
    const meta = { lockVersion: data.meta.lockVersion }
    await api('PATCH', `/profile-questions/${question.id}`, {
      type: 'profile-questions',
      id: question.id,
      attributes: { status: 'retired' },
      meta,
    })
  }
})
