import { setTimeout as wait } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { listAnswerFiles } from '#app/features/surveys/questionnaire/question-types/files/files.ts'
import type { Answers, Definition } from '#app/features/surveys/surveys.schema.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages, EVERY_TYPE } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { addPerson } from '#tests/support/people.ts'
import { createPicture } from '#tests/support/pictures.ts'

const { db, product } = useSharedProduct()
let site: Site
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime)
  project = await addProject(db.runtime, site, { slug: 'fern' })
})

const HOUR = 3_600_000
const open = (slug: string, values: Parameters<typeof addSurvey>[2] = {}) =>
  addSurvey(db.runtime, site, { projectId: project.id, slug, closesAt: new Date(Date.now() + 48 * HOUR), ...values })
const address = (slug: string, language = '') => `${language && `/${language}`}/projects/fern/surveys/${slug}`
const stored = (surveyId: string) =>
  db.database.site(site.id).tx((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const count = async (surveyId: string) => {
  const rows = await db.database
    .site(site.id)
    .tx((tx) => tx.select({ count: surveys.responsesCount }).from(surveys).where(eq(surveys.id, surveyId)))
  return rows[0]?.count
}
/** As a client without a browser: not every system resolves names below localhost. */
const ask = async (path: string, init: RequestInit = {}) => {
  const { origin, host } = new URL(product.at(site))
  const request = new Request(`${origin}${path}`, { ...init, headers: { origin, ...(init.headers as Record<string, string>) } })
  const sent = { ...Object.fromEntries(request.headers), host }
  return sendRequest(product.port, path, sent, request.method, Buffer.from(await request.arrayBuffer()))
}
const send = (page: Page) => page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])').click()
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

describe('a survey without JavaScript', () => {
  test('is answered, its faults are told at their fields with everything typed kept, and its receipt found again', async () => {
    const survey = await open('plain', { thanks: inAllLanguages('Thank you. We meet in May.') })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('plain'))
    await page.getByLabel('Your ideas').fill('More shade.\nAnd <b>trees</b>.')
    await page.getByLabel('Another way').check()
    await page.getByLabel('Trees').check()
    await page.getByLabel('None of these').check()
    await send(page)
    await expect.poll(() => page.title()).toMatch(/^Error: /)
    const summary = page.locator('.error-summary a')
    expect(await summary.allTextContents()).toEqual([
      'Which street? Enter your answer',
      'How do you travel? Give details for “Another way”',
      'What should come? Choose only “None of these”, or choose only the others',
    ])
    for (const href of await summary.evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(1) ?? ''))) {
      expect(await page.locator(`[id="${href}"]`).count()).toBe(1)
    }
    expect(await page.getByLabel('Your ideas').inputValue()).toBe('More shade.\nAnd <b>trees</b>.')
    expect(await page.getByLabel('Trees').isChecked()).toBe(true)
    await page.getByLabel('Which street?').fill('Elm')
    await page.getByLabel('Give details').fill('By boat')
    await page.getByLabel('None of these').uncheck()
    await page.getByRole('radio', { name: '4' }).check()
    await send(page)

    await page.waitForURL('**/receipt')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('We have received your answers')
    expect((await page.locator('main').innerText()).match(/thank you/gi)).toEqual(['Thank you'])
    const code = (await page.locator('.receipt-code code').textContent()) ?? ''
    const answers = await page.locator('.answers').textContent()
    for (const words of ['Elm', 'More shade.And <b>trees</b>.', 'Another way: By boat', 'Trees', '4 out of 5'])
      expect(answers).toContain(words)
    expect(await stored(survey.id)).toMatchObject([
      {
        answers: { name: 'Elm', mode: { choice: 'other', other: 'By boat' }, want: { choices: ['trees'] }, safe: 4 },
        language: 'en',
        userId: null,
      },
    ])

    const { page: elsewhere } = await product.visit(site, { javaScriptEnabled: false })
    await elsewhere.goto('/receipt')
    await elsewhere.getByLabel('Receipt code').fill(code.toLowerCase().replaceAll('-', ' '))
    await elsewhere.getByRole('button', { name: 'Find my answers' }).click()
    await elsewhere.getByText('By boat').waitFor()
    expect(elsewhere.url()).not.toContain(code.slice(0, 4))

    await elsewhere.getByText('Withdraw my answers').click()
    await elsewhere.getByRole('button', { name: 'Delete my answers' }).click()
    await elsewhere.getByText('You withdrew these answers').waitFor()
    expect(await elsewhere.getByText('By boat').count()).toBe(0)
    expect(await count(survey.id)).toBe(0)
    await elsewhere.getByRole('button', { name: 'Hide my answers on this device' }).click()
    await expect.poll(() => elsewhere.getByLabel('Receipt code').inputValue()).toBe('')
  })

  test.each([
    ['', 'Enter your receipt code'],
    ['abc', 'Enter all 16 letters and numbers of the code'],
    ['0000 0000 0000 0000', 'No answers have this code. Check it against your receipt'],
  ])('a code that is none (%j) is refused in words and kept as it was typed', async (code, words) => {
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto('/receipt')
    await page.getByLabel('Receipt code').fill(code)
    await page.getByRole('button', { name: 'Find my answers' }).click()
    await expect.poll(() => page.locator('.error-summary a').textContent()).toBe(words)
    expect(await page.getByLabel('Receipt code').inputValue()).toBe(code)
  })

  test('codes cannot be tried without end from one place', async () => {
    const codes = Array.from({ length: 202 }, (_, index) => `0000000000000${String(index).padStart(3, '0')}`)
    const statuses = []
    for (const code of codes) {
      statuses.push((await ask('/receipt', { method: 'POST', body: new URLSearchParams({ code }) })).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  test('a form that comes back with a fault stays on the version it was made from, and its answers count on that', async () => {
    const survey = await open('reworded')
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('reworded'))
    await page.getByLabel('Your ideas').fill('More shade')
    const [first, ...others] = EVERY_TYPE.pages
    const fewer = first?.questions.filter(({ id }) => id !== 'ideas') ?? []
    const asked = [...fewer, { id: 'when', type: 'short_text' as const, title: inAllLanguages('When do you walk?') }]
    const next: Definition = { ...EVERY_TYPE, pages: [{ id: 'page1', questions: asked }, ...others] }
    await db.database.site(site.id).tx(async (tx) => {
      await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: survey.id, number: 2, definition: next })
      await tx.update(surveys).set({ publishedVersion: 2, definition: next }).where(eq(surveys.id, survey.id))
    })
    await send(page)
    await page.locator('.error-summary').waitFor()
    expect(await page.getByLabel('When do you walk?').count()).toBe(0)
    expect(await page.getByLabel('Your ideas').inputValue()).toBe('More shade')
    await page.getByLabel('Which street?').fill('Elm')
    await send(page)
    await page.waitForURL('**/receipt')
    expect((await stored(survey.id)).map(({ version, answers }) => ({ version, answers }))).toEqual([
      { version: 1, answers: { name: 'Elm', ideas: 'More shade' } },
    ])
  })

  test('words that arrive after the survey closed are shown, to be copied', async () => {
    const survey = await open('late')
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('late'))
    await page.getByLabel('Which street?').fill('Elm')
    await page.getByLabel('Your ideas').fill('A long thought')
    await db.database.site(site.id).tx((tx) =>
      tx
        .update(surveys)
        .set({ closesAt: new Date(Date.now() - HOUR) })
        .where(eq(surveys.id, survey.id)),
    )
    await send(page)
    await page.getByRole('heading', { level: 1, name: 'The survey closed before we received your answers' }).waitFor()
    expect(await page.locator('.answers').textContent()).toContain('A long thought')
    expect(await stored(survey.id)).toEqual([])
  })
})

describe('a survey with JavaScript', () => {
  test('keeps what is typed on the device through a reload, and forgets it once it has arrived', async () => {
    const survey = await open('kept')
    const { page, complaints } = await product.visit(site)
    await page.goto(address('kept'))
    await page.getByLabel('Which street?').fill('Elm')
    await page.getByLabel('Your ideas').fill('More shade')
    await page.getByLabel('Another way').check()
    await page.getByLabel('Give details').fill('By boat')
    await page.getByLabel('Trees').check()
    await page.getByText('Saved on this device').waitFor()
    await page.getByText('4 of 5 answered').waitFor()
    const id = await page.locator('[name="id"]').inputValue()
    await page.reload()
    await page.getByText('We restored what you wrote on this device.').waitFor()
    expect(await page.getByLabel('Your ideas').inputValue()).toBe('More shade')
    expect(await page.getByLabel('Give details').inputValue()).toBe('By boat')
    expect(await page.getByLabel('Trees').isChecked()).toBe(true)
    expect(await page.locator('[name="id"]').inputValue()).toBe(id)
    await page.getByLabel('None of these').check()
    await expect.poll(() => page.getByLabel('Trees').isChecked()).toBe(false)
    await send(page)
    await page.waitForURL('**/receipt')
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
    expect((await stored(survey.id))[0]?.answers).toMatchObject({ name: 'Elm', want: { choices: ['none'] } })
    expect(complaints).toEqual([])
  })

  test('asks to sign in and leads straight back; each account answers once', async () => {
    const survey = await open('signed', { access: 'signed_in' })
    const { page: visitor } = await product.visit(site)
    await visitor.goto(address('signed'))
    const link = visitor.getByRole('main').getByRole('link', { name: 'Sign in' })
    expect(await link.getAttribute('href')).toBe(`/sign-in?next=${encodeURIComponent(address('signed'))}`)
    const person = await addPerson(db.runtime, site)
    const { page } = await product.visit(site, { token: person.token })
    await page.goto(address('signed'))
    await page.getByLabel('Which street?').fill('Elm')
    await send(page)
    await page.waitForURL('**/receipt')
    expect((await stored(survey.id))[0]?.userId).toBe(person.id)
    await page.goto(address('signed'))
    await page.getByRole('heading', { level: 1, name: 'You have already answered this survey' }).waitFor()
  })

  test('one answer from each browser, where the survey asks for that', async () => {
    await open('once', { access: 'anyone_once' })
    const { page } = await product.visit(site)
    await page.goto(address('once'))
    await page.getByLabel('Which street?').fill('Elm')
    await send(page)
    await page.waitForURL('**/receipt')
    await page.goto(address('once'))
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You have already answered this survey')
  })

  test('and one from each account, from whichever browser, where the survey asks for that', async () => {
    const survey = await open('once-each', { access: 'anyone_once' })
    const person = await addPerson(db.runtime, site)
    const { page: first } = await product.visit(site, { token: person.token, javaScriptEnabled: false })
    await first.goto(address('once-each'))
    const { page: second } = await product.visit(site, { token: person.token, javaScriptEnabled: false })
    await second.goto(address('once-each'))
    for (const [page, street] of [
      [first, 'Elm'],
      [second, 'Oak'],
    ] as const) {
      await page.getByLabel('Which street?').fill(street)
      await send(page)
    }
    await first.waitForURL('**/receipt')
    await second.getByRole('heading', { level: 1, name: 'You already sent an answer' }).waitFor()
    expect(await second.locator('.answers').textContent()).toContain('Oak')
    expect((await stored(survey.id)).map(({ answers }) => answers)).toEqual([{ name: 'Elm' }])
  })

  test('two visitors at the same moment are given two sendings', async () => {
    await open('two')
    // A machine that is busy refuses a page that has waited for two seconds: browsers ask again.
    const load = async (): Promise<string> => {
      const { status, text } = await ask(address('two'))
      if (status === 503) return wait(1000).then(load)
      expect(status).toBe(200)
      return text
    }
    const pages = await Promise.all(Array.from({ length: 6 }, load))
    expect(new Set(pages.map((html) => /name="id" value="([^"]+)"/.exec(html)?.[1])).size).toBe(6)
  })
})

describe('what the form of a survey may be sent', () => {
  const post = (slug: string, body: BodyInit, headers: Record<string, string> = {}) => ask(address(slug), { method: 'POST', body, headers })

  test.each<[string, Record<string, string>, number]>([
    ['nothing at all', {}, 422],
    ['an id and a version that are none', { id: "' or 1=1", sendKey: '<script>', version: '-1', 'q.name': 'Elm' }, 303],
    ['a version that never was', { version: '99', 'q.name': 'Elm' }, 303],
    ['options that are none', { 'q.name': 'Elm', 'q.mode': 'rocket', 'q.safe': '1e9' }, 422],
    ['letters no database keeps', { 'q.name': 'E\u0000lm\uD800' }, 303],
    ['fields of no question', { 'q.name': 'Elm', 'q.__proto__': 'x', 'q.constructor.other': 'y' }, 303],
    ['what nobody sees filled in', { 'q.name': 'Elm', website: 'https://spam.example' }, 429],
    ['a text of a megabyte', { 'q.name': 'x'.repeat(900_000) }, 422],
  ])('%s', async (_what, values, status) => {
    const slug = `form-${Math.random().toString(36).slice(2)}`
    await open(slug)
    const answer = await post(slug, new URLSearchParams(values))
    expect(answer.status).toBe(status)
    expect(answer.text).not.toMatch(/\bat \w+ \(|node_modules/)
  })

  test('only from this very site', async () => {
    await open('foreign')
    expect((await post('foreign', new URLSearchParams({ 'q.name': 'Elm' }), { origin: 'https://evil.example' })).status).toBe(403)
  })

  test('and to no survey that is not there', async () => {
    expect((await post('nowhere', new URLSearchParams({ 'q.name': 'Elm' }))).status).toBe(404)
  })
})

describe('the pages of a survey', () => {
  test('show nothing of a draft, say when it opens, and that it is closed', async () => {
    await open('draft', { status: 'draft' })
    await open('soon', { opensAt: new Date(Date.now() + 24 * HOUR) })
    await open('closed', { closesAt: new Date(Date.now() - HOUR), resultsPublic: true })
    const { page } = await product.visit(site)
    expect((await page.goto(address('draft')))?.status()).toBe(404)
    await page.goto(address('soon'))
    await page.getByRole('heading', { level: 1, name: /^This survey opens on / }).waitFor()
    await page.goto(address('closed'))
    await page.getByRole('heading', { level: 1, name: /^This survey closed on / }).waitFor()
    await page.getByRole('link', { name: 'See the results' }).click()
    await page.getByRole('heading', { name: 'There are no answers yet' }).waitFor()
    await page.goto(`${address('soon')}/results`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  })

  test('open and close with the project, on the survey’s own page, the project’s and the receipt', async () => {
    const within = await addProject(db.runtime, site, {
      slug: 'within',
      opensAt: new Date(Date.now() - HOUR),
      closesAt: new Date(Date.now() + 48 * HOUR),
    })
    const survey = await addSurvey(db.runtime, site, {
      projectId: within.id,
      slug: 'within',
      title: inAllLanguages('Within its project'),
      changeable: true,
    })
    const set = (values: Partial<typeof projects.$inferInsert>) =>
      db.database.site(site.id).tx((tx) => tx.update(projects).set(values).where(eq(projects.id, within.id)))
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    const at = '/projects/within/surveys/within'
    await page.goto(at)
    await page.getByLabel('Which street?').fill('Elm')
    await send(page)
    await page.waitForURL('**/receipt')
    expect(await page.getByText('Withdraw my answers').count()).toBe(1)
    await set({ closesAt: new Date(Date.now() - HOUR) })
    await page.reload()
    expect(await page.getByText('Withdraw my answers').count()).toBe(0)
    const code = (await page.context().cookies()).find(({ name }) => name === 'receipt')?.value
    for (const form of ['withdraw', 'change']) {
      const late = await ask(`${at}/receipt`, {
        method: 'POST',
        body: new URLSearchParams({ form }),
        headers: { cookie: `receipt=${code}` },
      })
      expect(late.status).toBe(409)
    }
    await page.goto(at)
    await page.getByRole('heading', { level: 1, name: /^This survey closed on / }).waitFor()
    expect((await ask(at, { method: 'POST', body: new URLSearchParams({ 'q.name': 'Oak' }) })).status).toBe(409)
    await page.goto('/projects/within')
    const card = () => page.reload().then(() => page.locator('.survey-list').textContent())
    await expect.poll(card).toMatch(/^Closed/)
    await set({ opensAt: new Date(Date.now() + HOUR), closesAt: null })
    await page.goto(at)
    await page.getByRole('heading', { level: 1, name: /^This survey opens on / }).waitFor()
    expect(await stored(survey.id)).toHaveLength(1)
  })

  test('show public results as tables, with small numbers hidden and nothing written by anybody', async () => {
    const survey = await open('shown', { resultsPublic: true })
    const given = Array.from({ length: 20 }, (_, index) => ({
      name: 'A secret street',
      mode: { choice: index < 12 ? 'bus' : index < 18 ? 'foot' : 'other', ...(index >= 18 ? { other: 'A secret way' } : {}) },
    }))
    await db.database.site(site.id).tx((tx) =>
      tx.insert(responses).values(
        given.map((answers, index) => ({
          siteId: site.id,
          id: crypto.randomUUID(),
          surveyId: survey.id,
          version: 1,
          language: 'en' as const,
          answers,
          receiptHash: Buffer.from(`${survey.id}${index}`),
        })),
      ),
    )
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(`${address('shown')}/results`)
    const mode = page.locator('figure', { hasText: 'How do you travel?' })
    // Six went on foot: to show that would say that two went another way, so neither count is shown, and nothing says which is small.
    expect(
      await mode
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).textContent.replaceAll(/\s+/g, ' ').trim())),
        ),
    ).toEqual([
      ['By bus', expect.stringMatching(/60%$/), '60% 12 people'],
      ['On foot', 'not shown'],
      ['Another way', 'not shown'],
    ])
    expect(await mode.locator('.chart-note').textContent()).toMatch(
      /^12 of 20 people chose “By bus”\.20 answers\. Some numbers are not shown, so that nobody can be identified$/,
    )
    expect(await page.locator('main').textContent()).not.toMatch(/fewer than \d(?! more)|\b0 ?%.*0 ?%.*0 ?%/)
    expect(await page.content()).not.toMatch(/A secret (street|way)/)
  })

  test.each([
    ['en', 360],
    ['fr-CA', 768],
    ['cy', 1280],
    ['cy', 320],
  ] as const)('are accessible and fit in %s at %i pixels', async (language, width) => {
    const slug = `fits-${language.toLowerCase()}-${width}`
    await open(slug, {
      title: inAllLanguages('A rather long title of a survey about a street'),
      definition: EVERY_TYPE,
      resultsPublic: true,
    })
    const { page, complaints } = await product.visit(site, { viewport: { width, height: 900 }, reducedMotion: 'reduce' })
    const look = async () => {
      expect(await fits(page)).toBe(true)
      await expectAccessible(page)
    }
    await page.goto(address(slug, language))
    await look()
    await page.locator('[name="q.mode"]').last().check()
    await page.locator('[name="q.ideas"]').fill('x'.repeat(2100))
    await send(page)
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('error-summary')
    await look()
    await page.locator('[name="q.name"]').fill('Elm')
    await page.locator('[name="q.mode"]').first().check()
    await page.locator('[name="q.ideas"]').fill('Shade')
    await send(page)
    await page.waitForURL('**/receipt')
    await look()
    await page.goto(`/${language}/receipt`)
    await look()
    await page.goto(`${address(slug, language)}/results`)
    await look()
    expect(complaints.filter((complaint) => !/status of 422/.test(complaint))).toEqual([])
  })
})

describe('files that are asked for', () => {
  const definition: Definition = {
    schema: 1,
    pages: [
      {
        id: 'p',
        questions: [
          {
            id: 'shown',
            type: 'file',
            title: inAllLanguages('Show us the spot'),
            kinds: ['picture', 'pdf'],
            maxFiles: 2,
            maxMegabytes: 1,
            required: true,
          },
          { id: 'name', type: 'short_text', title: inAllLanguages('Which street?'), required: true },
        ],
      },
    ],
  }
  const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await createPicture(60, 40).jpeg().toBuffer() })
  const pdf = (name: string, bytes = 100) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(bytes)]),
  })
  const fileNames = async (surveyId: string) =>
    (await stored(surveyId)).map(({ answers }) => listAnswerFiles((answers as Answers)['shown']).map(({ name }) => name))

  test('come with the plain form without JavaScript; what is refused keeps those that are good', async () => {
    const survey = await open('files', { definition })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('files'))
    const chooser = page.getByLabel('Show us the spot')
    await page.getByLabel('Which street?').fill('Elm')
    await chooser.setInputFiles([await photo('kerb.jpg'), pdf('plan.pdf', 6_000_000)])
    await send(page)
    expect(await page.locator('.error-summary a').allTextContents()).toEqual(['Show us the spot: Choose a file of 1 MB or less'])
    expect(await page.getByLabel('Which street?').inputValue()).toBe('Elm')
    expect(await page.getByRole('checkbox', { name: 'kerb.jpg' }).isChecked()).toBe(true)
    await page.getByLabel('Which street?').fill('')
    await chooser.setInputFiles([{ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<script>') }])
    await send(page)
    expect(await page.locator('.error-summary a').allTextContents()).toEqual([
      'Show us the spot: Choose a file of one of the types listed above',
    ])
    await chooser.setInputFiles([pdf('plan.pdf')])
    await send(page)
    expect(await page.locator('.error-summary a').allTextContents()).toEqual(['Which street? Enter your answer'])
    await page.getByRole('checkbox', { name: 'kerb.jpg' }).uncheck()
    await page.getByLabel('Which street?').fill('Elm')
    await send(page)
    await page.waitForURL('**/receipt')
    expect(await fileNames(survey.id)).toEqual([['plan.pdf']])
    const link = page.getByRole('link', { name: /plan\.pdf/ })
    const href = (await link.getAttribute('href')) ?? ''
    const receipt = (await page.context().cookies()).find(({ name }) => name === 'receipt')?.value ?? ''
    const { status, headers } = await ask(href, { headers: { cookie: `receipt=${receipt}` } })
    expect([status, headers['content-disposition'], headers['x-content-type-options']]).toEqual([
      200,
      'attachment; filename="plan.pdf"; filename*=UTF-8\'\'plan.pdf',
      'nosniff',
    ])
    expect((await ask(href)).status).toBe(404)
    const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
    expect((await ask(href, { headers: { cookie: `token=${admin.token}` } })).status).toBe(200)
    await page.getByText('Withdraw my answers').click()
    await page.getByRole('button', { name: 'Delete my answers' }).click()
    await page.getByText('You withdrew these answers').waitFor()
    expect((await ask(href, { headers: { cookie: `token=${admin.token}` } })).status).toBe(404)
  })

  test('are sent ahead with a script, kept through a reload, taken away again and sent once, step by step', async () => {
    const survey = await open('steps', { definition, variant: 'revised' })
    const { page, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 } })
    await page.goto(`${address('steps')}?step=shown`)
    const chooser = page.locator('input[type="file"]')
    await expect.poll(() => page.locator('input[name="q.shown.kept"]').count()).toBe(1)
    await chooser.setInputFiles([await photo('kerb.jpg'), pdf('far too large.pdf', 1_100_000)])
    await page.getByText('The file is saved with your answers.').waitFor()
    expect(await page.locator('.field-error').textContent()).toContain('far too large.pdf: Choose a file of 1 MB or less')
    await chooser.setInputFiles([pdf('plan.pdf')])
    await page.getByRole('button', { name: 'Remove plan.pdf' }).waitFor()
    await expectAccessible(page)
    expect(await fits(page)).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Remove kerb.jpg' }).click()
    await page.getByText('kerb.jpg is removed.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Which street?').fill('Elm')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Check your answers').waitFor()
    expect(await page.locator('.answers').textContent()).toContain('plan.pdf')
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.waitForURL('**/receipt')
    expect(await fileNames(survey.id)).toEqual([['plan.pdf']])
    expect(complaints).toEqual([])
  })

  test('chosen on a page of sections are put back with everything typed on the device', async () => {
    const slug = `kept-${Date.now()}`
    const survey = await open(slug, { definition })
    const { page } = await product.visit(site)
    await page.goto(address(slug))
    await expect.poll(() => page.locator('input[name="q.shown.kept"]').count()).toBe(1)
    await page.locator('input[type="file"]').setInputFiles([await photo('kerb.jpg')])
    await page.getByRole('button', { name: 'Remove kerb.jpg' }).waitFor()
    await page.goto('/projects')
    await page.goto(address(slug))
    await page.getByRole('button', { name: 'Remove kerb.jpg' }).waitFor()
    await page.getByLabel('Which street?').fill('Elm')
    await send(page)
    await page.waitForURL('**/receipt')
    expect(await fileNames(survey.id)).toEqual([['kerb.jpg']])
  })
})
