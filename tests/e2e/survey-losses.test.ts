import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { siteDomains } from '#app/server/db/schema/sites.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount, PASSWORD } from '#tests/support/accounts.ts'
import { addSite } from '#tests/support/database.ts'
import { awaitScripts, waitForScripts } from '#tests/support/browser.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'

/** Each way in which other products lose answers, in a real browser, for both ways in which a survey is put. */

const db = await createOwnDatabase()
let product = await db.start()
let site: Site
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime)
  await db.database.global.insert(siteDomains).values({ host: 'localhost', siteId: site.id })
  project = await addProject(db.runtime, site, { slug: 'fern' })
})

const question = (id: string, title: string) => ({ id, type: 'short_text' as const, title: inAllLanguages(title) })
const FIRST: Definition = { schema: 1, pages: [{ id: 'p', questions: [question('street', 'Which street?'), question('why', 'Why?')] }] }
/** The second question is gone, and there is another in its place. */
const SECOND: Definition = { schema: 1, pages: [{ id: 'p', questions: [question('street', 'Which street?'), question('when', 'When?')] }] }
const SAID = { street: 'Elm Street', why: 'It floods' }

const open = async (variant: 'classic' | 'revised', values: Parameters<typeof addSurvey>[2] = {}) => {
  const survey = await addSurvey(db.runtime, site, { projectId: project.id, definition: FIRST, variant, ...values })
  return { id: survey.id, path: `/projects/fern/surveys/${survey.slug}` }
}
const publishSecond = (surveyId: string) =>
  db.database.site(site.id).tx(async (tx) => {
    await tx.insert(surveyVersions).values({ siteId: site.id, surveyId, number: 2, definition: SECOND })
    await tx.update(surveys).set({ publishedVersion: 2, definition: SECOND }).where(eq(surveys.id, surveyId))
  })
const stored = (surveyId: string) =>
  db.database.site(site.id).tx((tx) =>
    tx
      .select({ answers: responses.answers, version: responses.version, userId: responses.userId })
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const saved = (page: Page) => page.getByText(/^(Saved on this device|We restored what)/).waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const arrived = (page: Page) => page.waitForURL('**/receipt')

/** How somebody gets through a survey of two questions that is put in one way or the other. */
interface Way {
  variant: 'classic' | 'revised'
  /** Opens the survey and answers the first question. */
  begin: (page: Page, path: string) => Promise<void>
  /** Comes back to what was begun. */
  again: (page: Page, path: string) => Promise<void>
  /** From where `begin` or `again` leave off, to the press that sends. */
  finish: (page: Page, title?: string) => Promise<void>
}

const WAYS: Record<string, Way> = {
  'all on one page': {
    variant: 'classic',
    begin: async (page, path) => {
      await page.goto(path)
      await page.getByLabel('Which street?').fill(SAID.street)
      await saved(page)
    },
    again: async (page, path) => {
      await page.goto(path)
      await expect.poll(() => page.getByLabel('Which street?').inputValue()).toBe(SAID.street)
    },
    finish: async (page, title = 'Why?') => {
      await page.getByLabel(title).fill(SAID.why)
    },
  },
  'one question at a time': {
    variant: 'revised',
    begin: async (page, path) => {
      await page.goto(path)
      await page.getByRole('link', { name: 'Start' }).click()
      await page.getByLabel('Which street?').fill(SAID.street)
      await saved(page)
    },
    again: async (page, path) => {
      await page.goto(path)
      await page.getByRole('link', { name: 'Continue where you stopped' }).click()
      await page.getByRole('heading', { level: 1, name: 'Why?' }).waitFor()
      await button(page, 'Back').click()
      await expect.poll(() => page.getByLabel('Which street?').inputValue()).toBe(SAID.street)
    },
    finish: async (page, title = 'Why?') => {
      await button(page, 'Continue').click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByLabel(title).fill(SAID.why)
      await button(page, 'Continue').click()
      await page.getByRole('heading', { level: 1, name: 'Check your answers' }).waitFor()
    },
  },
}
const send = (page: Page) => button(page, 'Send my answers').click()

describe.each(Object.keys(WAYS))('answers given %s', (name) => {
  const way = WAYS[name] as Way

  test('outlive a closed tab', async () => {
    const survey = await open(way.variant)
    const { page, context } = await product.visit(site)
    await way.begin(page, survey.path)
    await page.close()
    const another = await context.newPage()
    waitForScripts(another)
    await way.again(another, survey.path)
    await way.finish(another)
    await send(another)
    await arrived(another)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID }])
  })

  test('are not asked for again by Back after sending: it shows the receipt', async () => {
    const survey = await open(way.variant)
    const { page } = await product.visit(site)
    await way.begin(page, survey.path)
    await way.finish(page)
    await send(page)
    await arrived(page)
    // Before the receipt stands the form, or the steps of the survey.
    const times = way.variant === 'classic' ? 1 : 2
    for (let done = 0; done < times; done++) {
      const code = await page.locator('.receipt-code').textContent()
      await page.goBack({ waitUntil: 'commit' })
      await arrived(page)
      expect(await page.locator('.receipt-code').textContent()).toBe(code)
    }
    // Asked for, the form is there again.
    await page.goto(survey.path)
    await page.getByText('You have already answered this survey').waitFor()
    expect(new URL(page.url()).pathname).toBe(survey.path)
    expect(await stored(survey.id)).toHaveLength(1)
  })

  test('wait while the network is dead, and are sent when it returns', async () => {
    const survey = await open(way.variant)
    const { page, context } = await product.visit(site)
    await way.begin(page, survey.path)
    // Everything a step needs is there before the network goes.
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await way.finish(page)
    await send(page)
    await page.getByText('You are offline').waitFor()
    expect(await stored(survey.id)).toEqual([])
    await context.setOffline(false)
    await arrived(page)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID }])
  })

  test('outlive signing in on the way', async () => {
    const survey = await open(way.variant)
    const person = await addAccount(db.runtime, site)
    const { page } = await product.visit(site)
    await way.begin(page, survey.path)
    await page.goto(`/sign-in?next=${encodeURIComponent(survey.path)}`)
    await page.locator('input[name="email"]').fill(person.email)
    await page.locator('input[name="password"]').fill(PASSWORD)
    await page.locator('form:has(input[name="password"]) [type="submit"]').click()
    await page.waitForURL((url) => url.pathname === survey.path)
    await way.again(page, survey.path)
    await way.finish(page)
    await send(page)
    await arrived(page)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID, userId: person.id }])
  })

  test('outlive a session that ended on the way', async () => {
    const survey = await open(way.variant, { access: 'signed_in' })
    const person = await addAccount(db.runtime, site)
    const { page, context } = await product.visit(site, { token: person.token })
    await way.begin(page, survey.path)
    await way.finish(page)
    await context.clearCookies({ name: 'token' })
    await send(page)
    await page.getByText('You are no longer signed in').waitFor()
    expect(await stored(survey.id)).toEqual([])
    await context.addCookies([{ name: 'token', value: person.token, url: product.at(site) }])
    await send(page)
    await arrived(page)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID, userId: person.id }])
  })

  test('are taken on their version when a new one is published before they are sent', async () => {
    const survey = await open(way.variant)
    const { page } = await product.visit(site)
    await way.begin(page, survey.path)
    await publishSecond(survey.id)
    await way.finish(page)
    await send(page)
    await arrived(page)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID, version: 1 }])
  })

  test('are finished on their version when somebody comes back after a new one was published', async () => {
    const survey = await open(way.variant)
    const { page, context } = await product.visit(site)
    await way.begin(page, survey.path)
    await page.close()
    await publishSecond(survey.id)
    const another = await context.newPage()
    waitForScripts(another)
    await way.again(another, survey.path)
    await way.finish(another)
    await send(another)
    await arrived(another)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID, version: 1 }])
  })

  test.runIf(name === 'one question at a time')('are not in the way of a press that began before they were restored', async () => {
    const survey = await open(way.variant)
    const { page, context } = await product.visit(site)
    await way.begin(page, survey.path)
    await button(page, 'Continue').click()
    await page.getByRole('heading', { level: 1, name: 'Why?' }).waitFor()
    await page.close()
    const another = await context.newPage()
    let letScriptsRun = () => {}
    const scripts = new Promise<void>((resolve) => (letScriptsRun = resolve))
    await another.route('**/*.js', (route) => scripts.then(() => route.continue()))
    await another.goto(`${survey.path}?step=why`)
    await button(another, 'Back').hover()
    await another.mouse.down()
    letScriptsRun()
    await awaitScripts(another)
    await another.getByText('Saved on this device').waitFor()
    await another.mouse.up()
    await expect.poll(() => another.getByLabel('Which street?').inputValue()).toBe(SAID.street)
  })

  test('are finished on another device by a link', async () => {
    const survey = await open(way.variant)
    const { page } = await product.visit(site)
    await way.begin(page, survey.path)
    await button(page, 'Finish later').click()
    await page.getByRole('heading', { level: 1, name: 'Your answers are saved' }).waitFor()
    const link = new URL((await page.locator('.survey-link a').getAttribute('href')) ?? '')
    const { page: elsewhere } = await product.visit(site)
    await way.again(elsewhere, `${link.pathname}${link.search}`)
    await way.finish(elsewhere)
    await send(elsewhere)
    await arrived(elsewhere)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID }])
  })

  test('sent twice, at once and once more from the page before, are stored once', async () => {
    const survey = await open(way.variant)
    const { page } = await product.visit(site)
    await way.begin(page, survey.path)
    await way.finish(page)
    const form = await page.locator('form:has([name="sendKey"])').evaluate((element: HTMLFormElement) => ({
      action: element.action,
      fields: [...new FormData(element)].flatMap(([field, value]) => (typeof value === 'string' ? [[field, value]] : [])),
    }))
    await button(page, 'Send my answers').dblclick({ noWaitAfter: true })
    await arrived(page)
    const again = await page.evaluate(
      async ({ action, fields }) => (await fetch(action, { method: 'POST', body: new URLSearchParams(fields) })).url,
      form,
    )
    expect(new URL(again).pathname).toBe(`${survey.path}/receipt`)
    expect(await stored(survey.id)).toMatchObject([{ answers: SAID }])
  })
})

test('without JavaScript, the check of answers that were sent leads to their receipt', async () => {
  const survey = await open('revised')
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  await page.goto(`${survey.path}?step=street`)
  await page.getByLabel('Which street?').fill(SAID.street)
  await button(page, 'Continue').click()
  await page.getByLabel('Why?').fill(SAID.why)
  await button(page, 'Continue').click()
  await page.getByRole('heading', { level: 1, name: 'Check your answers' }).waitFor()
  const check = page.url()
  await send(page)
  await arrived(page)
  await page.goto(check)
  expect(new URL(page.url()).pathname).toBe(`${survey.path}/receipt`)
})

test('a link to finish later is only given once the server has the answers', async () => {
  const survey = await open('revised')
  const { page, context } = await product.visit(site)
  await page.goto(survey.path)
  await page.getByRole('link', { name: 'Start' }).click()
  await page.getByLabel('Which street?').fill(SAID.street)
  await saved(page)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await button(page, 'Finish later').click()
  await page.getByRole('alert').getByText('There is no link yet').waitFor()
  expect(await page.getByLabel('Which street?').inputValue()).toBe(SAID.street)
  await context.setOffline(false)
  await button(page, 'Finish later').click()
  await page.getByRole('heading', { level: 1, name: 'Your answers are saved' }).waitFor()
  const link = new URL((await page.locator('.survey-link a').getAttribute('href')) ?? '')
  const { page: elsewhere } = await product.visit(site)
  await elsewhere.goto(`${link.pathname}${link.search}`)
  await elsewhere.getByRole('link', { name: 'Continue where you stopped' }).waitFor()
})

test('a restart of the server under the hands of two who answer loses nothing of either', async () => {
  const begun = await Promise.all(
    Object.values(WAYS).map(async (way) => {
      const survey = await open(way.variant)
      const { page } = await product.visit(site)
      await way.begin(page, survey.path)
      await page.waitForLoadState('networkidle')
      return { way, survey, page }
    }),
  )
  await product.product.stop()
  for (const { way, page } of begun) {
    await way.finish(page)
    await send(page)
    await page.getByText('You are offline').waitFor()
  }
  product = await db.start({ PORT: String(product.product.port) })
  await Promise.all(begun.map(({ page }) => arrived(page)))
  for (const { survey } of begun) expect(await stored(survey.id)).toMatchObject([{ answers: SAID }])
})
