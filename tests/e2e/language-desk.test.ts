import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addPage } from '#tests/factories/content.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

test('a page is published only with what it lacks named; the desk writes it, and takes in what translators send', async () => {
  const { db, product } = useSharedProduct()
  const site = await addSite(db.runtime, { slug: 'desk' })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { id } = await addPage(db.runtime, site, {
    slug: 'rules',
    title: inAllLanguages('House rules'),
    body: { en: 'Be kind to each other.', 'fr-CA': 'Soyez aimables.' },
    publishedAt: null,
  })
  const { page } = await product.visit(site, { token: admin.token })

  // Publishing names what is missing, and asks.
  await page.goto(`/admin/pages/${id}`)
  await page.getByLabel('Visible to everyone').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Publish without these texts?' })
  const waiver = dialog.getByLabel('Text: publish without this language (Cymraeg)')
  await waiver.waitFor()
  await expectAccessible(page)
  expect(await dialog.getByRole('button', { name: 'Publish' }).isEnabled()).toBe(false)
  await waiver.check()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Published', { exact: true }).first().waitFor()

  // The desk lists it as missing in Welsh, and writes it.
  await page.goto('/admin/languages?to=cy')
  await page.getByRole('heading', { level: 1, name: 'Language desk' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^House rules: Text/ }).click()
  const editor = page.getByRole('article', { name: 'House rules: Text' })
  await editor.getByText('Be kind to each other.').waitFor()
  await expectAccessible(page)

  // For translators: downloaded, translated elsewhere, looked at, then written.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'For translators' })
      .click()
      .then(() => page.getByRole('menuitem', { name: /XLIFF/ }).click()),
  ])
  const sent = await readFile(await download.path(), 'utf8')
  expect(sent).toContain('<source xml:space="preserve">Be kind to each other.</source>')
  const file = join(tmpdir(), `translated-${id}.xlf`)
  await writeFile(file, sent.replace('each other.</source>', 'each other.</source><target>Byddwch yn garedig.</target>'))
  await page.getByRole('button', { name: 'Upload translations…' }).click()
  const upload = page.getByRole('dialog', { name: 'Upload translations' })
  await upload.locator('input[type=file]').setInputFiles(file)
  await upload.getByRole('button', { name: 'Show what would change' }).click()
  await upload.getByText('1 translation changes').waitFor()
  await upload.getByText('Byddwch yn garedig.').waitFor()
  await expectAccessible(page)
  await upload.getByRole('button', { name: 'Save 1 translation' }).click()
  await upload.getByText('What this file changed: Cymraeg').waitFor()
  await upload.getByRole('button', { name: 'Close' }).click()
  await page.goto('/cy/pages/rules')
  await page.getByText('Byddwch yn garedig.').waitFor()
})

test('several texts at once: one is chosen, then all that match, and both are asked about before', async () => {
  const { db, product } = useSharedProduct()
  const site = await addSite(db.runtime, { slug: 'bulk' })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  for (const name of ['Elm Park', 'Mill Lane', 'Quay'])
    await addPage(db.runtime, site, {
      slug: name.toLowerCase().replace(' ', '-'),
      title: { en: name, 'fr-CA': name },
      body: inAllLanguages('Body'),
    })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto('/admin/languages?to=cy&state=missing')
  await page.getByRole('heading', { level: 2, name: '3 missing texts' }).waitFor()
  // Without a service for translations, none is offered.
  expect(await page.getByRole('button', { name: /^Translate/ }).count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Select Mill Lane: Title' }).press('Space')
  await page.getByRole('button', { name: 'Keep 1 chosen text as in English' }).press('Enter')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('heading', { name: 'No translation needed for 1 text?' }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep as they are' }).press('Enter')
  await page.getByText('1 text saved.').waitFor()
  await page.getByRole('heading', { level: 2, name: '2 missing texts' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep all 2 texts as in English' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep as they are' }).click()
  await page.getByRole('link', { name: /^0 Missing/ }).waitFor()
  await page.goto('/cy/pages/mill-lane')
  await page.getByRole('heading', { level: 1, name: 'Mill Lane' }).waitFor()
  expect(complaints).toEqual([])
})
