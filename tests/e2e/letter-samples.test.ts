import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, POLL } from '#tests/factories/surveys.ts'
import { expectAccessible, expectAccessibleOnceScripted } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
beforeAll(async () => {
  site = await addSite(db.runtime)
})

/** Seven of twelve choose Thursday, each with a code. */
async function answerTwelve(surveyId: string, codes: readonly string[]) {
  const ctx = createCtx(db.runtime, site)
  for (const [at, invitation] of codes.slice(0, 12).entries())
    await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), {
      id: v7(),
      sendKey: 'k'.repeat(22),
      answers: { night: { choice: at < 7 ? 'thursday' : 'friday' } },
      invitation,
    })
}

test('codes are made for a random sample, which is corrected, and results say how far the shares may be from the whole list', async () => {
  const project = await addProject(db.runtime, site, { slug: `fern-${createId()}` })
  const survey = await addSurvey(db.runtime, site, {
    projectId: project.id,
    slug: 'nights',
    access: 'invited',
    resultsPublic: true,
    definition: POLL,
  })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token: admin.token, viewport: { width: 360, height: 900 } })
  await page.goto(`/admin/surveys/${survey.id}?part=settings`)
  await page.getByLabel('Number of codes').fill('20')
  await page.getByLabel('These letters went to a random sample').check()
  await page.getByLabel('People or addresses on the list').fill('19')
  await page.getByLabel('The list, in English').fill('Electoral register')
  await page.getByRole('button', { name: 'Create and download codes' }).click()
  await page.getByText('This must be 20 or more.').waitFor()
  await page.getByLabel('People or addresses on the list').fill('400')
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Create and download codes' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/).slice(1)
  const row = page.getByRole('row', { name: /^Codes/ })
  await row.getByText('20 of 400').waitFor()
  await row.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who the letters went to' })
  await dialog.getByLabel('Letters sent').fill('18')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('18 of 400').waitFor()
  expect(complaints.filter((complaint) => !/status of 422/.test(complaint))).toEqual([])

  await answerTwelve(
    survey.id,
    lines.map((line) => line.split(',')[0]?.replaceAll('"', '') ?? ''),
  )
  const { page: reader } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 900 } })
  for (const language of ['en', 'fr-CA', 'cy']) {
    await reader.goto(`/${language}/projects/${project.slug}/surveys/nights/results`)
    await expectAccessibleOnceScripted(reader)
    expect(await reader.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  }
  await reader.goto(`/en/projects/${project.slug}/surveys/nights/results`)
  await reader.getByText('18 of 400 on this list: Electoral register. Answers: 12, which is 67% of the letters.').waitFor()
  const shares = reader.getByRole('figure').filter({ hasText: 'Which night?' }).locator('.bar-chart-share')
  // Wilson: 7 of 12 is 31.95% to 80.67%, 5 of 12 is 19.33% to 68.05%.
  expect((await shares.allTextContents()).map((text) => text.trim())).toEqual(['58% (32%–81%)', '42% (19%–68%)'])
})
