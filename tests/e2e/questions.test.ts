import { expect, test } from 'vitest'
import { expectAccessible, getConsoleErrors, openPage, signIn, takePartBefore, expectUsable, openApi } from '#tests/support/browser.ts'

const ACTIVITY = '/en/projects/bws-y-cwm/cwestiynau'

test('a visitor without JavaScript asks a question; the team assigns it, answers it and makes it a frequently asked one', async () => {
  // One word that nothing else has, so that nothing is similar.
  const title = `Beicffordd${Date.now()}?`
  const visitor = await openPage({ site: 'dyffryn', javaScript: false, width: 360 })
  await visitor.goto('/en/projects/bws-y-cwm')
  await takePartBefore(visitor)
  await visitor.getByRole('link', { name: /^Read the questions/ }).click()
  await visitor.getByRole('link', { name: 'Ask a question' }).click()
  await visitor.getByLabel('Anonymously').check()
  await visitor.getByRole('button', { name: 'Send my question' }).click()
  await visitor.getByRole('link', { name: 'Write your question' }).waitFor()
  await visitor.getByLabel('What is your question?').fill(title)
  await visitor.getByRole('button', { name: 'Send my question' }).click()
  await visitor.getByRole('heading', { name: 'We have your question' }).waitFor()
  await visitor.getByText(/The team answers by \d+ \w+ \d{4}\./).waitFor()
  const number = /No\. (\d+)/.exec((await visitor.locator('#own-heading').textContent()) ?? '')?.[1]

  const team = await openPage({ site: 'dyffryn' })
  await signIn(team, 'site.admin')
  await team.goto('/admin/moderation/waiting?lng=en')
  const questions = team.getByRole('region', { name: 'Questions to answer' })
  // The late one is on top.
  await questions.locator('li').first().getByText('Overdue').waitFor()
  await questions.getByRole('link', { name: title }).click()
  // Not public yet: only the person who asked could be answered.
  await team.getByText('Publish it to answer everyone.').waitFor()
  await team.getByRole('button', { name: /^Publish/ }).click()
  await team.getByText('Decided', { exact: true }).waitFor()
  await team.getByLabel('Who answers').selectOption({ label: 'Lowri Pugh' })
  await team.getByText('Saved. They get an email.').waitFor()
  await team.getByLabel('Answer', { exact: true }).fill('Gwnaiff, os oes lle.')
  await team.getByRole('tab', { name: /English/ }).click()
  await team.getByLabel('Answer', { exact: true }).fill('Yes, if there is room.')
  await team.getByRole('button', { name: 'Publish the answer' }).click()
  await team.getByText('Answers so far').waitFor()
  await team.getByRole('button', { name: 'Add to frequently asked questions' }).click()
  await team.getByRole('button', { name: 'Take out of frequently asked questions' }).waitFor()

  const reader = await openPage({ site: 'dyffryn', javaScript: false })
  await reader.goto(`${ACTIVITY}/${number}`)
  await takePartBefore(reader)
  await reader.getByText('Yes, if there is room.').waitFor()
  await reader.goto('/cy/projects/bws-y-cwm')
  await reader.locator('.faq summary', { hasText: title }).click()
  await expect.poll(() => reader.locator('.faq details[open]').textContent()).toContain('Gwnaiff, os oes lle.')
})

test('somebody who asks the same joins the question while writing, without JavaScript, and can leave it again', async () => {
  const page = await openPage({ site: 'dyffryn', javaScript: false })
  await page.goto(`${ACTIVITY}/new`)
  await takePartBefore(page)
  await page.getByLabel('What is your question?').fill('Why does the bus not stop at the health centre gate?')
  await page.getByLabel('Anonymously').check()
  await page.getByRole('button', { name: 'Send my question' }).click()
  await page.getByRole('button', { name: /^I am asking this too\s*: Why does the bus not stop at the health centre/ }).click()
  expect(new URL(page.url()).pathname).toBe(`${ACTIVITY}/4`)
  await page.getByText('You are asking this too').waitFor()
  await page.getByText('25 other people ask this').waitFor()
  await page.getByRole('button', { name: 'I am no longer asking this' }).click()
  await page.getByText('24 other people ask this').waitFor()
})

test('the Enter key in the form sends the question, and joins no other', async () => {
  const page = await openPage({ site: 'dyffryn', javaScript: false })
  await page.goto(`${ACTIVITY}/new`)
  await takePartBefore(page)
  const title = page.getByLabel('What is your question?')
  await title.fill('Is a Sunday bus completely off the table for hospital staff?')
  await page.getByLabel('Anonymously').check()
  await title.press('Enter')
  await page
    .getByRole('button', { name: /^I am asking this too/ })
    .first()
    .waitFor()
  await title.press('Enter')
  await page.getByRole('heading', { name: 'We have your question' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`${ACTIVITY}/receipt`)
})

test('a private answer is read by the person who asked, and by nobody else', async () => {
  const words = 'Bring a letter from the school'
  const asker = await openPage({ site: 'dyffryn', javaScript: false })
  await signIn(asker, 'participant')
  await asker.goto('/en/account')
  await takePartBefore(asker)
  await asker.getByRole('link', { name: 'See what you sent' }).click()
  await asker.getByText('The team answered you').waitFor()
  await expectAccessible(await openOwnList())
  await asker.getByRole('link', { name: 'Alla i gael cerdyn i ofalwr fy mab?' }).click()
  await asker.getByText(words).waitFor()
  await asker.getByText('Only you can read this answer.').waitFor()
  const visitor = await openPage({ site: 'dyffryn', javaScript: false })
  expect((await visitor.goto(`${ACTIVITY}/7`))?.status()).toBe(404)
  for (const path of [ACTIVITY, '/en/search?q=companion+card', '/en/projects/bws-y-cwm']) {
    await visitor.goto(path)
    await takePartBefore(visitor)
    expect(await visitor.content()).not.toContain(words)
  }
})

async function openOwnList() {
  const page = await openPage({ site: 'dyffryn', width: 360 })
  await signIn(page, 'participant')
  await page.goto('/cy/account/contributions')
  await page.locator('h1').waitFor()
  return page
}

test.each(['cy', 'en'] as const)('pages of questions are accessible in %s and silent in the console', async (language) => {
  const page = await openPage({ site: 'dyffryn', width: 360 })
  for (const path of ['', '?sort=supported', '/new', '/1', '/6', '/receipt']) {
    await page.goto(`/${language}/projects/bws-y-cwm/cwestiynau${path}`)
    await page.locator('h1').waitFor()
    await expectUsable(page)
  }
  await signIn(page, 'site.admin')
  await page.goto(`/admin/moderation/waiting?lng=${language}`)
  await page.locator('#questions').waitFor()
  await expectUsable(page)
  await page.locator('.moderated a').first().click()
  await page.locator('#answer').waitFor()
  await expectUsable(page)
  expect(getConsoleErrors(page)).toEqual([])
})

test('the same pages are accessible in French, in an activity that an administrator adds', async () => {
  const path = await addQuestions()
  const page = await openPage({ width: 360, language: 'fr-CA' })
  for (const rest of ['', '/new', '/receipt']) {
    await page.goto(`/fr-CA${path}${rest}`)
    await page.locator('h1').waitFor()
    await expectUsable(page)
  }
  expect(getConsoleErrors(page)).toEqual([])
  const asker = await openPage({ javaScript: false, language: 'fr-CA' })
  await asker.goto(`/fr-CA${path}/new`)
  await takePartBefore(asker)
  expect(await asker.locator('.form-promise').textContent()).toContain('L’équipe répond dans un délai de 2 jours ouvrables.')
})

interface Found {
  id: string
  attributes: { slug: string }
  meta: { lockVersion: number }
}

/** An activity with questions in a project of Riverbend, through the API. @returns its path, without the language */
async function addQuestions(): Promise<string> {
  const send = await openApi('riverbend', 'site.admin')
  const projects = await send<{ data: Found[] }>('GET', '/projects?page[size]=100')
  const project = projects.data.find(({ attributes }) => attributes.slug === 'riverfront')?.id ?? ''
  const { data } = await send<{ data: Found }>('POST', '/activities', {
    type: 'activities',
    attributes: { kind: 'questions', titleTranslations: { en: 'Ask us', 'fr-CA': 'Posez vos questions' }, settings: { answerDays: 2 } },
    relationships: { project: { data: { type: 'projects', id: project } } },
  })
  const { lockVersion } = data.meta
  await send('PATCH', `/activities/${data.id}`, {
    type: 'activities',
    id: data.id,
    attributes: { status: 'published' },
    meta: { lockVersion },
  })
  return `/projects/riverfront/${data.attributes.slug}`
}
