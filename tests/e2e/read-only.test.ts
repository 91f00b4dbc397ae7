import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { getConsoleErrors, type DemoSite, expectAccessible, openPage, signIn, expectUsable } from '#tests/support/browser.ts'

// A department by name, since other journeys of the suite add projects that belong to none.
const SENTENCES: ['en' | 'fr-CA' | 'cy', DemoSite, department: string, short: string, whose: RegExp, closed: string][] = [
  [
    'en',
    'riverbend',
    'Parks and Riverfront',
    'Read only',
    /It belongs to Parks and Riverfront\. Only its administrators/,
    'write updates and see unpublished ones',
  ],
  [
    'fr-CA',
    'riverbend',
    'Parcs et rive',
    'Lecture seule',
    /Il relève de\s: Parcs et rive\. Seules les personnes qui l’administrent/,
    'rédiger des nouvelles et voir celles qui ne sont pas publiées',
  ],
  [
    'cy',
    'dyffryn',
    'Amgylchedd ac afonydd',
    'Darllen yn unig',
    /Mae’n perthyn i Amgylchedd ac afonydd\. Dim ond ei weinyddwyr/,
    'ysgrifennu diweddariadau a gweld y rhai nad ydynt wedi’u cyhoeddi',
  ],
]

test.each(SENTENCES)(
  'another department’s project says whose it is, and looks neither empty nor editable, in %s',
  async (language, site, department, short, whose, closed) => {
    const page = await openPage({ site, language })
    await signIn(page, 'hub.admin')
    await page.goto(`/admin/projects?lng=${language}`)
    await page.getByRole('table').waitFor()
    const row = page.getByRole('row').filter({ hasText: short }).filter({ hasText: department }).first()
    // Its checkbox, status, department, closing date, and how many people took part.
    const people = await row.getByRole('cell').nth(4).innerText()
    await row.getByRole('link').first().click()
    await page.getByText(whose).waitFor()
    const main = page.getByRole('main')
    // Neither a field that seems blank nor a list that seems to hold nothing.
    expect(await main.locator('input, textarea, select, [role="tab"]').count()).toBe(0)
    expect(await main.innerText()).toContain(people)
    await expectUsable(page, [1280, 360])
    await main.getByRole('link').first().click()
    await page.waitForURL('**/updates')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await main.getByText(closed).waitFor()
    expect(await main.locator('a[href*="/admin/updates/"]').count()).toBe(0)
    await expectAccessible(page)
    expect(getConsoleErrors(page)).toEqual([])
  },
)

test('an own project of the department is edited as before', async () => {
  const page = await openPage()
  await signIn(page, 'hub.admin')
  await page.goto('/admin/projects')
  const own = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
    .filter({ hasNotText: 'Read only' })
  await own.first().getByRole('link').first().click()
  await page.getByRole('tab').first().waitFor()
  expect(await page.getByText('You can view this but not change it').count()).toBe(0)
})

interface ApiSurvey {
  id: string
  attributes: { title: string }
  relationships: { project: { data: { id: string } } }
}

/** A published survey of another department's project, as everyone sees it. */
async function findSurveyOf(
  page: Page,
  department: string,
  language: Language,
): Promise<{ id: string; title: string; project: string; hub: string }> {
  const read = <T>(path: string) =>
    page.evaluate(async (address) => (await (await fetch(address)).json()) as T, `/api/v2/${path}&page[size]=100&lng=${language}`)
  const hubs = await read<{ data: { id: string; attributes: { title: string } }[] }>('hubs?')
  const hub = hubs.data.find(({ attributes }) => attributes.title === department)
  const projects = await read<{ data: { id: string }[] }>(`projects?filter[hub]=${hub?.id}`)
  const surveys = await read<{ data: ApiSurvey[] }>(`surveys?filter[project]=${projects.data.map(({ id }) => id).join(',')}`)
  const [survey] = surveys.data
  if (!hub || !survey) throw new Error(`No survey of ${department}`)
  return { id: survey.id, title: survey.attributes.title, project: survey.relationships.project.data.id, hub: hub.id }
}

const OF_SURVEYS: Record<(typeof SENTENCES)[number][0], [sentence: RegExp, list: string]> = {
  en: [
    /Only the project’s administrators and site administrators can edit it and see its answers/,
    'This project’s surveys are not listed here',
  ],
  'fr-CA': [/Seules les personnes qui administrent le projet .* peuvent le modifier/, 'Les sondages de ce projet ne figurent pas ici'],
  cy: [/Dim ond gweinyddwyr y prosiect, .* sy’n gallu ei olygu/, 'Nid yw arolygon y prosiect hwn wedi’u rhestru yma'],
}

const OF_DEPARTMENT: Record<(typeof SENTENCES)[number][0], RegExp> = {
  en: /Only the department’s administrators and site administrators can edit it/,
  'fr-CA': /Seules les personnes qui administrent le service et l’administration du site peuvent le modifier/,
  cy: /Dim ond gweinyddwyr yr adran, a gweinyddwyr y safle, sy’n gallu ei golygu/,
}

test.each(SENTENCES)(
  'another department’s survey is no empty editor, and its list says why it is empty, in %s',
  async (language, site, department, _short, whose) => {
    const page = await openPage({ site, language })
    await signIn(page, 'hub.admin')
    await page.goto('/')
    const { id, title, project, hub } = await findSurveyOf(page, department, language)
    const [sentence, list] = OF_SURVEYS[language]
    const main = page.getByRole('main')
    for (const part of ['', '/responses', '/results', '/responses/paper', '/responses/table', '/open-answers']) {
      await page.goto(`/admin/surveys/${id}${part}?lng=${language}`)
      await main.getByText(sentence).waitFor()
      expect(await main.getByRole('heading', { level: 1 }).innerText()).toContain(title)
      expect(await main.locator('input, textarea, select, table, [role="tab"]').count(), part).toBe(0)
    }
    await expectUsable(page, [1280, 360])
    await page.goto(`/admin/surveys?project=${project}&lng=${language}`)
    await main.getByText(list).waitFor()
    // A link to a form for this project says the same as the project itself, instead of offering another department's.
    for (const form of ['new', 'import']) {
      await page.goto(`/admin/surveys/${form}?project=${project}&lng=${language}`)
      await main.getByText(whose).waitFor()
      expect(await main.locator('form, input, textarea, select').count(), form).toBe(0)
    }
    await page.goto(`/admin/hubs/${hub}?lng=${language}`)
    await main.getByText(OF_DEPARTMENT[language]).waitFor()
    expect(await main.innerText()).not.toMatch(whose)
  },
)
