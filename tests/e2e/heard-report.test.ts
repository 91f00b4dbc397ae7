import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { addEvidence } from '#app/features/heard/evidence.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createCtx } from '#app/server/context.ts'
import { themes } from '#app/server/db/schema/heard.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addStaff, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { expectAccessible, expectUsable } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
let admin: Person
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'reported', languages: ['en'] })
  admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  project = await addProject(db.runtime, site, { title: { en: 'A faster bus on Fern Street' } })
  const survey = await addSurvey(db.runtime, site, { projectId: project.id })
  const staff = createCtx(db.runtime, site, { viewer: await addStaff(db.runtime, site, { roles: [{ role: 'site_admin' }] }) })
  const theme = v7()
  await staff.db.tx((tx) =>
    tx.insert(themes).values({ siteId: site.id, id: theme, projectId: project.id, title: { en: 'Shade at stops' } }),
  )
  for (let at = 0; at < 12; at++) {
    const ctx = createCtx(db.runtime, site)
    const answers = { name: 'Elm', ideas: 'There is no shade at the stop.', mode: { choice: at % 2 === 0 ? 'bus' : 'foot' } }
    const input = { id: v7(), sendKey: 'k'.repeat(22), answers }
    const { response } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), input)
    await addEvidence(staff, { theme, source: 'response', sourceId: response.id, question: 'ideas', isQuoted: at === 0 })
  }
})

test('by keyboard alone an officer writes a report and publishes it; a visitor reads it without JavaScript, on a phone', async () => {
  const { page, complaints } = await product.visit(site, { token: admin.token })
  const preview = page.frameLocator('.preview-frame iframe')
  const press = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    await page.getByRole(role, { name }).first().focus()
    await page.keyboard.press('Enter')
  }
  const addBlock = async (name: RegExp, label: string) => {
    await press('Add a block')
    await press(name)
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe(label)
  }
  await page.goto(`/admin/projects/${project.id}/heard`)
  await page.getByText('No report published yet').waitFor()
  await press('Write the report', 'link')
  await page.getByRole('heading', { level: 1, name: 'Report' }).waitFor()

  await addBlock(/^Text Text with headings/, 'Text')
  await page.getByRole('textbox', { name: 'Text' }).last().focus()
  await page.keyboard.type('People want shade.')
  await preview.getByText('People want shade.').waitFor()

  await addBlock(/^Figure of a question/, 'Figure of a question')
  const question = page.getByRole('combobox', { name: 'Question' })
  await question.focus()
  await question.selectOption({ label: 'Fern Street: How do you travel?' })
  await preview.getByRole('cell', { name: '6 people' }).first().waitFor()

  await addBlock(/^Theme with quotes/, 'Theme with quotes')
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await theme.focus()
  await theme.selectOption({ label: 'Shade at stops' })
  await page.getByRole('checkbox', { name: 'There is no shade at the stop.' }).focus()
  await page.keyboard.press('Space')
  await preview.getByRole('blockquote').getByText('There is no shade at the stop.').waitFor()
  await expectAccessible(page, 'iframe')
  await page.getByText('Draft saved').waitFor()

  await press('Publish…')
  await page.getByText('Its figures stay as they are now.').waitFor()
  await press('Publish now')
  await page.getByText('Published', { exact: true }).first().waitFor()
  expect(complaints).toEqual([])

  const { page: reader } = await product.visit(site, { javaScriptEnabled: false })
  await reader.setViewportSize({ width: 360, height: 800 })
  await reader.goto(`/projects/${project.slug}`)
  await reader.getByRole('link', { name: 'What we heard: the report' }).click()
  await reader.getByRole('heading', { level: 1, name: 'What we heard' }).waitFor()
  await reader.getByText('It rests on 12 answers and contributions').waitFor()
  await reader.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Shade at stops' }).click()
  await reader.getByRole('heading', { name: 'Shade at stops' }).waitFor()
  await reader.getByRole('cell', { name: '6 people' }).first().waitFor()
  await reader.getByText('Suggestion, from 12 people.').waitFor()
  await reader.getByRole('blockquote').getByText('There is no shade at the stop.').waitFor()
  expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  const scripted = await product.visit(site)
  await scripted.page.goto(reader.url())
  await scripted.page.getByRole('heading', { level: 1, name: 'What we heard' }).waitFor()
  await expectUsable(scripted.page)
  expect(scripted.complaints).toEqual([])
})
