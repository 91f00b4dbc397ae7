import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { officialResponses, replies } from '#app/server/db/schema/contributions.ts'
import { textTranslations } from '#app/server/db/schema/translations.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPage } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'
import { installTranslation, serveTranslation } from '#tests/support/translation-service.ts'

const { db, product } = useSharedProduct()
const server = await serveTranslation()
let added = 0

/** A contribution and a reply in French, on a site that has a service unless it must not. */
async function addTexts(charactersPerDay: number | null = 100_000) {
  const site = await addSite(db.runtime, { slug: `translated-${++added}`, languages: ['en', 'fr-CA', 'cy'] })
  const activity = await addActivity(db.runtime, site, {})
  const text = { language: 'fr-CA' as const, title: 'Un banc', body: 'Près de la rivière.' }
  const { id } = await addContribution(db.runtime, site, { activityId: activity.id, number: 1, ...text })
  const reply = createId()
  await db.database.site(site.id).tx((tx) =>
    tx.insert(replies).values({
      siteId: site.id,
      id: reply,
      contributionId: id,
      language: 'fr-CA',
      shownName: 'Rose',
      body: 'Bonne idée.',
      state: 'published',
      receiptHash: Buffer.from(reply),
    }),
  )
  if (charactersPerDay !== null) await installTranslation(db.runtime, site, server, { charactersPerDay })
  return { site, id, path: `/projects/${activity.projectSlug}/${activity.slug}/1` }
}
const countTranslations = async (site: Site) =>
  (await db.database.site(site.id).tx((tx) => tx.select().from(textTranslations).where(eq(textTranslations.siteId, site.id)))).length
const findFocused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
const findLang = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))

test('a text is translated in its place, with the keyboard, and the original comes back', async () => {
  const { site, path } = await addTexts()
  const { page, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto(path)
  expect(await findLang(page, 'Près de la rivière.')).toBe('fr-CA')
  await page.getByRole('button', { name: 'Translate this : No. 1' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '[EN-GB] Un banc' }).waitFor()
  await page.getByText('[EN-GB] Près de la rivière.').waitFor()
  expect(await findLang(page, '[EN-GB] Près de la rivière.')).toBe('en')
  await expect.poll(() => findFocused(page)).toContain('Translated by a machine (DeepL)')
  await page.getByRole('button', { name: 'Translate this : Rose' }).click()
  await page.getByText('[EN-GB] Bonne idée.').waitFor()
  expect(await page.getByText('Translated by a machine (DeepL)').count()).toBe(2)
  await expectAccessible(page)
  // The address shows the same to others.
  await page.reload()
  await page.getByText('[EN-GB] Bonne idée.').waitFor()
  await page.getByRole('link', { name: 'Show the original : No. 1' }).click()
  await page.getByRole('heading', { level: 1, name: 'Un banc', exact: true }).waitFor()
  await expect.poll(() => findFocused(page)).toContain('Translate this')
  await page.getByText('[EN-GB] Bonne idée.').waitFor()
  expect(await countTranslations(site)).toBe(2)
  expect(complaints).toEqual([])
})

test('without JavaScript the page comes back with the translation where it was asked for', async () => {
  const { site, path } = await addTexts()
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  await page.goto(`/cy${path}`, { waitUntil: 'load' })
  await page.getByRole('button', { name: 'Cyfieithu hwn : Rhif 1' }).click()
  await page.getByRole('heading', { level: 1, name: '[CY] Un banc' }).waitFor()
  await page.getByText('Cyfieithwyd gan beiriant (DeepL)').waitFor()
  expect(new URL(page.url()).hash).toMatch(/^#translation-/)
  await page.getByRole('button', { name: 'Cyfieithu hwn : Rose' }).click()
  await page.getByText('[CY] Bonne idée.').waitFor()
  await page.getByText('[CY] Près de la rivière.').waitFor()
  await page.getByRole('link', { name: 'Dangos y gwreiddiol : Rhif 1' }).click()
  await page.getByRole('heading', { level: 1, name: 'Un banc', exact: true }).waitFor()
  await page.getByText('[CY] Bonne idée.').waitFor()
})

test.each([true, false])(
  'what the day allows is used up: the reader is told beside the button (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { site, path } = await addTexts(10)
    const { page } = await product.visit(site, { javaScriptEnabled })
    await page.goto(path, javaScriptEnabled ? {} : { waitUntil: 'load' })
    await page.getByRole('button', { name: 'Translate this : No. 1' }).click()
    await page.getByText('No more texts can be translated today.').waitFor()
    await page.getByText('Près de la rivière.').waitFor()
    expect(await countTranslations(site)).toBe(0)
  },
)

test.each([true, false])(
  'what the team’s answer said before is translated where it stands, and shown in the other languages (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { site, path, id } = await addTexts()
    const at = (hour: number) => `2026-11-01T1${hour}:00:00.000Z`
    await db.database.site(site.id).tx((tx) =>
      tx.insert(officialResponses).values({
        siteId: site.id,
        id: createId(),
        contributionId: id,
        version: 1,
        text: inAllLanguages('In July.'),
        former: [
          { id: createId(), text: { 'fr-CA': 'En mai.' }, team: {}, at: at(1) },
          { id: createId(), text: { en: 'In June.', 'fr-CA': 'En juin.' }, team: { en: 'Parks' }, at: at(2) },
        ],
        editedAt: new Date(at(2)),
      }),
    )
    const { page, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 }, javaScriptEnabled })
    await page.goto(path, { waitUntil: 'load' })
    const answer = page.getByRole('region', { name: 'The team’s answer' }).or(page.locator('.official-answer'))
    await answer.getByText(/^Edited on /).click()
    await answer.getByText('In June.', { exact: true }).waitFor()
    await answer.getByText('Français', { exact: true }).click()
    await answer.getByText('En juin.', { exact: true }).waitFor()
    expect(await findLang(page, 'En juin.')).toBe('fr-CA')
    // One can be read in English already.
    await answer.getByRole('button', { name: /^Translate this/ }).click()
    await answer.getByText('[EN-GB] En mai.').waitFor()
    await answer.getByText('Translated by a machine (DeepL)').waitFor()
    expect(await countTranslations(site)).toBe(1)
    if (javaScriptEnabled) await expectAccessible(page)
    expect(complaints).toEqual([])
  },
)

test('a site without a service has no button', async () => {
  const { site, path } = await addTexts(null)
  const { page } = await product.visit(site)
  await page.goto(path)
  await page.getByText('Près de la rivière.').waitFor()
  expect(await page.getByRole('button', { name: 'Translate this' }).count()).toBe(0)
})

test('the team corrects a translation, and readers see whose it is', async () => {
  const { site, path, id } = await addTexts()
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const reader = await product.visit(site)
  await reader.page.goto(path)
  await reader.page.getByRole('button', { name: 'Translate this : No. 1' }).click()
  await reader.page.getByText('[EN-GB] Près de la rivière.').waitFor()
  const { page, complaints } = await product.visit(site, { token })
  await page.goto(`/admin/contributions/${id}`)
  const section = page.getByRole('region', { name: 'Translations that readers asked for' })
  await section.getByText('By a machine: DeepL').waitFor()
  await section.getByRole('button', { name: 'Correct' }).click()
  await section.getByLabel('Text', { exact: true }).fill('Near the river.')
  await section.getByLabel('Name of the team').fill('Parks')
  await expectAccessible(page)
  await section.getByRole('button', { name: 'Save the correction' }).click()
  // The form holds the same words until they are saved.
  await section.getByRole('button', { name: 'Save the correction' }).waitFor({ state: 'detached' })
  await section.getByText('Near the river.').waitFor()
  expect(complaints).toEqual([])
  await reader.page.reload()
  await reader.page.getByText('Translation corrected by Parks').waitFor()
  await reader.page.getByText('Near the river.').waitFor()
})

test('the language desk has a text translated, and says that a machine wrote it until somebody confirms', async () => {
  const { site } = await addTexts()
  await addPage(db.runtime, site, { slug: 'rules', title: { en: 'House rules' }, body: inAllLanguages('Be kind.'), publishedAt: null })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token })
  await page.goto('/admin/languages?to=cy&q=House%20rules')
  await page.getByRole('link', { name: /^House rules: Title/ }).click()
  const editor = page.getByRole('article', { name: 'House rules: Title' })
  await editor.getByRole('button', { name: 'Translate with DeepL' }).click()
  await editor.getByText('A machine wrote this. Check it before you save it.').waitFor()
  await expect.poll(() => editor.getByLabel('Cymraeg').inputValue()).toBe('[CY] House rules')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByText('DeepL wrote this translation, and nobody has confirmed it.').waitFor()
  await expectAccessible(page)
  await editor.getByRole('button', { name: 'Right, mark as done' }).click()
  await editor.getByText('Done', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})
