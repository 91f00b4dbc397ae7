import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { SAMPLES, listSampleQuestions } from '#tests/factories/questions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { createPicture } from '#tests/support/pictures.ts'

const { db, product } = useSharedProduct()
let site: Site
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime)
  project = await addProject(db.runtime, site, { slug: 'fern' })
})

/** Where the way goes on depends on what was answered. */
const WAYS: Definition = {
  schema: 1,
  pages: [
    {
      id: 'travel',
      title: inAllLanguages('Your way'),
      questions: [
        {
          id: 'mode',
          type: 'one_choice',
          required: true,
          title: inAllLanguages('How do you travel?'),
          options: [
            { id: 'bus', label: inAllLanguages('By bus') },
            { id: 'foot', label: inAllLanguages('On foot') },
          ],
        },
        {
          id: 'line',
          type: 'short_text',
          required: true,
          title: inAllLanguages('Which bus?'),
          showIf: { question: 'mode', is: 'any_of', options: ['bus'] },
        },
      ],
    },
    {
      id: 'walkers',
      title: inAllLanguages('On foot'),
      showIf: { question: 'mode', is: 'any_of', options: ['foot'] },
      questions: [{ id: 'shoes', type: 'short_text', title: inAllLanguages('Which shoes?') }],
    },
    {
      id: 'last',
      questions: [{ id: 'more', type: 'long_text', title: inAllLanguages('What else about “{{mode}}”?') }],
    },
  ],
}

async function open(slug: string, values: Parameters<typeof addSurvey>[2] = {}) {
  // A test that is tried again opens its survey again.
  await db.database.site(site.id).tx((tx) =>
    tx
      .update(surveys)
      .set({ slug: `${slug}-${createId()}` })
      .where(eq(surveys.slug, slug)),
  )
  return addSurvey(db.runtime, site, {
    projectId: project.id,
    slug,
    definition: WAYS,
    closesAt: new Date(Date.now() + 48 * 3_600_000),
    ...values,
  })
}
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
    await expect.poll(() => page.title()).toMatch(/^Error: /)
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
    await heading(page, 'Check your answers')
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
    await heading(page, 'Your answers are saved')
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
    expect(await page.locator('.error-summary a').allTextContents()).toEqual(['Which bus? Enter your answer'])
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
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('survey-progress')
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
    await heading(page, 'Check your answers')
    await go(page, 'Send my answers')
    await page.getByText('You are offline').waitFor()
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
              { id: 'a', type: 'short_text', required: true, title: inAllLanguages('Which street?') },
              { id: 'b', type: 'short_text', title: inAllLanguages('Why?') },
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
    expect(complaints.filter((complaint) => !/status of 422/.test(complaint))).toEqual([])
  })
})

/** What the samples of every type are stored as. */
const EVERY_ANSWER: Record<string, unknown> = {
  ...Object.fromEntries(Object.values(SAMPLES).flatMap(({ question, answer }) => (answer === undefined ? [] : [[question.id, answer]]))),
  file: { files: [expect.objectContaining({ name: 'The bridge.jpg', type: 'image/jpeg' })] },
}

async function chooseFile(page: Page, id: string) {
  const buffer = await createPicture(40, 30).jpeg().toBuffer()
  const file = { name: 'The bridge.png', mimeType: 'image/png', buffer }
  await page.locator(`input[type="file"][name^="q.${id}"], [name="q.${id}.new"]`).first().setInputFiles(file)
}

/** Answers one question as its form says. @returns false where a browser's own fields do not let that be said at all */
async function fillIn(page: Page, id: string, form: Record<string, string | string[]>): Promise<boolean> {
  for (const [part, value] of Object.entries(form)) {
    const name = ['q', id, part].filter(Boolean).join('.')
    const fields = page.locator(`[name="${name}"]`)
    const kind = (await fields.count()) ? await fields.first().evaluate((element: HTMLInputElement) => element.type) : ''
    const values = [value].flat()
    if (!kind || kind === 'hidden' || (kind === 'radio' && values.length > 1)) return false
    for (const each of values) {
      const choice = page.locator(kind === 'select-one' ? `[name="${name}"] option[value="${each}"]` : `[name="${name}"][value="${each}"]`)
      if (['radio', 'checkbox', 'select-one'].includes(kind) && !(await choice.count())) return false
      if (kind === 'radio' || kind === 'checkbox') await choice.check()
      else if (kind === 'select-one') await fields.selectOption(each)
      else if (kind === 'range' && form[''] !== SAMPLES.slider.form['']) return false
      else await fields.fill(each, { force: true })
    }
  }
  return true
}

/** What people are told, by the code of the fault. */
const TOLD: Record<string, RegExp> = {
  required: /(Choose|Give|Tick the box|Enter)/,
  'wrong-format': /(Use this format: |Enter a (phone number|full postcode|time, such as 14:30|number with fewer decimal places))/,
  'too-long': /Shorten your answer to 20 characters/,
  'too-many': /Choose no more than 2/,
  'not-a-number': /Enter a number/,
  'out-of-range': /Enter a value from .+ to |Enter .+ or (more|less)/,
  'wrong-total': /Divide exactly 100%. So far you have given 99%/,
  'not-a-date': /Enter a real date/,
  'not-a-choice': /Enter a number in steps of 5, such as 5 or 10/,
  'not-an-email': /Enter an email address, such as/,
  taken: /Give each one a different number/,
}

/** Where each rule of a survey leads: jumps, an early end, options that depend, choices carried on, an order of one's own, a quota. */
const RULES: Definition = {
  schema: 1,
  pages: [
    {
      id: 'ways',
      questions: [
        {
          id: 'used',
          type: 'several_choices',
          required: true,
          title: inAllLanguages('What do you use?'),
          options: ['bus', 'bike', 'car', 'none'].map((id) => ({
            id,
            label: inAllLanguages(id),
            ...(id === 'none' ? { exclusive: true } : {}),
          })),
        },
      ],
      next: [
        { when: { question: 'used', is: 'any_of', options: ['none'] }, end: 'away' },
        {
          when: {
            all: [
              { question: 'used', is: 'any_of', options: ['car'] },
              {
                any: [
                  { question: 'used', is: 'none_of', options: ['bus'] },
                  { question: 'used', is: 'none_of', options: ['bike'] },
                ],
              },
            ],
          },
          page: 'last',
        },
      ],
    },
    { id: 'skipped', questions: [{ id: 'why', type: 'short_text', title: inAllLanguages('Why no car?') }] },
    {
      id: 'last',
      questions: [
        {
          id: 'best',
          type: 'one_choice',
          title: inAllLanguages('Which is best?'),
          carry: { question: 'used', which: 'chosen' },
          options: [{ id: 'lift', label: inAllLanguages('A lift'), showIf: { question: 'used', is: 'any_of', options: ['car'] } }],
        },
        {
          id: 'mixed',
          type: 'one_choice',
          title: inAllLanguages('In any order'),
          shuffle: true,
          options: [...Array.from('abcdefgh'), 'other'].map((id) => ({
            id,
            label: inAllLanguages(`Thing ${id}`),
            ...(id === 'other' ? { other: true } : {}),
          })),
        },
      ],
    },
  ],
  endings: [
    { id: 'away', title: inAllLanguages('Thank you for walking') },
    { id: 'enough', title: inAllLanguages('Enough drivers have answered') },
  ],
  quotas: [{ id: 'drivers', when: { question: 'used', is: 'any_of', options: ['car'] }, limit: 1, end: 'enough' }],
}

describe.each([
  ['in sections without JavaScript', 'classic', false],
  ['one question at a time', 'revised', true],
] as const)('the rules of a survey %s', (_, variant, javaScriptEnabled) => {
  const begin = async (slug: string, ...uses: string[]) => {
    const { page } = await product.visit(site, { javaScriptEnabled })
    await page.goto(address(slug))
    if (variant === 'revised') await page.getByRole('link', { name: 'Start' }).click()
    for (const use of uses) await page.getByLabel(use, { exact: true }).check()
    await go(page, 'Continue')
    return page
  }
  const labels = (page: Page, id: string) =>
    page.locator(`[name="q.${id}"]`).evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))

  test('jump, end early, offer what was chosen, mix the order, and take no more than there is room for', async () => {
    const slug = `rules-${variant}`
    const survey = await open(slug, { definition: RULES, variant })
    const walker = await begin(slug, 'none')
    await heading(walker, 'Check your answers')
    await go(walker, 'Send my answers')
    await heading(walker, 'Thank you for walking')

    const rider = await begin(slug, 'bus', 'bike')
    await rider.getByLabel('Why no car?').fill('No room')
    await go(rider, 'Continue')
    await rider.locator('[name="q.best"]').first().waitFor()
    expect(await labels(rider, 'best')).toEqual(['bus', 'bike'])

    const driver = await begin(slug, 'car', 'bus')
    await driver.locator('[name="q.best"]').first().waitFor()
    expect(await labels(driver, 'best')).toEqual(['bus', 'car', 'lift'])
    if (variant === 'revised') {
      await driver.getByLabel('A lift').check()
      await go(driver, 'Continue')
    }
    await driver.locator('[name="q.mixed"]').first().waitFor()
    const order = await labels(driver, 'mixed')
    expect([...order].sort()).toEqual([...Array.from('abcdefgh'), 'other'])
    expect(order.at(-1)).toBe('other')
    await driver.reload()
    await expect.poll(() => labels(driver, 'mixed')).toEqual(order)
    if (variant === 'classic') await driver.getByLabel('A lift').check()
    await go(driver, 'Continue')
    await heading(driver, 'Check your answers')
    await go(driver, 'Send my answers')
    await driver.waitForURL('**/receipt')

    const second = await begin(slug, 'car')
    for (let step = variant === 'revised' ? 2 : 1; step > 0; step--) await go(second, 'Continue')
    await heading(second, 'Check your answers')
    await go(second, 'Send my answers')
    await second.getByText('Enough drivers have answered').waitFor()
    expect((await stored(survey.id)).map(({ answers }) => answers)).toEqual([
      { used: { choices: ['none'] } },
      { used: { choices: ['bus', 'car'] }, best: { choice: 'lift' } },
    ])
  })
})

describe('every type of question', () => {
  const everything: Definition = { schema: 1, pages: [{ id: 'p', title: inAllLanguages('Everything'), questions: listSampleQuestions() }] }

  test('is counted once: before the first question, beside what is saved, and at each step', async () => {
    // A text between questions asks nothing.
    const asked = Object.values(SAMPLES).filter(({ question }) => question.type !== 'info')
    const count = asked.length
    await open('counted', { definition: everything })
    const { page } = await product.visit(site)
    await page.goto(address('counted'))
    expect(await page.locator('ul.meta').innerText()).toContain(`${count} questions`)
    await page.locator('[name="q.short_text"]').fill('K204')
    await expect.poll(() => page.locator('.survey-kept').innerText()).toContain(`1 of ${count} answered`)
    await open('counted-steps', { definition: everything, variant: 'revised' })
    await page.goto(address('counted-steps'))
    expect(await page.locator('ul.meta').innerText()).toContain(`${count} questions`)
    // The first, one in the middle and one of the last.
    for (const [index, { question }] of [...asked.entries()].filter(([at]) => at % Math.floor((count - 1) / 2) === 0)) {
      await page.goto(`${address('counted-steps')}?step=${question.id}`)
      await page.getByText(`Question ${index + 1} of ${count}`, { exact: true }).waitFor()
    }
  })

  test('is answered on one page without JavaScript, and told on the receipt', async () => {
    const survey = await open('types', { definition: everything })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(address('types'))
    await page.locator('.survey-form details summary').click()
    for (const { question, form } of Object.values(SAMPLES)) {
      if (question.type === 'file') await chooseFile(page, question.id)
      else if (question.type !== 'info') expect([question.type, await fillIn(page, question.id, form)]).toEqual([question.type, true])
    }
    await go(page, 'Send my answers')
    await page.waitForURL('**/receipt')
    expect((await stored(survey.id))[0]?.answers).toEqual(EVERY_ANSWER)
    const told = (await page.locator('.answers').textContent()) ?? ''
    for (const words of ['Another: Teal', '1. blue', 'red: 60', 'park: good', 'The bridge', 'I agree', '7 March 2026'])
      expect(told).toContain(words)
  })

  test.each([true, false])('is answered one question after the other, with a script: %s', async (javaScriptEnabled) => {
    const survey = await open(`revised-${javaScriptEnabled}`, { definition: everything, variant: 'revised' })
    const { page, complaints } = await product.visit(site, { javaScriptEnabled })
    await page.goto(address(`revised-${javaScriptEnabled}`))
    await page.getByRole('link', { name: 'Start' }).click()
    for (const { question, form } of Object.values(SAMPLES)) {
      await page.locator(`input[name="step"][value="${question.id}"]`).waitFor({ state: 'attached' })
      if (question.type === 'file') {
        if (javaScriptEnabled) await expect.poll(() => page.locator(`input[name="q.${question.id}.kept"]`).count()).toBe(1)
        await chooseFile(page, question.id)
        if (javaScriptEnabled) await page.getByRole('button', { name: 'Remove The bridge.jpg' }).waitFor()
      } else if (question.type !== 'info') {
        await page
          .locator('.survey-form details:not([open]) summary')
          .evaluateAll((all) => all.forEach((each) => (each as HTMLElement).click()))
        expect([question.type, await fillIn(page, question.id, form)]).toEqual([question.type, true])
      }
      await go(page, 'Continue')
    }
    await heading(page, 'Check your answers')
    await go(page, 'Send my answers')
    await page.waitForURL('**/receipt')
    expect((await stored(survey.id))[0]?.answers).toEqual(EVERY_ANSWER)
    expect(complaints).toEqual([])
  })

  const rounds = Math.max(...Object.values(SAMPLES).map(({ refused }) => refused.length))
  test.each(Array.from({ length: rounds }, (_, round) => round))(
    'says at its field what is wrong and keeps it, without JavaScript (%i)',
    async (round) => {
      await open(`wrong-${round}`, { definition: everything })
      const { page } = await product.visit(site, { javaScriptEnabled: false })
      await page.goto(address(`wrong-${round}`))
      await page.locator('.survey-form details summary').click()
      const wrong: { type: string; code: string }[] = []
      for (const { question, refused } of Object.values(SAMPLES)) {
        const [form, code = ''] = refused[round] ?? []
        if (form && question.type !== 'file' && (await fillIn(page, question.id, form))) wrong.push({ type: question.type, code })
      }
      await go(page, 'Send my answers')
      await page.locator('.error-summary').waitFor()
      const links = await page
        .locator('.error-summary a')
        .evaluateAll((all) => all.map((link) => ({ text: link.textContent, at: link.getAttribute('href')?.slice(1) ?? '' })))
      for (const { type, code } of wrong) {
        const told = links.find(({ at }) => at === `q.${type}` || at.startsWith(`q.${type}.`))
        expect([type, told?.text]).toEqual([type, expect.stringMatching(TOLD[code] ?? /never/)])
        expect(await page.locator(`[id="${told?.at}"]`).count()).toBe(1)
      }
      for (const { question, refused } of Object.values(SAMPLES)) {
        const text = refused[round]?.[0]['']
        if (!wrong.some(({ type }) => type === question.type) || typeof text !== 'string') continue
        const field = page.locator(`[name="q.${question.id}"]`).first()
        if (['text', 'textarea', 'email', 'tel'].includes(await field.evaluate((element: HTMLInputElement) => element.type)))
          expect([question.type, await field.inputValue()]).toEqual([question.type, text])
      }
      if (round === 0) expect(wrong.length).toBeGreaterThan(12)
    },
  )

  test('says at its field what is wrong, one question at a time with a script', async () => {
    await open('wrong-steps', { definition: everything, variant: 'revised' })
    const shown = new Set<string>()
    const { page, context } = await product.visit(site)
    await context.addInitScript(() => localStorage.clear())
    for (const { question, refused } of Object.values(SAMPLES)) {
      if (question.type === 'file' || refused.length === 0) continue
      let isRefused = false
      for (const [form, code] of refused) {
        // Every reason is said of every type in the test of the types; here each type is refused once, and each reason said once.
        if (isRefused && shown.has(code)) continue
        // Each case starts as a new visitor. Otherwise the earlier answers are restored from the device or by the cookie.
        await context.clearCookies()
        await page.goto(`${address('wrong-steps')}?step=${question.id}`)
        await page
          .locator('.survey-form details:not([open]) summary')
          .evaluateAll((all) => all.forEach((each) => (each as HTMLElement).click()))
        if (!(await fillIn(page, question.id, form))) continue
        await go(page, 'Continue')
        const said = { message: `${question.type} answered with ${JSON.stringify(form)}` }
        await expect.poll(() => page.locator('.error-summary').count(), said).toBe(1)
        await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('error-summary')
        expect([question.type, await page.locator('.error-summary').textContent()]).toEqual([
          question.type,
          expect.stringMatching(TOLD[code] ?? /never/),
        ])
        shown.add(code)
        isRefused = true
      }
    }
    expect([...shown].sort()).toEqual(Object.keys(TOLD).sort())
  })

  test('keeps what is typed before its script has loaded, and what an earlier visit left on the device', async () => {
    await open('early', { definition: everything, variant: 'revised' })
    const { page } = await product.visit(site)
    await page.goto(`${address('early')}?step=short_text`)
    await page.locator('[name="q.short_text"]').pressSequentially('A123')
    await page.getByText('Saved').waitFor()
    let release = () => {}
    const loading = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/*.js', async (route) => {
      await loading
      await route.continue()
    })
    await page.goto(`${address('early')}?step=date`, { waitUntil: 'commit' })
    await page.locator('[name="q.date.-day"]').fill('7')
    await page.locator('[name="q.date.-month"]').fill('3')
    release()
    await page.getByText('Saved').waitFor()
    await page.locator('[name="q.date.-year"]').fill('2026')
    await expect.poll(() => page.locator('[name="q.date.-day"]').inputValue()).toBe('7')
    expect(await page.locator('[name="q.date.-month"]').inputValue()).toBe('3')
    await go(page, 'Continue')
    await page.waitForURL('**step=time')
    await page.goto(`${address('early')}?step=short_text`)
    await expect.poll(() => page.locator('[name="q.short_text"]').inputValue()).toBe('A123')
    await page.goto(`${address('early')}?step=date`)
    await expect.poll(() => page.locator('[name="q.date.-month"]').inputValue()).toMatch(/^0?3$/)
  })

  test.each([
    ['en', 360, undefined],
    ['fr-CA', 768, 'revised'],
    ['cy', 320, 'revised'],
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
    expect(complaints.filter((complaint) => !/status of 422/.test(complaint))).toEqual([])
  })

  test('things are put in order with buttons alone, and a budget says what is left', async () => {
    await open('moves', { definition: everything })
    const { page } = await product.visit(site)
    await page.goto(address('moves'))
    await page.getByRole('button', { name: 'Move up: blue' }).click()
    await page.getByRole('button', { name: 'Move up: red' }).click()
    await page.getByRole('button', { name: 'Move up: red' }).click()
    const places = await page.locator('.ranking select').evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).value))
    expect(places).toEqual(['1', '2', ''])
    await page.locator('[name="q.budget.red"]').fill('60')
    await page.getByText('40% left to divide').waitFor()
    await page.locator('[name="q.budget.green"]').fill('40')
    await page.getByText('You have divided all of it').waitFor()
  })
})
