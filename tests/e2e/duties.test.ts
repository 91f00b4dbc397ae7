import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

describe('the duties of a consultation', async () => {
  const db = await createOwnDatabase()
  const product = await db.start()
  let wales: Site
  let canada: Site
  beforeAll(async () => {
    wales = await addSite(db.runtime, { slug: 'duties-wales', languages: ['en'] })
    canada = await addSite(db.runtime, { slug: 'duties-canada', languages: ['en'] })
    await db.asOwner(`update sites set duties = 'gunning-welsh' where id = '${wales.id}'`)
  })
  const addDraft = (site: Site) =>
    addProject(db.runtime, site, { status: 'draft', publishedAt: null, title: { en: 'A later bus' }, summary: { en: 'Until eleven.' } })

  test('are recorded; what is missing asks for a reason before the project is published, and the reason stays', async () => {
    const { id, slug } = await addDraft(wales)
    await addSurvey(db.runtime, wales, {
      projectId: id,
      definition: {
        schema: 1,
        pages: [{ id: 'p', questions: [{ id: 'q', type: 'long_text', title: inAllLanguages('What effect would it have on Welsh?') }] }],
      },
    })
    const { token } = await addPerson(db.runtime, wales, { role: 'site_admin' })
    const { page, complaints } = await product.visit(wales, { token, viewport: { width: 360, height: 800 } })
    await page.goto(`/admin/projects/${id}`)
    await page.getByRole('tab', { name: 'Duties' }).click()
    await page.getByText('There is no closing date. The site’s minimum is 42 days.').waitFor()
    await page.getByLabel('What is open to change').fill('The timetable')
    await page.getByLabel('What is not open to change').fill('The budget')
    await page.getByLabel('Question about effects on the Welsh language').selectOption({ label: 'What effect would it have on Welsh?' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const first = page.locator('.duty-list > li').filter({ hasText: 'What is open to change' })
    await first.getByText('Met', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await dialog.getByText('Questions about the Welsh language').waitFor()
    expect(await dialog.getByText('What is open to change').count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await dialog.getByLabel('Reason for publishing all the same').fill('The contract ends in May.')
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Published with something missing' }).waitFor()
    await page.getByText('The contract ends in May.').waitFor()
    expect((await product.read(wales, `/projects/${slug}`)).status).toBe(200)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Duty file (HTML)' }).click()
    expect((await download).suggestedFilename()).toBe(`duties-${slug}.html`)
    // The refusal is the only complaint.
    expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
  })

  test('are nowhere to be seen on a site that keeps none', async () => {
    const { id } = await addDraft(canada)
    const { token } = await addPerson(db.runtime, canada, { role: 'site_admin' })
    const { page } = await product.visit(canada, { token })
    await page.goto(`/admin/projects/${id}`)
    await page.getByRole('tab', { name: 'Personal data' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Duties' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Published', { exact: true }).first().waitFor()
  })
})
