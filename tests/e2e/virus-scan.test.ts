import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { siteDomains } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { startClamd, VIRUS_MARK } from '#tests/support/clamd.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { createPicture } from '#tests/support/pictures.ts'

const clamd = await startClamd()
const db = await createOwnDatabase()
const product = await db.start({ CLAMD_ADDRESS: clamd.address })
let site: Site
let good: Buffer

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'scanned', languages: ['en', 'fr-CA', 'cy'] })
  await db.database.global.insert(siteDomains).values({ host: 'localhost', siteId: site.id })
  const project = await addProject(db.runtime, site, { slug: 'fern' })
  const definition: Definition = {
    schema: 1,
    pages: [
      {
        id: 'p',
        questions: [
          { id: 'shown', type: 'file', title: inAllLanguages('Show us'), kinds: ['picture'], maxFiles: 2, maxMegabytes: 1 },
          { id: 'name', type: 'short_text', title: inAllLanguages('Which street?') },
        ],
      },
    ],
  }
  await addSurvey(db.runtime, site, { projectId: project.id, slug: 'shown', definition })
  good = await createPicture(60, 40).jpeg().toBuffer()
  return () => clamd.stop()
})
beforeEach(() => {
  clamd.answer = undefined
})

const toPicture = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })
const bad = () => toPicture('bad.jpg', Buffer.concat([good, Buffer.from(VIRUS_MARK)]))

describe('a file with a virus', () => {
  test.each([
    ['en', 'This file contains a virus, so it was not stored. Choose another'],
    ['fr-CA', 'Ce fichier contient un virus et n’a donc pas été conservé. Choisissez-en un autre'],
    ['cy', 'Mae feirws yn y ffeil hon, felly ni chafodd ei chadw. Dewiswch un arall'],
  ])('is refused at its question without JavaScript, with everything else kept (%s)', async (language, sentence) => {
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(`/${language}/projects/fern/surveys/shown`)
    await page.getByLabel('Which street?').fill('Elm')
    await page.getByLabel('Show us').setInputFiles([bad(), toPicture('good.jpg', good)])
    await page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])').click()
    const [told] = await page.locator('.error-summary a').allTextContents()
    expect(told).toContain(sentence)
    expect(await page.getByLabel('Which street?').inputValue()).toBe('Elm')
    expect(await page.getByRole('checkbox', { name: 'good.jpg' }).isChecked()).toBe(true)
  })

  test('is refused as soon as it is chosen', async () => {
    const { page } = await product.visit(site)
    await page.goto('/projects/fern/surveys/shown')
    await expect.poll(() => page.locator('input[name="q.shown.kept"]').count()).toBe(1)
    await page.locator('input[type="file"]').setInputFiles([bad()])
    await expect.poll(() => page.locator('.field-error').allTextContents()).toEqual([expect.stringContaining('contains a virus')])
    await expectAccessible(page)
  })
})

test('while the scanner is away, people are told to try again and keep what they typed', async () => {
  clamd.answer = 'no'
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  await page.goto('/projects/fern/surveys/shown')
  await page.getByLabel('Which street?').fill('Elm')
  await page.getByLabel('Show us').setInputFiles([toPicture('good.jpg', good)])
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])').click()
  const response = await answered
  expect(response.status()).toBe(503)
  expect(Number(await response.headerValue('retry-after'))).toBeGreaterThan(0)
  expect(await page.getByRole('main').innerText()).toContain('Wait a moment, then select “Send my answers” again')
  expect(await page.getByLabel('Which street?').inputValue()).toBe('Elm')
  clamd.answer = undefined
  await page.getByLabel('Show us').setInputFiles([toPicture('good.jpg', good)])
  await page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])').click()
  await page.waitForURL('**/receipt')
})
