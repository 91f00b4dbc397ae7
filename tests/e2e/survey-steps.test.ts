import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { responseDrafts, responses, siteDomains } from '#app/server/db/schema.ts'
import type { Site } from '#app/server/site-directory.ts'
import { SAMPLES, sampleQuestions } from '#tests/factories/questions.ts'
import { addProject, addSurvey, all } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { ownDatabase } from '#tests/support/own-product.ts'
import { drawn } from '#tests/support/pictures.ts'

const db = await ownDatabase()
const product = await db.start()
let site: Site
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime)
  await db.database.global.insert(siteDomains).values({ host: 'localhost', siteId: site.id })
  project = await addProject(db.runtime, site, { slug: 'fern' })
})

/** Where the way goes on depends on what was answered. */
const WAYS: Definition = {
  schema: 1,
  pages: [
    {
      id: 'travel',
      title: all('Your way'),
      questions: [
        {
          id: 'mode',
          type: 'one_choice',
          required: true,
          title: all('How do you travel?'),
          options: [
            { id: 'bus', label: all('By bus') },
            { id: 'foot', label: all('On foot') },
          ],
        },
        {
          id: 'line',
          type: 'short_text',
          required: true,
          title: all('Which bus?'),
          showIf: { question: 'mode', is: 'any_of', options: ['bus'] },
        },
      ],
    },
    {
      id: 'walkers',
      title: all('On foot'),
      showIf: { question: 'mode', is: 'any_of', options: ['foot'] },
      questions: [{ id: 'shoes', type: 'short_text', title: all('Which shoes?') }],
    },
    {
      id: 'last',
      questions: [{ id: 'more', type: 'long_text', title: all('What else about “{{mode}}”?') }],
    },
  ],
}

const open = (slug: string, values: Parameters<typeof addSurvey>[2] = {}) =>
  addSurvey(db.runtime, site, { projectId: project.id, slug, definition: WAYS, closesAt: new Date(Date.now() + 48 * 3_600_000), ...values })
const address = (slug: string, language = '') => `${language && `/${language}`}/projects/fern/surveys/${slug}`
const stored = (surveyId: string) =>
  db.database.site(site.id).tx((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const drafts = (surveyId: string) =>
  db.database.site(site.id).tx((tx) =>
    tx
      .select()
      .from(responseDrafts)
      .where(and(eq(responseDrafts.siteId, site.id), eq(responseDrafts.surveyId, surveyId))),
  )
const go = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

describe('a survey in sections without JavaScript', () => {
  test('leads page by page where the answers lead, back without loss, and sends what was seen alone', async () => {
    const survey = await open('ways')
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('ways'))
    await go(page, 'Continue')
    expect(await page.title()).toMatch(/^Error: /)
    expect(await page.locator('.error-summary a').allTextContents()).toEqual(['How do you travel? Choose an answer'])
    await page.getByLabel('By bus').check()
    await go(page, 'Continue')
    await page.getByLabel('Which bus?').fill('The 80')
    await go(page, 'Continue')
    await page.getByLabel('What else about “By bus”?').fill('More seats')
    await go(page, 'Back')
    expect(await page.getByLabel('Which bus?').inputValue()).toBe('The 80')
    await page.getByLabel('On foot').check()
    await go(page, 'Continue')
    await heading(page, 'On foot')
    await page.getByLabel('Which shoes?').fill('Boots')
    await go(page, 'Continue')
    expect(await page.getByLabel('What else about “On foot”?').inputValue()).toBe('More seats')
    await go(page, 'Continue')
    await heading(page, 'Look over your answers')
    expect(await page.locator('.answers dt').allTextContents()).toEqual([
      'How do you travel?',
      'Which shoes?',
      'What else about “On foot”?',
    ])
    expect((await drafts(survey.id))[0]?.answers).toMatchObject({ line: 'The 80' })
    await go(page, 'Send my answers')
    await page.waitForURL('**/receipt')
    expect((await stored(survey.id))[0]?.answers).toEqual({ mode: { choice: 'foot' }, shoes: 'Boots', more: 'More seats' })
    expect(await drafts(survey.id)).toEqual([])
    expect(await page.locator('.answers').textContent()).not.toContain('Which bus?')
  })

  test('can be finished on another device by a link, on the version it was begun on', async () => {
    const survey = await open('later')
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('later'))
    await page.getByLabel('On foot').check()
    await go(page, 'Finish later')
    await heading(page, 'Your answers are kept')
    const link = (await page.locator('.survey-link a').getAttribute('href')) ?? ''
    const { page: elsewhere } = await product.visit(site, { javaScriptEnabled: false })
    await elsewhere.goto(link.replace(/^https?:\/\/[^/]+/, ''))
    expect(new URL(elsewhere.url()).search).toBe('')
    expect(await elsewhere.getByLabel('On foot').isChecked()).toBe(true)
    await go(elsewhere, 'Continue')
    await heading(elsewhere, 'On foot')
    await go(elsewhere, 'Continue')
    await elsewhere.getByLabel(/What else/).waitFor()
    await go(elsewhere, 'Continue')
    await go(elsewhere, 'Send my answers')
    await elsewhere.waitForURL('**/receipt')
    expect(await stored(survey.id)).toHaveLength(1)
  })

  test('a link to nothing leads to the survey from its beginning', async () => {
    await open('nothing')
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(`${address('nothing')}?resume=${crypto.randomUUID()}.not-a-key-of-anything`)
    expect(await page.getByLabel('On foot').isChecked()).toBe(false)
  })
})

describe('a survey one question at a time', () => {
  test('works without JavaScript, and sends once it was looked over', async () => {
    const survey = await open('one', { variant: 'revised' })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('one'))
    await page.getByRole('link', { name: 'Start' }).click()
    await heading(page, 'How do you travel? (required)')
    await page.getByLabel('By bus').check()
    await go(page, 'Continue')
    await heading(page, /^Which bus/)
    await go(page, 'Continue')
    await page.locator('.error-summary').waitFor()
    expect(await page.locator('.error-summary a').allTextContents()).toEqual(['Which bus? Write your answer'])
    await page.getByLabel('Which bus?').fill('The 80')
    await go(page, 'Continue')
    await heading(page, /^What else/)
    await go(page, 'Continue')
    await page.getByRole('link', { name: 'Change How do you travel?' }).click()
    await page.getByLabel('On foot').check()
    await go(page, 'Continue')
    await heading(page, 'Which shoes?')
    await go(page, 'Continue')
    await heading(page, /^What else/)
    await go(page, 'Continue')
    await go(page, 'Send my answers')
    await page.waitForURL('**/receipt')
    expect((await stored(survey.id))[0]?.answers).toEqual({ mode: { choice: 'foot' } })
  })

  test('keeps everything through a reload and a dead network, and sends when the network returns', async () => {
    const survey = await open('net', { variant: 'revised' })
    const { page, context, complaints } = await product.visit(site)
    await page.goto(address('net'))
    await page.getByRole('link', { name: 'Start' }).click()
    await heading(page, /^How do you travel\?/)
    await page.getByLabel('On foot').check()
    await page.getByText('Saved on this device').waitFor()
    await page.reload()
    await page.getByText('Saved on this device').waitFor()
    await expect.poll(() => page.getByLabel('On foot').isChecked()).toBe(true)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await go(page, 'Continue')
    await heading(page, 'Which shoes?')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('survey-progress')
    await page.getByLabel('Which shoes?').fill('Boots')
    await go(page, 'Back')
    await heading(page, /^How do you travel\?/)
    await go(page, 'Continue')
    expect(await page.getByLabel('Which shoes?').inputValue()).toBe('Boots')
    await page.goBack()
    await heading(page, /^How do you travel\?/)
    await page.goForward()
    await go(page, 'Continue')
    await go(page, 'Continue')
    await heading(page, 'Look over your answers')
    await go(page, 'Send my answers')
    await page.getByText('There is no connection just now').waitFor()
    expect(await stored(survey.id)).toEqual([])
    await context.setOffline(false)
    await page.waitForURL('**/receipt')
    expect((await stored(survey.id))[0]?.answers).toEqual({ mode: { choice: 'foot' }, shoes: 'Boots' })
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
    expect(complaints.filter((complaint) => !/Failed to fetch|ERR_INTERNET|net::|Load failed|Unable to preload/i.test(complaint))).toEqual(
      [],
    )
  })

  test('with an address that carries a parameter nobody knows nothing typed is lost', async () => {
    await open('odd', {
      definition: {
        schema: 1,
        pages: [
          {
            id: 'p',
            questions: [
              { id: 'a', type: 'short_text', required: true, title: all('Which street?') },
              { id: 'b', type: 'short_text', title: all('Why?') },
            ],
          },
        ],
      },
    })
    const { page, complaints } = await product.visit(site)
    await page.goto(`${address('odd')}?lng=cy&x=1`)
    await page.locator('[name="q.b"]').fill('Because')
    await page.locator('.survey-send button').first().click()
    await page.locator('.error-summary').waitFor()
    expect(await page.locator('[name="q.b"]').inputValue()).toBe('Because')
    expect(complaints.filter((complaint) => !/422/.test(complaint))).toEqual([])
  })
})

describe('every type of question', () => {
  const everything: Definition = { schema: 1, pages: [{ id: 'p', title: all('Everything'), questions: sampleQuestions() }] }

  test('is answered on one page without JavaScript, and told on the receipt', async () => {
    const survey = await open('types', { definition: everything })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('types'))
    await page.locator('.survey-form details summary').click()
    for (const { question, form } of Object.values(SAMPLES)) {
      if (question.type === 'file') {
        const buffer = await drawn(40, 30).jpeg().toBuffer()
        await page.locator(`[name="q.${question.id}.new"]`).setInputFiles({ name: 'The bridge.png', mimeType: 'image/png', buffer })
        continue
      }
      for (const [part, value] of Object.entries(form)) {
        const name = ['q', question.id, part].filter(Boolean).join('.')
        const fields = page.locator(`[name="${name}"]`)
        const kind = (await fields.count()) ? await fields.first().evaluate((element: HTMLInputElement) => element.type) : ''
        for (const each of [value].flat()) {
          if (kind === 'radio' || kind === 'checkbox') await page.locator(`[name="${name}"][value="${each}"]`).check()
          else if (kind === 'select-one') await fields.selectOption(each)
          else if (kind) await fields.fill(each, { force: true })
        }
      }
    }
    await go(page, 'Send my answers')
    await page.waitForURL('**/receipt')
    const expected = Object.fromEntries(
      Object.values(SAMPLES).flatMap(({ question, answer }) => (answer === undefined ? [] : [[question.id, answer]])),
    )
    expect((await stored(survey.id))[0]?.answers).toEqual({
      ...expected,
      file: { files: [expect.objectContaining({ name: 'The bridge.jpg', type: 'image/jpeg' })] },
    })
    const told = (await page.locator('.answers').textContent()) ?? ''
    for (const words of ['Another: Teal', '1. blue', 'red: 60', 'park: good', 'The bridge', 'I agree', '7 March 2026'])
      expect(told).toContain(words)
  })

  test.each([
    ['en', 360, undefined],
    ['fr-CA', 768, 'revised'],
    ['cy', 320, 'revised'],
    ['cy', 1280, undefined],
  ] as const)('is accessible and fits in %s at %i pixels (%s)', async (language, width, variant) => {
    const slug = `every-${language.toLowerCase()}-${width}`
    await open(slug, { definition: everything, ...(variant && { variant }) })
    const { page, complaints } = await product.visit(site, { viewport: { width, height: 900 }, reducedMotion: 'reduce' })
    const look = async (where: string) => {
      expect([where, await fits(page)]).toEqual([where, true])
      await expectAccessible(page)
    }
    if (!variant) {
      await page.goto(address(slug, language))
      await look('all on one page')
      await page.locator('.survey-send button').first().click()
      await page.locator('.error-summary').waitFor()
      await look('refused')
    } else {
      await page.goto(address(slug, language))
      await look('start')
      for (const type of ['likert', 'ranking', 'budget', 'picture_choice', 'place', 'consent', 'slider', 'dropdown']) {
        await page.goto(`${address(slug, language)}?step=${type}`)
        await look(type)
      }
      await page.goto(`${address(slug, language)}?step=-review`)
      await look('review')
      await page.goto(`${address(slug, language)}?step=-later`)
      await look('later')
    }
    expect(complaints.filter((complaint) => !/422/.test(complaint))).toEqual([])
  })

  test('things are put in order with buttons alone, and a budget says what is left', async () => {
    await open('moves', { definition: everything })
    const { page } = await product.visit(site)
    await page.goto(address('moves'))
    await page.getByRole('button', { name: 'Move up: blue' }).click()
    await page.getByRole('button', { name: 'Move up: red' }).click()
    await page.getByRole('button', { name: 'Move up: red' }).click()
    const places = await page.locator('.ranking select').evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).value))
    expect(places).toEqual(['1', '', '2'])
    await page.locator('[name="q.budget.red"]').fill('60')
    await page.getByText('40% left to share out').waitFor()
    await page.locator('[name="q.budget.green"]').fill('40')
    await page.getByText('All of it is shared out').waitFor()
  })
})
