import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { addReaction } from '#app/features/contributions/responding/reactions.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { expectAccessible, expectUsable, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const LANGUAGES = ['en', 'fr-CA', 'cy'] as const

describe('contributions that say the same', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  let moderator: { token: string }
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'merged', languages: [...LANGUAGES] })
    moderator = await addPerson(db.runtime, site, { role: 'site_admin' })
    await addAreas(db.runtime, site, [
      { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
      { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
    ])
  })
  let projects = 0
  const addPair = async () => {
    const project = await addProject(db.runtime, site, { slug: `quay-${(projects += 1)}` })
    const activity = await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas' })
    const author = await addPerson(db.runtime, site)
    const double = await addContribution(db.runtime, site, {
      activityId: activity.id,
      number: 1,
      title: 'Benches along the quay',
      authorId: author.id,
    })
    const target = await addContribution(db.runtime, site, { activityId: activity.id, number: 2, title: 'Somewhere to sit by the water' })
    for (const [contributionId, browserToken] of [
      [double.id, 'one-of-both'],
      [double.id, 'two-of-double'],
      [target.id, 'one-of-both'],
    ] as const)
      // prettier-ignore
      await addReaction(createCtx(db.runtime, site), { id: createId(), contributionId, browserToken: issueToken(db.runtime, site, browserToken) })
    return { path: `/projects/${project.slug}/ideas`, activity, author, double, target }
  }
  type Page = Awaited<ReturnType<typeof product.visit>>['page']
  const mergeInBrowser = async (page: Page, double: string) => {
    await page.goto(`/admin/contributions/${double}`)
    await page.getByLabel('Find the other one').fill('2')
    await page.getByRole('radio', { name: 'No. 2: Somewhere to sit by the water (1 supporter)' }).check()
    await page.getByLabel('Reason').fill('Both ask for seats at the quay')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('heading', { name: 'Merged into no. 2: Somewhere to sit by the water' }).waitFor()
  }

  test('are merged by a moderator, read and objected to without JavaScript, and undone', async () => {
    const { path, author, double } = await addPair()
    const { page, complaints } = await product.visit(site, moderator)
    await page.goto(`/admin/contributions/${double.id}`)
    // Words find it too; the contribution itself is not offered.
    await page.getByLabel('Find the other one').fill('sit')
    await page.getByRole('radio').first().waitFor()
    expect(await page.getByRole('radio').count()).toBe(1)
    await mergeInBrowser(page, double.id)
    await page.getByText('2 here and 1 there, 2 different people together').waitFor()

    const visitor = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    expect((await visitor.page.goto(`${path}/1`))?.status()).toBe(200)
    await visitor.page.getByText('Brought together with no. 2').waitFor()
    await visitor.page.getByText('Benches along the quay').first().waitFor()
    expect(await visitor.page.getByRole('button', { name: 'Support' }).count()).toBe(0)
    await visitor.page.getByRole('link', { name: /no\. 2: Somewhere to sit by the water/ }).click()
    expect(new URL(visitor.page.url()).pathname).toMatch(/\/ideas\/2$/)
    await visitor.page.getByText('2 supporters', { exact: true }).waitFor()
    await takePartBefore(visitor.page)
    await visitor.page.getByRole('button', { name: 'Support' }).click()
    await visitor.page.getByText('3 supporters', { exact: true }).waitFor()
    await visitor.page.goto(path)
    expect(await visitor.page.getByText('Benches along the quay').count()).toBe(0)

    const writer = await product.visit(site, { token: author.token, javaScriptEnabled: false })
    await writer.page.goto(`${path}/receipt?number=1`)
    await writer.page.locator('summary', { hasText: 'Say that it is not the same' }).click()
    await writer.page.getByRole('button', { name: 'Send my objection' }).click()
    await writer.page.getByRole('link', { name: 'Say why it is not the same' }).waitFor()
    await writer.page.getByLabel('Why is it not the same?').fill('Mine is about the quay, theirs is about the park.')
    await writer.page.getByRole('button', { name: 'Send my objection' }).click()
    await writer.page.getByText('We have your objection.').waitFor()
    expect(await writer.page.getByRole('button', { name: 'Send my objection' }).count()).toBe(0)

    await page.goto('/admin/moderation/waiting')
    await page.getByRole('heading', { name: 'Objections to merges' }).waitFor()
    await page.getByText('Mine is about the quay, theirs is about the park.').waitFor()
    await page.goto(`/admin/contributions/${double.id}`)
    await page.getByText('The author objects to the merge').waitFor()
    await page.getByLabel('Why do the two stay together?').fill('Both ask for the same bench.')
    await page.getByRole('button', { name: 'Keep them together and answer' }).click()
    await page.getByRole('heading', { name: 'Your team’s answer to the objection' }).waitFor()
    await writer.page.reload()
    await writer.page.getByRole('heading', { name: 'What the team answered' }).waitFor()
    await writer.page.getByText('Both ask for the same bench.').waitFor()
    await page.getByRole('button', { name: 'Undo the merge' }).click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    const confirm = dialog.getByRole('button', { name: 'Undo the merge' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('They are about different places')
    await expectAccessible(page)
    await confirm.click()
    await page.getByLabel('Find the other one').waitFor()

    await visitor.page.goto(`${path}/1`)
    await visitor.page.getByText('2 supporters', { exact: true }).waitFor()
    expect(await visitor.page.getByText('Brought together').count()).toBe(0)
    await visitor.page.goto(`${path}/2`)
    await visitor.page.getByText('2 supporters', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('are refused support and replies from a page that was open before, which says where to go', async () => {
    const { path, double } = await addPair()
    const visitor = await product.visit(site, { javaScriptEnabled: false })
    await visitor.page.goto(`${path}/1`)
    await takePartBefore(visitor.page)
    const { page } = await product.visit(site, moderator)
    await mergeInBrowser(page, double.id)
    await visitor.page.getByRole('button', { name: 'Support' }).click()
    await visitor.page.getByText('This was brought together with no. 2.').waitFor()
    await visitor.page.goto(`${path}/1/reply`)
    await visitor.page.getByText('Brought together with no. 2').waitFor()
    expect(await visitor.page.getByRole('button', { name: 'Send my reply' }).count()).toBe(0)
  })

  test('can be linked as related, and name each other', async () => {
    const { path, double } = await addPair()
    const { page } = await product.visit(site, moderator)
    await page.goto(`/admin/contributions/${double.id}`)
    await page.getByLabel('Find the other one').fill('2')
    await page.getByRole('radio').check()
    await page.getByRole('button', { name: 'Link as related only' }).click()
    await page.getByRole('heading', { name: 'Related contributions' }).waitFor()
    const visitor = await product.visit(site, { javaScriptEnabled: false })
    await visitor.page.goto(`${path}/2`)
    await takePartBefore(visitor.page)
    await visitor.page.getByRole('link', { name: 'No. 1: Benches along the quay' }).click()
    await visitor.page.getByRole('heading', { name: 'Related' }).waitFor()
    expect(new URL(visitor.page.url()).pathname).toMatch(/\/ideas\/1$/)
    await page.getByRole('button', { name: 'Remove the link to no. 2' }).click()
    await page.getByRole('heading', { name: 'Related contributions' }).waitFor({ state: 'hidden' })
  })

  test('their pages are accessible, on a phone and wide, each in one of the languages', async () => {
    const { path, activity, author, double } = await addPair()
    const places = await addActivity(db.runtime, site, { kind: 'places', projectId: (await addProject(db.runtime, site)).id })
    for (let number = 1; number <= 12; number++)
      await addContribution(db.runtime, site, {
        activityId: places.id,
        number,
        title: `Place ${number}`,
        supports: number,
        lng: number < 9 ? -74.755 : -74.655,
        lat: 45.0525,
        geometry: { type: 'Point', coordinates: [number < 9 ? -74.755 : -74.655, 45.0525] },
      })
    const other = await addContribution(db.runtime, site, { activityId: activity.id, number: 3, title: 'A third one' })
    await mergeInBrowser((await product.visit(site, moderator)).page, double.id)
    const viewport = { width: 360, height: 900 }
    const visitor = await product.visit(site, { viewport })
    const writer = await product.visit(site, { viewport, token: author.token })
    const admin = await product.visit(site, { viewport, ...moderator })
    for (const [who, language, address] of [
      [visitor, 'cy', `/cy${path}/1`],
      [writer, 'fr-CA', `/fr-CA${path}/receipt?number=1`],
      [admin, 'en', `/admin/contributions/${double.id}?lng=en`],
      [admin, 'cy', `/admin/contributions/${other.id}?lng=cy`],
      [admin, 'fr-CA', `/admin/contributions/activities/${places.id}?lng=fr-CA`],
    ] as const) {
      await who.page.goto(address)
      await who.page.locator('h1').waitFor()
      expect(await who.page.locator('html').getAttribute('lang')).toBe(language)
      if (who === writer) await who.page.locator('details.former > summary').first().click()
      if (address.includes(other.id)) {
        await who.page.locator('input[name="merge-search"]').fill('2')
        await who.page.getByRole('radio').check()
      }
      await expectUsable(who.page)
    }
    for (const { complaints } of [visitor, writer, admin]) expect(complaints).toEqual([])
  })

  test('are counted in the results of their activity, and downloaded', async () => {
    const { activity } = await addPair()
    const { page, complaints } = await product.visit(site, moderator)
    await page.goto(`/admin/projects/${activity.projectId}`)
    await page.getByRole('tab', { name: 'Activities' }).click()
    await page.getByRole('link', { name: 'Results and downloads' }).click()
    await page.getByRole('heading', { level: 1, name: 'Results' }).waitFor()
    await page.getByRole('link', { name: 'Benches along the quay' }).waitFor()
    await page.getByRole('button', { name: 'Download' }).click()
    await expect.poll(() => page.getByRole('menuitem', { name: 'GeoJSON' }).count()).toBe(0)
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'CSV', exact: true }).click()])
    const records = parse(await readFile(await file.path()), { bom: true, columns: true }) as Record<string, string>[]
    expect(records.map(({ number, title, supports }) => [number, title, supports])).toEqual([
      ['1', 'Benches along the quay', '2'],
      ['2', 'Somewhere to sit by the water', '1'],
    ])
    expect(complaints).toEqual([])
  })
})
