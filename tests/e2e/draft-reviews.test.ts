import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { hubs } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, POLL } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
let projectId: string
let people: Record<'editor' | 'publisher', Person>

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'draft-reviews', languages: ['en'] })
  const hubId = createId()
  await db.runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title: { en: 'Roads' } }))
  projectId = (await addProject(db.runtime, site, { hubId, title: { en: 'Fern Street' } })).id
  people = {
    editor: await addPerson(db.runtime, site, { role: 'project_admin', projectId, login: 'Aled Rees' }),
    publisher: await addPerson(db.runtime, site, { role: 'hub_admin', hubId, login: 'Bea Roy' }),
  }
})

async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await target.focus()
  await page.keyboard.press(key)
}

const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function askForReview(page: Page): Promise<void> {
  await pressOn(page, findButton(page, 'Ask for review…'))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Ask for review', exact: true }))
  await page.getByText('Aled Rees asked for a review on').waitFor()
}

async function openFromBell(page: Page, words: string): Promise<void> {
  await page.goto('/admin')
  await pressOn(page, page.locator('.bell'))
  await pressOn(page, page.getByRole('link', { name: words }))
}

async function returnWithReason(page: Page, reason: string): Promise<void> {
  await pressOn(page, findButton(page, 'Return with a reason…'))
  await page.getByRole('textbox', { name: 'Reason' }).focus()
  await page.keyboard.type(reason)
  await pressOn(page, findButton(page, 'Return it'))
  await page.getByText('Bea Roy returned this on').waitFor()
}

test('by keys, an editor asks for a review of a survey, and a colleague sees what changed, returns it with a reason and then publishes it', async () => {
  const survey = await addSurvey(db.runtime, site, { projectId, title: { en: 'Night buses' }, definition: POLL })
  // Without room for the preview, which is a page within the page.
  const editor = await product.visit(site, { token: people.editor.token, viewport: { width: 1024, height: 800 } })
  const publisher = await product.visit(site, { token: people.publisher.token, viewport: { width: 360, height: 800 } })
  const addWords = async (words: string) => {
    await editor.page.locator('[id="title.en"]').focus()
    await editor.page.keyboard.press('End')
    await editor.page.keyboard.type(words)
  }
  await editor.page.goto(`/admin/surveys/${survey.id}`)
  await addWords(' Tell us')
  await askForReview(editor.page)
  await editor.page.getByText('A colleague who may publish it looks at it.').waitFor()
  expect(await findButton(editor.page, 'Ask for review…').count()).toBe(0)
  await expectAccessible(editor.page)

  await openFromBell(publisher.page, 'The survey “Night buses” is waiting for your review')
  await publisher.page.getByText('Publish the draft to approve it').waitFor()
  await pressOn(publisher.page, publisher.page.getByText('What it changes of what is public'))
  await publisher.page.locator('.differences').getByText('English: Which night? Tell us').waitFor()
  await expectAccessible(publisher.page)
  await returnWithReason(publisher.page, 'Tell us what?')

  await openFromBell(editor.page, 'The survey “Night buses”, which you sent for review, was returned to you')
  await editor.page.getByText('Tell us what?').waitFor()
  await addWords(' by Friday')
  await askForReview(editor.page)
  const saved = editor.page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.url().includes('/surveys/'))
  await addWords(', please')
  await saved

  await publisher.page.reload()
  await publisher.page.getByText('Aled Rees changed the draft after that').waitFor()
  await pressOn(publisher.page, findButton(publisher.page, 'Publish changes…'))
  await pressOn(publisher.page, findButton(publisher.page, 'Publish now'))
  await publisher.page.getByText('Aled Rees asked for a review on').waitFor({ state: 'detached' })
  await openFromBell(editor.page, 'The survey “Night buses”, which you sent for review, is published')
  await editor.page.locator('[id="title.en"]').waitFor()
  expect(await editor.page.getByText('asked for a review on').count()).toBe(0)
  expect([editor.complaints, publisher.complaints]).toEqual([[], []])
})

test('by keys, an editor asks for a review of an activity that is not public yet, and a colleague publishes it', async () => {
  const activity = await addActivity(db.runtime, site, { projectId, title: { en: 'Trees' }, intro: { en: 'Where?' }, status: 'draft' })
  const address = `/admin/projects/${projectId}/activities/${activity.id}`
  const editor = await product.visit(site, { token: people.editor.token, viewport: { width: 360, height: 800 } })
  const publisher = await product.visit(site, { token: people.publisher.token })
  await editor.page.goto(address)
  await askForReview(editor.page)
  await expectAccessible(editor.page)
  await openFromBell(publisher.page, 'The activity “Trees” is waiting for your review')
  await publisher.page.getByText('Nothing of this activity is public yet').waitFor()
  await expectAccessible(publisher.page)
  await pressOn(publisher.page, publisher.page.getByRole('button', { name: /^Publish Trees/ }))
  await publisher.page.getByText('Aled Rees asked for a review on').waitFor({ state: 'detached' })

  // Changes of it, which the colleague compares with what is public.
  await editor.page.goto(address)
  await editor.page.getByRole('textbox', { name: 'Title' }).focus()
  await editor.page.keyboard.press('End')
  await editor.page.keyboard.type(' and shade')
  await askForReview(editor.page)
  await publisher.page.goto(address)
  await pressOn(publisher.page, publisher.page.getByText('What it changes of what is public'))
  await publisher.page.locator('.differences').getByText('Trees and shade').waitFor()
  await expectAccessible(publisher.page)
  await returnWithReason(publisher.page, 'Shade is another project.')
  await openFromBell(editor.page, 'The activity “Trees”, which you sent for review, was returned to you')
  await editor.page.getByText('Shade is another project.').waitFor()
  expect([editor.complaints, publisher.complaints]).toEqual([[], []])
})
