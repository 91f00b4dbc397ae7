import { gzipSync } from 'node:zlib'
import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Definition, Option } from '#app/features/surveys/surveys.schema.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount } from '#tests/support/accounts.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
let site: Site
let added = 0

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'listed', languages: ['en', 'fr-CA', 'cy'] })
})

const KINDS = ['Primary School', 'High School', 'Academy', 'College']
const PLACES = ['Llanfair', 'Penarth', 'Bryn Mawr', 'Tŷ Gwyn', 'Saint-Étienne']
const nameSchool = (index: number) => `${PLACES[index % PLACES.length]} ${KINDS[index % KINDS.length]} ${index}`
const schools = (count: number): Option[] =>
  Array.from({ length: count }, (_, index) => ({ id: `school${index}`, label: inAllLanguages(nameSchool(index)) }))

const askForSchool = (count: number): Definition => ({
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        {
          id: 'school',
          type: 'one_choice',
          required: true,
          title: inAllLanguages('Which school do your children go to?'),
          options: [...schools(count), { id: 'elsewhere', label: inAllLanguages('Another school'), other: true }],
        },
        { id: 'why', type: 'short_text', title: inAllLanguages('What would you change?') },
      ],
    },
  ],
})

const DISTRICTS = ['Vale', 'Gower']
const ASK_BY_DISTRICT: Definition = {
  schema: 1,
  pages: [
    {
      id: 'where',
      questions: [
        {
          id: 'district',
          type: 'one_choice',
          title: inAllLanguages('Which district?'),
          options: DISTRICTS.map((name) => ({ id: name.toLowerCase(), label: inAllLanguages(name) })),
        },
      ],
    },
    {
      id: 'which',
      questions: [
        {
          id: 'village',
          type: 'dropdown',
          title: inAllLanguages('Which village?'),
          options: Array.from({ length: 400 }, (_, index) => ({
            id: `village${index}`,
            label: inAllLanguages(`${DISTRICTS[index % 2]} village ${index}`),
            showIf: { question: 'district', is: 'any_of' as const, options: [DISTRICTS[index % 2]?.toLowerCase() ?? ''] },
          })),
        },
      ],
    },
  ],
}

async function addListSurvey(definition: Definition) {
  const project = await addProject(db.runtime, site, { slug: `listed-${++added}` })
  const survey = await addSurvey(db.runtime, site, { projectId: project.id, slug: 'schools', definition, access: 'anyone' })
  return { survey, address: `/projects/${project.slug}/surveys/schools` }
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
/** As the script makes it; the plain list has the same role. */
const findField = (page: Page, name = /Which school/) => page.getByRole('combobox', { name }).and(page.locator('input'))
const listFound = (page: Page) => page.getByRole('listbox').getByRole('option').allTextContents()
const sendAnswers = async (page: Page) => {
  await page.getByRole('button', { name: 'Send my answers' }).click()
  await page.waitForURL('**/receipt')
}

describe('a long list', () => {
  test('is answered by typing any words of it, with the keyboard, and is kept until it is sent', async () => {
    const { survey, address } = await addListSurvey(askForSchool(1000))
    const { page, complaints } = await product.visit(site)
    await page.goto(address)
    const field = findField(page)
    await field.click()
    await expectAccessible(page)
    // Accents, capitals and the order of the words make no difference.
    await field.fill('college etienne 99')
    await expect
      .poll(() => listFound(page))
      .toEqual(
        ['Saint-Étienne College 99', 'Saint-Étienne College 199', 'Saint-Étienne College 299'].concat(
          ['Saint-Étienne College 399', 'Saint-Étienne College 499', 'Saint-Étienne College 599', 'Saint-Étienne College 699'],
          ['Saint-Étienne College 799', 'Saint-Étienne College 899', 'Saint-Étienne College 999', 'Another school'],
        ),
      )
    await expectAccessible(page)
    expect(await field.getAttribute('aria-expanded')).toBe('true')

    await field.press('ArrowDown')
    await field.press('ArrowDown')
    const active = await field.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).textContent()).toBe('Saint-Étienne College 199')
    await field.press('ArrowUp')
    await field.press('ArrowUp')
    await expect.poll(() => page.locator('[data-active]').textContent()).toBe('Another school')
    await field.press('Escape')
    await expect.poll(() => field.getAttribute('aria-expanded')).toBe('false')
    expect(await field.inputValue()).toBe('college etienne 99')
    await page.getByLabel('What would you change?').focus()
    await page.getByText('“college etienne 99” is not in the list').waitFor()

    await field.fill('tŷ gwyn 3')
    await field.press('ArrowDown')
    await field.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('Tŷ Gwyn College 3')
    expect(page.url()).toContain(address)
    await page.getByText('Saved on this device').waitFor()

    await page.reload()
    await expect.poll(() => findField(page).inputValue()).toBe('Tŷ Gwyn College 3')
    await sendAnswers(page)
    await page.getByRole('definition').filter({ hasText: 'Tŷ Gwyn College 3' }).waitFor()
    expect(await loadAnswers(survey.id)).toEqual([{ school: { choice: 'school3' } }])
    expect(complaints).toEqual([])
  })

  test('is refused where it stands if nothing in it was chosen', async () => {
    const { survey, address } = await addListSurvey(askForSchool(200))
    const { page } = await product.visit(site)
    await page.goto(address)
    await findField(page).fill('nowhere')
    await expect.poll(() => listFound(page)).toEqual(['Another school'])
    await findField(page).press('Escape')
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.getByRole('link', { name: /Choose an answer/ }).click()
    await expect.poll(() => findField(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await expectAccessible(page)
    expect(await loadAnswers(survey.id)).toEqual([])
  })

  test('keeps the focus that the link to its error gave it before the page’s scripts ran', async () => {
    const { address } = await addListSurvey(askForSchool(200))
    const { page } = await product.visit(site)
    await page.goto(address)
    await expect.poll(() => findField(page).count()).toBe(1)
    const scripts = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Send my answers' }).click()
    await page.getByRole('link', { name: /Choose an answer/ }).click()
    // The plain list, until the script replaces it.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
    scripts.resolve()
    await expect.poll(() => findField(page).evaluate((element) => element === document.activeElement)).toBe(true)
  })
  test('takes what is typed in full, and an answer that is not in it', async () => {
    const { survey, address } = await addListSurvey(askForSchool(200))
    const { page } = await product.visit(site)
    await page.goto(address)
    await findField(page).fill('penarth high school 1')
    await sendAnswers(page)
    await page.getByRole('definition').filter({ hasText: 'Penarth High School 1' }).waitFor()
    const other = await product.visit(site)
    await other.page.goto(address)
    await findField(other.page).fill('the free school')
    await other.page.getByRole('option', { name: 'Another school' }).click()
    await other.page.getByLabel(/If you chose “Another school”/).fill('The Free School')
    await sendAnswers(other.page)
    await other.page.getByRole('definition').filter({ hasText: 'Another school: The Free School' }).waitFor()
    expect(await loadAnswers(survey.id)).toEqual([
      { school: { choice: 'school1' } },
      { school: { choice: 'elsewhere', other: 'The Free School' } },
    ])
  })

  test('is a plain list without JavaScript, in the page’s language', async () => {
    const { survey, address } = await addListSurvey(askForSchool(1000))
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(`/cy${address}`)
    await page.getByLabel(/Which school/).selectOption({ label: 'Tŷ Gwyn College 3 (cy)' })
    await page.getByRole('button', { name: /Anfon/ }).click()
    await page.getByRole('definition').filter({ hasText: 'Tŷ Gwyn College 3 (cy)' }).waitFor()
    expect(await loadAnswers(survey.id)).toEqual([{ school: { choice: 'school3' } }])
  })

  test.each([true, false])('depends on an earlier answer (JavaScript: %s)', async (javaScriptEnabled) => {
    const { survey, address } = await addListSurvey(ASK_BY_DISTRICT)
    const { page } = await product.visit(site, { javaScriptEnabled })
    await page.goto(address)
    await page.getByLabel('Gower').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    if (javaScriptEnabled) {
      const field = findField(page, /Which village/)
      await field.fill('village 12')
      await expect
        .poll(() => listFound(page))
        .toEqual(['Gower village 121', 'Gower village 123', 'Gower village 125', 'Gower village 127', 'Gower village 129'])
      await page.getByRole('option', { name: 'Gower village 123' }).click()
    } else {
      const list = page.getByLabel(/Which village/)
      expect(await list.locator('option').count()).toBe(201)
      await list.selectOption({ label: 'Gower village 123' })
    }
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('definition').filter({ hasText: 'Gower village 123' }).waitFor()
    await sendAnswers(page)
    await page.getByRole('definition').filter({ hasText: 'Gower village 123' }).waitFor()
    expect(await loadAnswers(survey.id)).toEqual([{ district: { choice: 'gower' }, village: { choice: 'village123' } }])
  })

  test('travels once for people and once for the script', async () => {
    const [small, large] = await Promise.all([1000, 4999].map((count) => addListSurvey(askForSchool(count))))
    const sizes = await Promise.all(
      [small, large].map(async (survey) => {
        const page = await product.read(site, survey?.address ?? '')
        return { whole: page.body.length, gzipped: gzipSync(page.body).length, times: page.body.split(nameSchool(777)).length - 1 }
      }),
    )
    expect(sizes.map(({ times }) => times)).toEqual([2, 2])
    expect(sizes[1]?.gzipped).toBeLessThan(110_000)
  })

  test('is pasted into the editor and edited as text, where reworded options keep their answers', async () => {
    const project = await addProject(db.runtime, site)
    const survey = await addSurvey(db.runtime, site, {
      projectId: project.id,
      status: 'draft',
      definition: {
        schema: 1,
        pages: [
          { id: 'p', questions: [{ id: 'street', type: 'one_choice', title: inAllLanguages('Which street?'), options: schools(2) }] },
        ],
      },
    })
    const admin = await addAccount(db.runtime, site, { role: 'site_admin' })
    const { page, complaints } = await product.visit(site, { token: admin.token, viewport: { width: 1280, height: 900 } })
    await page.goto(`/admin/surveys/${survey.id}`)
    await page.getByRole('row', { name: 'Which street?' }).click()
    const streets = Array.from({ length: 3000 }, (_, index) => `Street ${index}`)
    const first = page.getByLabel('Option 1', { exact: true })
    await first.evaluate((element, text) => {
      const data = new DataTransfer()
      data.setData('text', text)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, streets.join('\n'))
    const lines = page.getByRole('textbox', { name: 'Options' })
    await expect.poll(() => lines.evaluate((element) => element === document.activeElement)).toBe(true)
    expect((await lines.inputValue()).split('\n').slice(0, 3)).toEqual(['Street 0', 'Street 1', 'Street 2'])
    await page.getByText('3,001 options').waitFor()
    const loadOptions = async () => {
      const [row] = await db.database.site(site.id).tx((tx) =>
        tx
          .select({ definition: surveys.definition })
          .from(surveys)
          .where(and(eq(surveys.siteId, site.id), eq(surveys.id, survey.id))),
      )
      const [question] = (row?.definition as Definition | undefined)?.pages[0]?.questions ?? []
      return question && 'options' in question ? question.options : []
    }
    await expect.poll(async () => (await loadOptions()).length).toBe(3001)
    const before = await loadOptions()
    await lines.press('ControlOrMeta+Home')
    await lines.press('End')
    await lines.pressSequentially(' North')
    await expect.poll(async () => (await loadOptions())[0]?.label.en).toBe('Street 0 North')
    const after = await loadOptions()
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    await expectAccessible(page, 'iframe')
    expect(complaints).toEqual([])
  })
})
