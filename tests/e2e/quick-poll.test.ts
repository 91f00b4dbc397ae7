import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages, POLL } from '#tests/factories/surveys.ts'
import { expectAccessible, takePartBefore, waitForScripts } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
let site: Site
let added = 0

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'polled', languages: ['en', 'fr-CA', 'cy'] })
})

/** A project whose only survey is a poll, and the page where it is answered. */
async function addPoll(values: Parameters<typeof addSurvey>[2] = {}) {
  const project = await addProject(db.runtime, site, { slug: `later-${++added}` })
  const survey = await addSurvey(db.runtime, site, {
    projectId: project.id,
    slug: 'which-night',
    definition: POLL,
    access: 'anyone_once',
    resultsPublic: true,
    closesAt: new Date(Date.now() + 48 * 3_600_000),
    ...values,
  })
  return { survey, path: `/projects/${project.slug}`, address: `/projects/${project.slug}/surveys/which-night` }
}

const loadAnswers = async (surveyId: string) => {
  const rows = await db.database.site(site.id).tx((tx) =>
    tx
      .select({ answers: responses.answers })
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
  return rows.map(({ answers }) => answers)
}
const sendAnswer = (page: Page) => page.getByRole('button', { name: 'Send my answer' }).click()

/** Marks the page, so that a test can tell whether the browser left it. */
const markPage = (page: Page) => page.evaluate(() => Object.assign(window, { stayed: true }))
const hasStayed = (page: Page) => page.evaluate(() => 'stayed' in window)

test('is answered on the project’s page, which stays; the receipt and the results follow, and a second answer is refused', async () => {
  const { survey, path } = await addPoll()
  const first = await product.visit(site)
  await first.page.goto(path)
  await markPage(first.page)
  // Another tab has the question open already. Once its scripts run, it does not ask whether the poll was answered meanwhile.
  const late = await first.context.newPage()
  waitForScripts(late)
  await late.goto(path)
  await first.page.getByLabel('Friday').check()
  await sendAnswer(first.page)
  await first.page.getByText('Thank you. Your answer has been sent.').waitFor()
  // One person's answer would be known from the results.
  await first.page.getByText('once at least 5 people have answered').waitFor()
  expect(await hasStayed(first.page)).toBe(true)
  expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
  await late.getByLabel('Thursday').check()
  await sendAnswer(late)
  await late.getByText('You have already answered').waitFor()
  expect(await loadAnswers(survey.id)).toHaveLength(1)
  expect(first.complaints).toEqual([])

  for (let person = 2; person <= 5; person++) {
    const { page } = await product.visit(site)
    await page.goto(path)
    await page.getByLabel(person === 2 ? 'Thursday' : 'Friday').check()
    await sendAnswer(page)
    await page.getByText('Thank you. Your answer has been sent.').waitFor()
    if (person < 5) continue
    const chart = page.getByRole('table')
    await chart.waitFor()
    expect(await chart.getByRole('row').count()).toBeGreaterThanOrEqual(2)
    await page.getByRole('link', { name: 'See your receipt' }).click()
    await page.waitForURL('**/receipt')
    expect(await page.locator('.answers').innerText()).toContain('Friday')
  }
  expect(await loadAnswers(survey.id)).toHaveLength(5)
  // It remembers: whoever answered sees the results instead of the question.
  await first.page.goto(path)
  await first.page.getByText('You have already answered').waitFor()
  await first.page.getByRole('table').waitFor()
  expect(await first.page.getByLabel('Thursday').count()).toBe(0)
})

test('is not asked again where nobody is recognised', async () => {
  const open = await addPoll({ access: 'anyone' })
  const { page } = await product.visit(site)
  await page.goto(open.path)
  await page.getByLabel('Friday').check()
  await sendAnswer(page)
  await page.getByText('Thank you. Your answer has been sent.').waitFor()
  await page.goto(open.path)
  await page.getByText('You have already answered').waitFor()
  expect(await loadAnswers(open.survey.id)).toHaveLength(1)
})

test('is answered by keyboard alone', async () => {
  const { survey, path } = await addPoll()
  const { page } = await product.visit(site)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Thursday').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Thank you. Your answer has been sent.').waitFor()
  expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
})

test('an empty answer is refused beside the options, and focus is put there', async () => {
  const { survey, path } = await addPoll()
  const { page } = await product.visit(site)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await sendAnswer(page)
  await page.getByText('Choose an answer').waitFor()
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('thursday')
  await page.keyboard.press('Space')
  await sendAnswer(page)
  await page.getByText('Thank you. Your answer has been sent.').waitFor()
  expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'thursday' } }])
})

test('an answer whose reply is lost is stored once, however often it is sent', async () => {
  const { survey, path } = await addPoll({ access: 'anyone' })
  const { page } = await product.visit(site)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  let lost = 0
  await page.route(
    () => true,
    async (route) => {
      if (route.request().method() !== 'POST' || ++lost > 2) return route.continue()
      // The request is repeated outside of the browser, where not every system resolves names below localhost.
      const { host, port } = new URL(product.at(site))
      await route.fetch({ url: route.request().url().replace(host, `localhost:${port}`), headers: { ...route.request().headers(), host } })
      return route.abort()
    },
  )
  await page.getByLabel('Friday').check()
  for (let attempt = 1; attempt <= 2; attempt++) {
    await sendAnswer(page)
    await page.getByText('Your answer was not sent').waitFor()
    expect(await page.getByLabel('Friday').isChecked()).toBe(true)
    await expect.poll(() => lost).toBe(attempt)
  }
  await sendAnswer(page)
  await page.getByText('Thank you. Your answer has been sent.').waitFor()
  expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
})

test.each(['classic', 'revised'] as const)(
  'without JavaScript one press sends the answer, and a second stores no other (%s)',
  async (variant) => {
    const { survey, path, address } = await addPoll({ variant })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(path)
    await takePartBefore(page)
    const late = await page.context().newPage()
    await late.goto(path)
    await page.getByLabel('Friday').check()
    await sendAnswer(page)
    await page.waitForURL(`**${address}/receipt`)
    expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
    // The question that another tab has open already.
    await late.getByLabel('Thursday').check()
    await sendAnswer(late)
    await late.getByText('You have already answered').waitFor()
    expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
  },
)

test.each(['classic', 'revised'] as const)(
  'without JavaScript, where nobody is recognised, the choice goes along to the survey’s own page, where it is sent (%s)',
  async (variant) => {
    const { survey, path, address } = await addPoll({ variant, access: 'anyone' })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(path)
    await takePartBefore(page)
    await page.getByLabel('Friday').check()
    await sendAnswer(page)
    await page.waitForURL(`**${address}?step=night&answer=friday`)
    expect(await page.getByLabel('Friday').isChecked()).toBe(true)
    if (variant === 'revised') await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.waitForURL('**/receipt')
    expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
  },
)

test('a survey for members only, one with a second question, and one that has closed are not answered in place', async () => {
  const second = structuredClone(POLL)
  second.pages[0]?.questions.push({ id: 'why', type: 'long_text', title: inAllLanguages('Why?') })
  const given = [
    [await addPoll({ access: 'members' }), 'Have your say'],
    [await addPoll({ definition: second }), 'Have your say'],
    [await addPoll({ closesAt: new Date(Date.now() - 3_600_000) }), 'Closed'],
  ] as const
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  for (const [{ path }, heading] of given) {
    await page.goto(path)
    await page.getByRole('heading', { level: 2, name: heading }).waitFor()
    expect(await page.locator('#main [type="radio"]').count()).toBe(0)
  }
})

test('a poll that closes while its page is open says so, and takes nothing', async () => {
  const closesAt = new Date(Date.now() + 12_000)
  const { survey, path } = await addPoll({ closesAt })
  const { page } = await product.visit(site)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  // Forms that were opened before closing are accepted for a minute; this one is opened when an option is chosen.
  await page.waitForTimeout(closesAt.getTime() + 500 - Date.now())
  await page.getByLabel('Friday').check()
  await sendAnswer(page)
  await page.getByText('This poll has closed').waitFor()
  expect(await loadAnswers(survey.id)).toEqual([])
})

/** Publishes a homepage that consists of the poll. */
const putOnHomepage = (surveyId: string) =>
  db.database.site(site.id).tx((tx) =>
    tx.insert(homepageRevisions).values({
      siteId: site.id,
      id: createId(),
      content: { schema: 2, blocks: [{ id: 'poll', type: 'quick_poll', title: {}, surveyId }] },
      publishedAt: new Date(),
    }),
  )

test('on the homepage, without JavaScript, one press sends the answer too', async () => {
  const { survey, address } = await addPoll()
  await putOnHomepage(survey.id)
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  const link = page.locator(`#main form[action$="${address}"]`)
  await expect.poll(async () => (await page.goto('/')) && link.count()).toBe(1)
  await takePartBefore(page)
  await page.getByLabel('Friday').check()
  await sendAnswer(page)
  await page.waitForURL('**/receipt')
  expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
})

const WORDS = {
  en: ['Send my answer', 'Thank you. Your answer has been sent.'],
  'fr-CA': ['Envoyer ma réponse', 'Merci. Votre réponse a été envoyée.'],
  cy: ['Anfon fy ateb', 'Diolch. Mae eich ateb wedi’i anfon.'],
} as const

test.each(Object.keys(WORDS) as (keyof typeof WORDS)[])(
  'stands on the homepage as a block, and is answered there, in %s',
  async (language) => {
    const { survey, address } = await addPoll()
    await putOnHomepage(survey.id)
    const [send, sent] = WORDS[language]
    const { page, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 } })
    const path = language === 'en' ? '/' : `/${language}`
    await expect
      .poll(async () => {
        await page.goto(path)
        // Of this poll: a former test's homepage may still be in memory.
        return page.locator(`#main form[action$="${address}"]`).count()
      })
      .toBe(1)
    await expectAccessible(page)
    await markPage(page)
    await page.locator('[type="radio"][value="friday"]').check()
    await page.getByRole('button', { name: send }).click()
    await page.getByText(sent).waitFor()
    expect(await hasStayed(page)).toBe(true)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await loadAnswers(survey.id)).toEqual([{ night: { choice: 'friday' } }])
    expect(complaints).toEqual([])
  },
)
