import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { addEvidence } from '#app/features/heard/evidence.server.ts'
import { markAsRead } from '#app/features/heard/written-texts.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createCtx } from '#app/server/context.ts'
import { themes } from '#app/server/db/schema/heard.ts'
import { moderationSettings } from '#app/server/db/schema/moderation.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addStaff, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
let people: Record<'second' | 'colleague', Person>

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'coders', languages: ['en'] })
  people = {
    second: await addPerson(db.runtime, site, { role: 'site_admin', login: 'Nadia Roy' }),
    colleague: await addPerson(db.runtime, site, { role: 'site_admin', login: 'Bea Doyle' }),
  }
})

/** A project whose answers the first person has read; the first of them says "Shade". */
async function addRead(answers: readonly string[]) {
  const project = await addProject(db.runtime, site, { title: { en: 'A faster bus on Fern Street' } })
  const survey = await addSurvey(db.runtime, site, { projectId: project.id })
  const first = createCtx(db.runtime, site, {
    viewer: await addStaff(db.runtime, site, { roles: [{ role: 'site_admin' }], login: `First ${project.slug}` }),
  })
  const named = await Promise.all(
    ['Shade', 'Seats'].map(async (title, at) => {
      const id = v7()
      await first.db.tx((tx) =>
        tx.insert(themes).values({ siteId: site.id, id, projectId: project.id, title: { en: title }, position: at + 1 }),
      )
      return id
    }),
  )
  for (const [at, ideas] of answers.entries()) {
    const ctx = createCtx(db.runtime, site)
    const input = { id: v7(), sendKey: 'k'.repeat(22), answers: { name: 'Elm', ideas } }
    const { response } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), input)
    if (at === 0) await addEvidence(first, { theme: named[0] ?? '', source: 'response', sourceId: response.id, question: 'ideas' })
    await markAsRead(first, { project: project.id, source: `question:${survey.id}:ideas`, id: response.id })
  }
  return project
}

test('a second person draws a sample, sorts it by keys without seeing the first themes, and the two settle where they differ', async () => {
  const project = await addRead(['There is no shade at the stop.', 'Somewhere to sit, please.'])
  const { page, complaints } = await product.visit(site, { token: people.second.token })
  await page.goto(`/admin/projects/${project.id}/heard`)
  await page.getByRole('link', { name: 'Your ideas' }).click()
  await page.getByText('There is no shade at the stop.').waitFor()
  await page.getByRole('link', { name: 'Two people' }).click()
  await page.getByText('2 texts can be drawn for you').waitFor()
  await page.getByText('50 more are needed').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Draw a sample and begin' }).click()
  await page.getByText('You read as the second person').waitFor()
  await page.getByText('0 of 2 read').waitFor()
  const coded = page.locator('.coding-passages li')
  expect(await coded.count()).toBe(0)
  await page.keyboard.press('0')
  await page.getByText('Somewhere to sit, please.').first().waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('Marked: “Somewhere to sit, please.”').waitFor()
  await page.keyboard.press('2')
  await coded.filter({ hasText: 'Seats' }).waitFor()
  await expectAccessible(page)

  // After leaving, one goes on where one was, and the texts are not to be read elsewhere meanwhile.
  await page.getByRole('link', { name: 'One by one' }).click()
  await page.getByText('Nobody has written anything here').waitFor()
  await page.getByRole('link', { name: 'Two people' }).click()
  await page.getByRole('button', { name: 'Go on reading' }).click()
  await page.getByText('1 of 2 read').waitFor()
  await page.keyboard.press('0')
  await page.getByText('Somewhere to sit, please.').first().waitFor()
  await coded.filter({ hasText: 'Seats' }).waitFor()
  await page.keyboard.press('0')
  await page.getByText('2 of 2 read').waitFor()

  await page.getByRole('link', { name: 'Two people' }).click()
  await page.getByRole('heading', { name: 'Sorted differently' }).waitFor()
  await page.getByText('0 of 2 settled').waitFor()
  await page.getByRole('button', { name: 'It says this Seats' }).click()
  await page.getByText('1 of 2 settled').waitFor()
  await page.getByRole('button', { name: 'It does not Shade' }).click()
  await page.getByText('2 of 2 settled').waitFor()
  expect(await page.getByRole('button', { name: 'It does not Shade' }).getAttribute('aria-pressed')).toBe('true')
  await expectAccessible(page)
  await page.goto(`/admin/projects/${project.id}/heard`)
  const row = (theme: string) => page.getByRole('row', { name: theme })
  await expect.poll(() => row('Seats').innerText()).toMatch(/1/)
  await expect.poll(() => row('Shade').innerText()).toMatch(/0/)
  expect(complaints).toEqual([])
})

test('where the site wants it, a colleague sees what a report changes, returns it with a reason, and agrees later', async () => {
  const project = await addRead(['There is no shade at the stop.'])
  await db.database
    .site(site.id)
    .tx((tx) => tx.insert(moderationSettings).values({ siteId: site.id, reportsNeedAgreement: true }).onConflictDoNothing())
  const writer = (await product.visit(site, { token: people.second.token })).page
  const editor = `/admin/projects/${project.id}/heard/report`
  await writer.goto(editor)
  await writer.getByRole('heading', { level: 1, name: 'Report' }).waitFor()
  await writer.getByRole('button', { name: 'Add a block' }).first().click()
  await writer.getByRole('button', { name: /How we asked and read|Method/ }).click()
  const askForReview = async () => {
    await writer.getByRole('button', { name: 'Ask for review…' }).click()
    await writer.getByRole('alertdialog').getByRole('button', { name: 'Ask for review' }).click()
    await writer.getByText('Review requested').waitFor()
  }
  await askForReview()
  await writer.getByText('A colleague who may publish this project agrees to it').waitFor()

  const colleague = (await product.visit(site, { token: people.colleague.token })).page
  await colleague.goto(editor)
  await colleague.getByText('Nadia Roy asked for a review').waitFor()
  await colleague.getByText('No report of this project is public yet').waitFor()
  await expectAccessible(colleague, 'iframe')
  await colleague.getByRole('button', { name: 'Return with a reason…' }).click()
  const dialog = colleague.getByRole('alertdialog')
  await dialog.getByLabel('Reason').fill('Say how many read it.')
  await dialog.getByRole('button', { name: 'Return it' }).click()
  await colleague.getByText('Bea Doyle returned this report').waitFor()

  await writer.reload()
  await writer.getByText('Say how many read it.').waitFor()
  await askForReview()
  await colleague.reload()
  await colleague.getByText('Nadia Roy asked for a review').waitFor()
  await colleague.getByRole('button', { name: 'Publish', exact: false }).first().click()
  await colleague.getByRole('alertdialog').getByRole('button', { name: 'Publish now' }).click()
  await colleague.getByText('Published', { exact: true }).waitFor()
  const published = await colleague.goto(`/projects/${project.slug}/report`)
  expect(published?.status()).toBe(200)
  await colleague.getByRole('heading', { name: 'How we asked and read' }).waitFor()
})
