import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { appendLedgers } from '#app/features/ledger/append-ledgers.server.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible, expectAccessibleOnceScripted, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()

test('an activity gets a ledger, a receipt proves what was sent without JavaScript, and a changed byte is named', async () => {
  const site = await addSite(db.runtime, { slug: `sent-${Date.now()}`, languages: ['en', 'fr-CA', 'cy'] })
  const project = await addProject(db.runtime, site, { slug: 'park' })
  const activity = await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas', moderation: 'after' })
  const officer = await addPerson(db.runtime, site, { role: 'site_admin' })
  const inSite = db.database.site(site.id)

  const { page: desk } = await product.visit(site, { token: officer.token })
  await desk.goto(`/admin/projects/${project.id}/activities/${activity.id}`)
  await desk.getByLabel('Keep a public ledger').check()
  await desk.getByText('1 change not published').waitFor()
  await desk.getByRole('button', { name: 'Publish changes…' }).click()
  await desk.getByRole('button', { name: 'Publish now' }).click()
  await desk.getByText('1 change not published').waitFor({ state: 'detached' })

  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 }, acceptDownloads: true })
  await page.goto('/projects/park/ideas')
  await takePartBefore(page)
  await page.getByRole('link', { name: 'Check what was sent' }).click()
  await page.getByText('Nothing has been sent yet').waitFor()
  await expectAccessibleOnceScripted(page)
  await page.goto('/projects/park/ideas/new')
  await page.getByLabel('Give your idea a title').fill('Benches')
  await page.getByLabel('What is your idea?').fill('By the river, please')
  await page.getByLabel('Anonymously').check()
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.getByText('It is added within an hour and a minute').waitFor()
  await expectAccessibleOnceScripted(page)

  // Its hour passes.
  await inSite.tx((tx) => tx.execute(sql`update activity_ledger_waiting set due_at = now() - interval '1 minute'`))
  await appendLedgers(db.runtime)
  await page.reload()
  await page.getByText('It is entry 1, the only one so far.').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download your proof' }).click()])
  const kept = await readFile(await download.path(), 'utf8')
  expect(download.suggestedFilename()).toBe('ideas-1-proof.txt')
  expect(kept).toContain('By the river, please')
  await page.getByText('Check it yourself').click()
  const [salt = '', leaf = ''] = await page.locator('[aria-labelledby=proof] dd code').allInnerTexts()
  expect(kept.startsWith(salt)).toBe(true)
  expect(createHash('sha256').update(kept).digest('hex')).toBe(leaf)
  await page.getByText('parley verify ideas-ledger.jsonl ideas-1-proof.txt').waitFor()
  await expectAccessibleOnceScripted(page)
  for (const language of LANGUAGES) {
    for (const path of ['receipt', 'ledger']) {
      await page.goto(`/${language}/projects/park/ideas/${path}`)
      await expectAccessibleOnceScripted(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
    }
  }

  const file = await product.read(site, '/projects/park/ideas/ledger.jsonl')
  expect(file.body).toContain(`"leaf":"${leaf}"`)
  const { page: reader, complaints } = await product.visit(site)
  await reader.goto('/projects/park/ideas/ledger')
  await reader.getByRole('button', { name: 'Check it in this browser' }).click()
  await reader.getByText('The ledger is whole').waitFor()
  await reader.getByText('Computed again in this browser: 1 entry').waitFor()
  await expectAccessible(reader)
  const changed = file.body.replace(leaf, `${leaf.slice(1)}${leaf.slice(0, 1)}`)
  await reader.route('**/ledger.jsonl', (route) => route.fulfill({ contentType: 'application/x-ndjson', body: changed }))
  await reader.getByRole('button', { name: 'Check again' }).click()
  await reader.getByText('entry 1 was changed. It does not give its hash.').waitFor()
  await reader.unroute('**/ledger.jsonl')

  // Withdrawn: a mark is added, the page grows, and the receipt says what is left.
  await page.goto('/en/projects/park/ideas/receipt')
  await page.locator('summary', { hasText: 'Withdraw your idea' }).click()
  await page.getByRole('button', { name: 'Withdraw your idea' }).click()
  await page.getByText('The entry stays in the ledger and is marked as withdrawn').waitFor()
  await inSite.tx((tx) => tx.execute(sql`update activity_ledger_waiting set due_at = now() - interval '1 minute'`))
  await appendLedgers(db.runtime)
  await reader.getByRole('button', { name: 'Check again' }).click()
  await reader.getByText('2 entries, of which 0 stand').waitFor()
  expect((await product.read(site, '/projects/park/ideas/ledger.jsonl')).body).toContain('"kind":"withdrawn","of":1')
  expect(complaints).toEqual([])
})
