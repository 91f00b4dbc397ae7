import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import type { Answers, Definition } from '#app/features/surveys/surveys.schema.ts'
import { createCtx } from '#app/server/context.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
let survey: { id: string }
let admin: Person

const items = (...ids: string[]) => ids.map((id) => ({ id, label: inAllLanguages(id[0]?.toUpperCase() + id.slice(1)) }))
const DEFINITION: Definition = {
  schema: 1,
  pages: [
    {
      id: 'way',
      title: inAllLanguages('Your way'),
      questions: [
        { id: 'mode', type: 'one_choice', title: inAllLanguages('How do you travel?'), options: items('bus', 'foot') },
        { id: 'want', type: 'several_choices', title: inAllLanguages('What should come?'), options: items('trees', 'seats') },
        { id: 'rate', type: 'likert', title: inAllLanguages('How good is it?'), rows: items('path'), columns: items('bad', 'good') },
      ],
    },
    { id: 'words', questions: [{ id: 'why', type: 'long_text', title: inAllLanguages('Why?') }] },
  ],
}

beforeAll(async () => {
  site = await addSite(db.runtime)
  survey = await addSurvey(db.runtime, site, { definition: DEFINITION })
  admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  for (let index = 0; index < 12; index++) {
    await send({
      mode: { choice: index < 8 ? 'bus' : 'foot' },
      want: { choices: index % 2 ? ['trees'] : ['seats'] },
      rate: { rows: { path: [index % 3 ? 'good' : 'bad'] } },
      why: index % 2 ? 'More shade, please' : 'Somewhere to sit',
    })
  }
})

async function send(answers: Answers) {
  const ctx = createCtx(db.runtime, site)
  await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), {
    id: v7(),
    sendKey: 'k'.repeat(22),
    answers,
  })
}

test('results are narrowed by several answers at once, compared, read by word, tagged in bulk, and follow as people answer', async () => {
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(`/admin/surveys/${survey.id}/results`)
  const figure = page.getByRole('figure').filter({ hasText: 'How do you travel?' })
  const people = (option: string) => figure.getByRole('row').filter({ hasText: option }).locator('.bar-chart-count')
  await expect.poll(() => people('Bus').textContent()).toBe('8 people')
  await expectAccessible(page)

  const said = page.locator('select[name="answer"]')
  const leaveOut = (answer: string) => page.getByRole('button', { name: `Remove: ${answer}` })
  await said.selectOption({ label: 'What should come? Trees' })
  await leaveOut('What should come? Trees').waitFor()
  await expect.poll(() => people('Bus').textContent()).toBe('4 people')
  await said.selectOption({ label: 'How good is it? Path: Good' })
  await leaveOut('How good is it? Path: Good').waitFor()
  await expect.poll(() => people('Bus').textContent()).toBe('3 people')

  await page.getByText('Compare two questions').click()
  await page.locator('select[name="cross-rows"]').selectOption({ label: 'How do you travel?' })
  await page.locator('select[name="cross-columns"]').selectOption({ label: 'What should come?' })
  const compared = page.getByRole('table', { name: 'Compare two questions' })
  await expect
    .poll(() => compared.getByRole('row').filter({ hasText: 'Bus' }).getByRole('cell').allTextContents())
    .toEqual(['3100%', '0', '3'])
  await page.getByText('Base: 4 people who answered both questions. People could choose more than one answer').waitFor()
  await leaveOut('How good is it? Path: Good').click()
  await leaveOut('How good is it? Path: Good').waitFor({ state: 'detached' })
  await leaveOut('What should come? Trees').click()
  await expect.poll(() => people('Bus').textContent()).toBe('8 people')

  const found = page.locator('.written-answers output')
  await page.getByText('Words people used').click()
  await page.getByRole('button', { name: /^shade/ }).click()
  await expect.poll(() => found.textContent()).toBe('6 answers with “shade”')
  await page.getByLabel('Tag', { exact: true }).fill('Heat')
  await page.getByRole('button', { name: 'Tag all 6 found' }).click()
  await page.getByText('Tag “Heat” added to 6 answers').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => found.textContent()).toBe('12 answers')
  await page.getByRole('button', { name: 'Without a tag' }).click()
  await expect.poll(() => found.textContent()).toBe('6 answers')
  await page.getByRole('checkbox', { name: 'Somewhere to sit' }).first().check()
  await page.getByLabel('Tag', { exact: true }).fill('Rest')
  await page.getByRole('button', { name: 'Tag the selected answer' }).click()
  await expect.poll(() => found.textContent()).toBe('5 answers')
  await page.getByRole('button', { name: 'Heat 6' }).waitFor()

  await page.getByText('Completion rate and time').click()
  const steps = page.getByRole('figure').filter({ hasText: 'From start to sending' })
  expect(await steps.getByRole('rowheader').allTextContents()).toEqual([
    'Started',
    'Answered on page 1 or later: Your way',
    'Answered on page 2 or later',
    'Sent',
  ])
  await expectAccessible(page)

  await send({ mode: { choice: 'bus' } })
  await expect.poll(() => people('Bus').textContent()).toBe('9 people')
  expect(complaints).toEqual([])
})

test('a file of many responses tells how far it is, is stopped, and is made in the background and taken', async () => {
  const { page, complaints } = await product.visit(site, { token: admin.token })
  const inSite = db.database.site(site.id)
  const id = v7()
  await inSite.tx(async (tx) => {
    await tx.update(surveys).set({ responsesCount: 12_000 }).where(eq(surveys.id, survey.id))
    const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 864e5)]
    const begun = { state: 'running', total: 12_000, done: 3_000, aliveAt: createdAt, createdAt, expiresAt } as const
    await tx.insert(surveyExports).values({ siteId: site.id, id, surveyId: survey.id, format: 'xlsx', language: 'en', ...begun })
  })
  await page.goto(`/admin/surveys/${survey.id}/responses`)
  await page.getByText('3,000 of 12,000 responses').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Stop/ }).click()
  await page.getByText('3,000 of 12,000 responses').first().waitFor({ state: 'detached' })
  const [stopped] = await inSite.tx((tx) => tx.select().from(surveyExports).where(eq(surveyExports.id, id)))
  expect(stopped?.state).toBe('cancelled')

  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'CSV', exact: true }).click()
  await page.getByText('We are preparing the file. You can leave this page in the meantime.').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Download CSV/ }).click()])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  expect(complaints).toEqual([])
  await inSite.tx((tx) => tx.update(surveys).set({ responsesCount: 12 }).where(eq(surveys.id, survey.id)))
})

test('on a phone, in French and in Welsh, the results fit and are accessible', async () => {
  const { page } = await product.visit(site, { token: admin.token, viewport: { width: 360, height: 800 } })
  for (const language of ['fr-CA', 'cy']) {
    await page.goto(`/admin/surveys/${survey.id}/results?answers=mode:bus&lng=${language}`)
    await page.getByRole('figure').first().waitFor()
    await page.locator('.written-answers input[type="checkbox"]').first().waitFor()
    expect([language, await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)]).toEqual([language, true])
    await expectAccessible(page)
  }
})

test('what was changed after answers came is told line by line before it is published, and stands in the results afterwards', async () => {
  const text = { type: 'short_text' } as const
  const definition: Definition = {
    schema: 1,
    pages: [
      {
        id: 'way',
        questions: [
          { id: 'mode', type: 'one_choice', title: inAllLanguages('How do you travel?'), options: items('bus', 'foot') },
          { id: 'stop', ...text, title: inAllLanguages('Which stop?') },
          { id: 'often', type: 'number', title: inAllLanguages('How often?') },
          { id: 'wait', ...text, title: inAllLanguages('How long do you wait?') },
        ],
      },
    ],
  }
  const changing = await addSurvey(db.runtime, site, { definition })
  const answer = async (answers: Answers) => {
    const ctx = createCtx(db.runtime, site)
    await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, changing.id)), {
      id: v7(),
      sendKey: 'k'.repeat(22),
      answers,
    })
  }
  for (const choice of ['bus', 'bus', 'foot']) await answer({ mode: { choice }, stop: 'The mill', often: 3, wait: 'An hour' })
  const changed: Definition = {
    schema: 1,
    pages: [
      {
        id: 'way',
        questions: [
          {
            id: 'mode',
            type: 'one_choice',
            title: inAllLanguages('How do you come here?'),
            options: [
              { id: 'bus', label: inAllLanguages('By coach') },
              { id: 'foot', label: inAllLanguages('Foot'), removed: true },
              { id: 'bike', label: inAllLanguages('Bike') },
            ],
          },
          { id: 'often', ...text, title: inAllLanguages('How often?') },
          { id: 'wait', ...text, title: inAllLanguages('How long do you wait?'), required: true },
          { id: 'why', ...text, title: inAllLanguages('Why?') },
        ],
      },
    ],
  }
  await db.database
    .site(site.id)
    .tx((tx) => tx.update(surveys).set({ definition: changed, lockVersion: 2 }).where(eq(surveys.id, changing.id)))

  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(`/admin/surveys/${changing.id}`)
  await page.getByRole('button', { name: 'Publish changes…' }).click()
  const lines = page.getByRole('region', { name: 'What changes, and what happens to existing answers' }).getByRole('listitem')
  await expect
    .poll(() => lines.allInnerTexts().then((all) => all.map((line) => line.replace(/\s+/g, ' '))))
    .toEqual([
      'How do you come here? has new wording; its 3 answers are kept.',
      'How do you come here? has new wording for “By coach”; its answers are kept.',
      'How do you come here? no longer offers “Foot”; the 1 answer that has it still counts.',
      'How do you come here? offers “Bike” from now on.',
      'Which stop? is no longer asked; its 3 answers are kept in results and exports.',
      'How often? becomes a text question; its 3 answers are shown as text.',
      'How long do you wait? has different rules, for later responses only.',
      'Why? is new: only people who see it from now on are counted.',
    ])
  await expectAccessible(page, 'iframe')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Published', { exact: true }).first().waitFor()
  await answer({ mode: { choice: 'bike' }, often: 'Twice a week', wait: 'A minute', why: 'It is quick' })

  await page.goto(`/admin/surveys/${changing.id}/results`)
  const mode = page.getByRole('figure').filter({ hasText: 'How do you come here?' })
  const people = (option: string) => mode.getByRole('row').filter({ hasText: option }).locator('.bar-chart-count')
  await expect.poll(() => people('By coach').textContent()).toBe('2 people')
  expect(await people('Foot (no longer offered)').textContent()).toBe('1 person')
  expect(await people('Bike').textContent()).toBe('1 person')
  const note = (question: string) => page.locator('.chart').filter({ hasText: question }).locator('.chart-note').textContent()
  expect(await note('Which stop?')).toBe('3 people wrote an answer. This question was asked in an earlier version')
  expect(await note('Why?')).toBe('1 person wrote an answer')
  await page.locator('.panel').filter({ hasText: 'How often?' }).getByText('4 answers', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})
