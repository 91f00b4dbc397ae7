import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import {
  awaitScripts,
  expectAccessibleOnceScripted,
  expectUsable,
  openApi,
  openPage,
  signIn,
  takePartBefore,
} from '#tests/support/browser.ts'
import { requireMailedLink } from '#tests/support/mails.ts'

const PASSWORD = 'a long river of words'
const text = (words: string) => ({ en: words, 'fr-CA': words })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const TRAVELS = ['bus', 'bike', 'foot']
const AGES = ['u16', 'a16', 'a25', 'a35', 'a45', 'a55', 'a65', 'a75']

type Api = Awaited<ReturnType<typeof openApi>>

/** The age group, which people gave as their year of birth, and an idea. */
const buildQuestions = (key: string) => [
  {
    id: 'age',
    type: 'demographic',
    bank: 'std-age',
    profile: 'born',
    title: text(`Age group ${key}`),
    options: AGES.map((id) => ({ id, label: text(`${id} ${key}`) })),
  },
  { id: 'idea', type: 'long_text', title: text(`Your idea ${key}`) },
]

/** A published survey with these questions on one page. */
async function addLinkedSurvey(
  api: Api,
  key: string,
  values: { anonymous: boolean; variant?: 'revised' },
  questions: readonly object[] = buildQuestions(key),
): Promise<string> {
  const { data: project } = await api<{ data: { id: string } }>('POST', '/projects', {
    type: 'projects',
    attributes: {
      slug: `p${key}`,
      titleTranslations: text(`Park ${key}`),
      summaryTranslations: text('A park.'),
      bodyTranslations: text('A park for all.'),
      // Reached by its link only, so that it is not in lists that other journeys read.
      visibility: 'link',
    },
  })
  const { data: survey } = await api<{ data: { id: string } }>('POST', '/surveys', {
    type: 'surveys',
    attributes: {
      slug: key,
      titleTranslations: text(`Trees ${key}`),
      access: 'anyone',
      variant: 'classic',
      ...values,
      definition: { schema: 1, pages: [{ id: 'p1', questions }] },
    },
    relationships: { project: { data: { type: 'projects', id: project.id } } },
  })
  await api('POST', '/survey-versions', {
    type: 'survey-versions',
    attributes: {},
    relationships: { survey: { data: { type: 'surveys', id: survey.id } } },
  })
  await api('POST', `/projects/${project.id}/publications`, { type: 'publications', attributes: {} })
  return `/projects/p${key}/surveys/${key}`
}

test('from sign-up without JavaScript to an age group that is added to an anonymous survey, and one that is filled in where answers have a name', async () => {
  const key = `linked${Date.now()}`
  const email = `${key}@example.org`
  const api = await openApi('riverbend', 'site.admin')
  const anonymous = await addLinkedSurvey(api, `${key}a`, { anonymous: true })
  const named = await addLinkedSurvey(api, `${key}b`, { anonymous: false })

  const page = await openPage({ javaScript: false })
  await page.goto('/register')
  await page.locator('input[name="login"]').fill(`Petra ${key}`)
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await page.locator('input[name="q.born"]').fill('1958')
  await press(page, 'Create my account')
  await page.waitForURL('**/check-mail**')
  await page.goto(await requireMailedLink(email, 'confirm-email'))
  await press(page, 'Yes, confirm it')
  await page.waitForURL('**/sign-in**')
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await page.locator('main form.form [type="submit"]').click()
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))

  await page.goto(anonymous)
  const age = page.locator('[name="q.age"]')
  const chosen = page.locator('[name="q.age"]:checked, select[name="q.age"]')
  const idea = page.getByLabel(`Your idea ${key}a`)
  expect(await page.locator('[name="q.age"]:checked').count()).toBe(0)
  expect(await age.count()).toBeGreaterThan(0)
  await idea.fill('More shade')
  await expectAccessibleOnceScripted(page)
  await press(page, `Add to my answers: Age group ${key}a`)
  await page.getByText('Added to your answers').waitFor()
  expect(await chosen.inputValue()).toMatch(/^a(55|65)$/)
  expect(await idea.inputValue()).toBe('More shade')
  expect(await page.getByRole('button', { name: /^Add to my answers/ }).count()).toBe(0)
  // Nothing that was sent can be kept in the account.
  expect(await page.getByText(/Also save this in my account/).count()).toBe(0)
  await page.locator('.survey-send button[type="submit"]').first().click()
  await page.waitForURL('**/receipt')
  expect(await page.locator('main').innerText()).toMatch(new RegExp(`a(55|65) ${key}a`))

  await page.goto(named)
  expect(await chosen.inputValue()).toMatch(/^a(55|65)$/)
  expect(await page.locator('main').innerText()).toContain(`We filled this in from what you told us about yourself: Age group ${key}b.`)
})

test('with JavaScript, in steps, the offer adds to the step, and the editor inserts a linked question from the bank', async () => {
  const key = `steps${Date.now()}`
  const api = await openApi('riverbend', 'site.admin')
  const address = await addLinkedSurvey(api, key, { anonymous: true, variant: 'revised' })
  const page = await openPage({ width: 360 })
  await signIn(page, 'participant')
  await page.goto('/account/about-you')
  await page.locator('input[name="q.born"]').fill('1958')
  await page.locator('form:has(input[name="q.born"]) button[type="submit"]').first().click()
  await page.getByText('Your answer is saved.').waitFor()
  await page.goto(`${address}?step=age`)
  await awaitScripts(page)
  const offer = page.getByRole('button', { name: /^Add to my answers/ })
  await offer.waitFor()
  await expectUsable(page, [360])
  await offer.click()
  await page.getByText('Added to your answers').waitFor()
  expect(await page.locator('[name="q.age"]:checked, select[name="q.age"]').inputValue()).toMatch(/^a(55|65)$/)

  const admin = await openPage()
  await signIn(admin, 'site.admin')
  const { data: surveys } = await api<{ data: { id: string; attributes: { slug: string } }[] }>('GET', `/surveys?filter[q]=${key}`)
  await admin.goto(`/admin/surveys/${surveys.find(({ attributes }) => attributes.slug === key)?.id ?? ''}`)
  await awaitScripts(admin)
  await press(admin, 'Question bank')
  const bank = admin.getByRole('dialog')
  await bank.getByText('From the questions about people').waitFor()
  await bank.locator('ul').filter({ hasText: 'How old are you?' }).first().getByRole('button', { name: 'Insert: How old are you?' }).click()
  const link = admin.getByLabel('Fill in what people told us about themselves')
  await expect.poll(() => link.isChecked()).toBe(true)
})

/** A question about people with three answers, asked in the account only, so that no other journey meets it. */
async function addQuestion(api: Api, key: string) {
  const { data } = await api<{ data: { id: string } }>('POST', '/profile-questions', {
    type: 'profile-questions',
    attributes: {
      key,
      kind: 'one-choice',
      labelTranslations: text(`How do you travel? ${key}`),
      purposeTranslations: text('to plan stops.'),
      options: TRAVELS.map((id) => ({ id, label: text(`${id} ${key}`) })),
      askedAt: 'account-only',
      retentionMonths: 18,
      status: 'live',
    },
  })
  return async () => {
    const found = await api<{ data: { meta: { lockVersion: number } } }>('GET', `/profile-questions/${data.id}`)
    const meta = { lockVersion: found.data.meta.lockVersion }
    await api('PATCH', `/profile-questions/${data.id}`, { type: 'profile-questions', id: data.id, attributes: { status: 'retired' }, meta })
  }
}

test('“Also save this in my account” changes what a person said about themselves, and only if it is ticked, without JavaScript', async () => {
  const key = `travel${Date.now()}`
  const api = await openApi('riverbend', 'site.admin')
  const retire = await addQuestion(api, key)
  try {
    const question = {
      id: 'how',
      type: 'one_choice',
      profile: key,
      title: text(`How do you travel? ${key}`),
      options: TRAVELS.map((id) => ({ id, label: text(`${id} ${key}`) })),
    }
    const address = await addLinkedSurvey(api, key, { anonymous: false }, [question])
    const page = await openPage({ javaScript: false })
    await signIn(page, 'participant')
    const answer = async (option: string, keep: boolean) => {
      await page.goto(address)
      await takePartBefore(page)
      await page.getByLabel(`${option} ${key}`).check()
      if (keep) await page.getByLabel(/^Also save this in my account/).check()
      await page.locator('.survey-send button[type="submit"]').first().click()
      await page.waitForURL('**/receipt')
    }
    const findOwn = async () => {
      await page.goto('/account/about-you')
      return page.locator(`input[name="q.${key}"]:checked`).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    }
    await answer('bus', false)
    expect(await findOwn()).toEqual([])
    await answer('bike', true)
    expect(await findOwn()).toEqual(['bike'])
    await page.goto(address)
    expect(await page.getByLabel(`bike ${key}`).isChecked()).toBe(true)
    await expectAccessibleOnceScripted(page)
    await answer('foot', false)
    expect(await findOwn()).toEqual(['bike'])
  } finally {
    await retire()
  }
})

test('the report on reach says what people who took part said, and the list of contributions is filtered by it', async () => {
  const admin = await openPage()
  await signIn(admin, 'site.admin')
  await admin.goto('/admin/reports/reach?days=365')
  await admin.getByRole('heading', { name: 'What people who took part said about themselves' }).waitFor()
  expect(await admin.getByRole('table', { name: 'Year of birth' }).innerText()).toContain('25 to 34')
  await expectUsable(admin)
  await admin.goto('/admin/contributions')
  await awaitScripts(admin)
  await admin.getByLabel('Said about themselves').selectOption({ index: 1 })
  await expect.poll(() => new URL(admin.url()).searchParams.get('profile')).toMatch(/^born:/)
  await admin.getByText(/If they are fewer than 5, nothing is shown/).waitFor()
})
