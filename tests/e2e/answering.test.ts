import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Definition, Question } from '#app/features/surveys/surveys.schema.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createItems } from '#tests/factories/questions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
let site: Site
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime)
  project = await addProject(db.runtime, site, { slug: 'fern' })
})

const address = (slug: string, language = '') => `${language && `/${language}`}/projects/fern/surveys/${slug}`
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

const asOnePage = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'only', questions }] })
const open = (slug: string, definition: Definition, values: Partial<Parameters<typeof addSurvey>[2]> = {}) =>
  addSurvey(db.runtime, site, { projectId: project.id, slug, definition, ...values })

const countResponses = async (surveyId: string) =>
  (
    await db.database.site(site.id).tx((tx) =>
      tx
        .select({ id: responses.id })
        .from(responses)
        .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
    )
  ).length

describe('a ranking', () => {
  const ranking: Question = {
    id: 'order',
    type: 'ranking',
    title: inAllLanguages('Put them in order'),
    required: true,
    options: createItems('red', 'green', 'blue', 'white'),
  }
  const listRows = (page: Page) =>
    page
      .locator('.ranking > li')
      .evaluateAll((rows) => rows.map((row) => `${row.querySelector('select')?.value} ${row.querySelector('label')?.textContent}`))

  test('is reordered with buttons, with arrow keys and by choosing a number, and says how many are ranked', async () => {
    await open('buttons', asOnePage(ranking))
    const { page, complaints } = await product.visit(site)
    await page.goto(address('buttons'))
    await page.getByText('0 of 4 ranked').waitFor()
    await page.getByRole('button', { name: 'Move up: blue' }).click()
    await page.getByRole('button', { name: 'Move up: green' }).click()
    await expect.poll(() => listRows(page)).toEqual(['1 blue', '2 green', ' red', ' white'])
    await page.getByText('2 of 4 ranked').waitFor()
    // The focus travels with the row.
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => listRows(page)).toEqual(['1 green', '2 blue', ' red', ' white'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => listRows(page)).toEqual(['1 blue', ' red', ' green', ' white'])
    await page.getByLabel('white', { exact: true }).selectOption('2')
    await expect.poll(() => listRows(page)).toEqual(['1 blue', '2 white', ' red', ' green'])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.getByText('You have ranked 2 of 4. Give each one a different number, from 1 upwards').first().waitFor()
    await expect.poll(() => listRows(page)).toEqual(['1 blue', '2 white', ' red', ' green'])
    expect(complaints.filter((complaint) => !/status of 422/.test(complaint))).toEqual([])
  })

  test.each([['mouse'], ['finger']])('is reordered by dragging with a %s on a phone, and what is dropped is sent', async (by) => {
    await open(`drag-${by}`, asOnePage(ranking))
    const { page, context } = await product.visit(site, { viewport: { width: 360, height: 800 }, hasTouch: by === 'finger' })
    await page.goto(address(`drag-${by}`))
    const at = async (option: string, part: string) => {
      const box = await page.locator('.ranking > li', { hasText: option }).locator(part).boundingBox()
      return { x: Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2), y: Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2) }
    }
    await page.locator('.ranking').scrollIntoViewIfNeeded()
    const session = await context.newCDPSession(page)
    const drag = async (option: string, to: string) => {
      await page.locator('.ranking-handle').first().waitFor()
      const from = await at(option, '.ranking-handle')
      const end = await at(to, '.ranking-handle')
      const stops = [0.3, 0.6, 0.9, 1].map((part) => ({
        x: from.x,
        y: Math.round(from.y + (end.y - from.y) * part + (end.y > from.y ? 4 : -4)),
      }))
      if (by === 'mouse') {
        await page.mouse.move(from.x, from.y)
        await page.mouse.down()
        for (const stop of stops) await page.mouse.move(stop.x, stop.y)
        await page.mouse.up()
        return
      }
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
      for (const stop of stops) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [stop] })
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await drag('white', 'red')
    await expect.poll(() => listRows(page)).toEqual(['1 white', ' red', ' green', ' blue'])
    await drag('blue', 'white')
    await expect.poll(() => listRows(page)).toEqual(['1 blue', '2 white', ' red', ' green'])
    await drag('green', 'white')
    await drag('red', 'blue')
    await expect.poll(() => listRows(page)).toEqual(['1 red', '2 blue', '3 green', '4 white'])
    expect(await fits(page)).toBe(true)
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.waitForURL('**/receipt')
    expect(await page.locator('.answers li').allTextContents()).toEqual(['1. red', '2. blue', '3. green', '4. white'])
  })

  test('says without JavaScript how much of it is missing', async () => {
    await open('plain', asOnePage(ranking))
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('plain'))
    await page.getByLabel('red', { exact: true }).selectOption('1')
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await expect
      .poll(() => page.locator('.error-summary a').allTextContents())
      .toEqual(['Put them in order: You have ranked 1 of 4. Give each one a different number, from 1 upwards'])
  })
})

test.each([320, 360])('a scale of 11 stays in one row of a phone of %i px, with its end words at its ends', async (width) => {
  await open(`scale-${width}`, asOnePage({ id: 'nps', type: 'nps', title: inAllLanguages('Would you recommend it?') }))
  const { page } = await product.visit(site, { viewport: { width, height: 800 } })
  await page.goto(address(`scale-${width}`))
  const boxes = await page
    .locator('.scale > label')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect))
  expect(boxes).toHaveLength(11)
  expect(new Set(boxes.map(({ top }) => Math.round(top))).size).toBe(1)
  for (const box of boxes) expect(box.width).toBeGreaterThanOrEqual(24)
  const ends = await page
    .locator('.scale-ends > span')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect))
  expect(Math.abs((ends[0]?.left ?? 0) - (boxes[0]?.left ?? 0))).toBeLessThan(2)
  expect(Math.abs((ends[1]?.right ?? 0) - (boxes[10]?.right ?? 0))).toBeLessThan(2)
  expect(await fits(page)).toBe(true)
})

test.each([
  ['fr-CA', 'Choisir des fichiers'],
  ['cy', 'Dewis ffeiliau'],
] as const)('a file is chosen with a button in the page’s language: %s', async (language, words) => {
  const slug = `files-${language.toLowerCase()}`
  await open(
    slug,
    asOnePage({ id: 'files', type: 'file', title: inAllLanguages('Your pictures'), kinds: ['picture'], maxFiles: 2, maxMegabytes: 2 }),
  )
  const { page } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto(address(slug, language))
  await page.locator('.file-choose').getByText(words).waitFor()
  // The control itself, with the browser's own words, is there for keys and readers, and not seen.
  expect(await page.locator('[type=file]').evaluate((input) => getComputedStyle(input).opacity)).toBe('0')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('.file-choose').click()])
  expect(chooser.isMultiple()).toBe(true)
})

describe('a survey in steps', () => {
  const steps: Definition = {
    schema: 1,
    pages: [
      {
        id: 'travel',
        questions: [
          {
            id: 'mode',
            type: 'one_choice',
            required: true,
            title: inAllLanguages('How do you travel?'),
            options: createItems('bus', 'foot'),
          },
          { id: 'often', type: 'short_text', title: inAllLanguages('How often?') },
          {
            id: 'shoes',
            type: 'short_text',
            title: inAllLanguages('Which shoes?'),
            showIf: { question: 'mode', is: 'any_of', options: ['foot'] },
          },
          { id: 'more', type: 'short_text', title: inAllLanguages('What else?') },
        ],
      },
    ],
  }
  const go = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const change = (page: Page, question: string) => page.getByRole('link', { name: `Change ${question}` }).click()

  test.each([true, false])(
    'lets one answer be changed and is back at the review in one step; JavaScript: %s',
    async (javaScriptEnabled) => {
      const slug = `review-${javaScriptEnabled}`
      await open(slug, steps, { variant: 'revised' })
      const { page, complaints } = await product.visit(site, { javaScriptEnabled })
      await page.goto(`${address(slug)}?step=mode`)
      await expect.poll(() => page.title()).toBe('Question 1 of up to 4 · Fern Street · Riverbend')
      await go(page, 'Continue')
      await page.locator('.error-summary').waitFor()
      await expect.poll(() => page.title()).toBe('Error: Question 1 of up to 4 · Fern Street · Riverbend')
      await page.getByLabel('bus').check()
      await go(page, 'Continue')
      await heading(page, 'How often?')
      await expect.poll(() => page.title()).toBe('Question 2 of up to 4 · Fern Street · Riverbend')
      await go(page, 'Continue')
      await heading(page, 'What else?')
      await go(page, 'Continue')
      await heading(page, 'Check your answers')
      await expect.poll(() => page.title()).toBe('Check your answers · Fern Street · Riverbend')

      await change(page, 'How often?')
      await page.getByLabel('How often?').fill('Daily')
      await go(page, 'Continue')
      await heading(page, 'Check your answers')
      await page.getByText('Daily').waitFor()

      // Back leads there too.
      await change(page, 'What else?')
      await heading(page, 'What else?')
      await go(page, 'Back')
      await heading(page, 'Check your answers')

      // A change that asks something new shows it before the review.
      await change(page, 'How do you travel?')
      await page.getByLabel('foot').check()
      await go(page, 'Continue')
      await heading(page, 'Which shoes?')
      await page.getByLabel('Which shoes?').fill('Boots')
      await go(page, 'Continue')
      await heading(page, 'What else?')
      await go(page, 'Continue')
      await heading(page, 'Check your answers')
      await go(page, 'Send my answers')
      await page.waitForURL('**/receipt')
      expect(await page.locator('.answers dd').allTextContents()).toEqual(expect.arrayContaining(['foot', 'Daily', 'Boots']))
      expect(complaints.filter((complaint) => !/status of 422/.test(complaint))).toEqual([])
    },
  )

  test('shows a name and a way out instead of the site’s navigation, and all of it again afterwards', async () => {
    await open('chrome', steps, { variant: 'revised' })
    const { page } = await product.visit(site)
    await page.goto(address('chrome'))
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
    await page.goto(`${address('chrome')}?step=mode`)
    await page
      .getByRole('banner')
      .getByRole('link', { name: /Riverbend/ })
      .waitFor()
    await page.locator('.survey-bar').getByRole('link').waitFor()
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    expect(await page.getByRole('contentinfo').getByRole('heading').count()).toBe(0)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie settings' }).waitFor()
    await expectAccessible(page)
  })
})

describe('somebody who has answered', () => {
  const definition = asOnePage({ id: 'note', type: 'short_text', title: inAllLanguages('Your note') })
  const answer = async (page: Page, slug: string, words: string) => {
    await page.goto(address(slug))
    await page.getByLabel('Your note').fill(words)
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.waitForURL('**/receipt')
  }

  test.each([true, false])('is told so, sees and changes the answers or answers again; JavaScript: %s', async (javaScriptEnabled) => {
    const slug = `again-${javaScriptEnabled}`
    const survey = await open(slug, definition, { changeable: true })
    const { page } = await product.visit(site, { javaScriptEnabled })
    await page.goto(address(slug))
    expect(await page.getByText('You have already answered this survey').count()).toBe(0)
    await answer(page, slug, 'First')
    await page.goto(address(slug))
    await page.getByText('You have already answered this survey').waitFor()
    await page.getByText('You can answer it again.').waitFor()
    if (javaScriptEnabled) await expectAccessible(page)
    await page.getByRole('link', { name: 'See my answers' }).click()
    await page.locator('.answers').getByText('First').waitFor()
    await page.goto(address(slug))
    await page.getByRole('button', { name: 'Change my answers' }).click()
    await page.getByText('You are changing answers you have already sent').waitFor()
    expect(await page.getByLabel('Your note').inputValue()).toBe('First')
    await page.getByLabel('Your note').fill('Second')
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.waitForURL('**/receipt')
    expect(await countResponses(survey.id)).toBe(1)
    await answer(page, slug, 'Third')
    expect(await countResponses(survey.id)).toBe(2)
  })

  test.each([true, false])('sees what another device sent meanwhile and chooses; JavaScript: %s', async (javaScriptEnabled) => {
    const slug = `two-devices-${javaScriptEnabled}`
    const survey = await open(slug, definition, { changeable: true })
    const { page: phone } = await product.visit(site, { javaScriptEnabled, viewport: { width: 360, height: 800 } })
    const { page: laptop } = await product.visit(site, { javaScriptEnabled })
    await answer(phone, slug, 'First')
    await laptop.context().addCookies((await phone.context().cookies()).filter(({ name }) => name === 'receipt'))
    const begin = async (page: Page, words: string) => {
      await page.goto(address(slug))
      await page.getByRole('button', { name: 'Change my answers' }).click()
      await page.getByText('You are changing answers you have already sent').waitFor()
      await page.getByLabel('Your note').fill(words)
    }
    const send = (page: Page, name: string) => page.getByRole('button', { name }).click()
    const says = (page: Page, words: string) => page.locator('.receipt .answers').getByText(words).waitFor()
    await begin(phone, 'By phone')
    await begin(laptop, 'By laptop')
    await send(laptop, 'Send my answers')
    await laptop.waitForURL('**/receipt')
    await send(phone, 'Send my answers')
    await phone.getByText('Your answers were changed on another device').waitFor()
    await phone
      .locator('section', { has: phone.getByRole('heading', { name: 'What was sent meanwhile' }) })
      .getByText('By laptop')
      .first()
      .waitFor()
    await phone
      .locator('section', { has: phone.getByRole('heading', { name: 'What you have here' }) })
      .getByText('By phone')
      .first()
      .waitFor()
    expect(await phone.getByLabel('Your note').inputValue()).toBe('By phone')
    expect(await fits(phone)).toBe(true)
    if (javaScriptEnabled) await expectAccessible(phone)
    await send(phone, 'Send what I have here')
    await phone.waitForURL('**/receipt')
    await says(phone, 'By phone')
    await begin(phone, 'By phone again')
    await begin(laptop, 'By laptop again')
    await send(phone, 'Send my answers')
    await phone.waitForURL('**/receipt')
    await send(laptop, 'Send my answers')
    await send(laptop, 'Keep what was sent meanwhile')
    await laptop.waitForURL('**/receipt')
    await says(laptop, 'By phone again')
    expect(await countResponses(survey.id)).toBe(1)
  })

  test('is told so without “again” where each answers once, and without “change” where that is not allowed', async () => {
    await open('once', definition, { access: 'anyone_once', changeable: false })
    const { page } = await product.visit(site)
    await answer(page, 'once', 'Only')
    await page.goto(address('once'))
    await page.getByRole('link', { name: 'See my answers' }).click()
    await page.locator('.answers').getByText('Only').waitFor()
    await page.goto(address('once'))
    await page.getByRole('link', { name: 'See my answers' }).waitFor()
    expect(await page.getByText('You can answer it again.').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Change my answers' }).count()).toBe(0)
    expect(await page.getByLabel('Your note').count()).toBe(0)
  })
})
