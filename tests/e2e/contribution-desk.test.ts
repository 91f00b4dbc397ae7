import { beforeAll, describe, expect, test } from 'vitest'
import { contributions, officialResponses } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectUsable } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const DAY_MS = 86_400_000

describe('the list of contributions', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  let moderator: Person
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'listed', languages: ['en', 'fr-CA', 'cy'] })
    moderator = await addPerson(db.runtime, site, { role: 'site_admin' })
    const project = await addProject(db.runtime, site, { slug: 'quay' })
    const trees = await addActivity(db.runtime, site, { projectId: project.id, slug: 'trees' })
    const ideas = await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas' })
    const statusId = trees.statuses[0]?.id ?? null
    for (let number = 1; number <= 30; number += 1) {
      // An hour short of a whole day, so that nothing is on the border.
      const submittedAt = new Date(Date.now() - number * DAY_MS + DAY_MS / 24)
      await addContribution(db.runtime, site, {
        activityId: trees.id,
        number,
        title: `Willow ${number}`,
        state: 'held',
        statusId,
        submittedAt,
      })
    }
    await addContribution(db.runtime, site, { activityId: ideas.id, number: 1, title: 'A roof of leaves', body: 'Shade.' })
  })
  const statesOf = async () => {
    const rows = await db.database.site(site.id).tx((tx) => tx.select().from(contributions))
    return rows.map(({ state }) => state).toSorted()
  }

  test.each(['en', 'fr-CA', 'cy'])('is accessible and fits in %s', async (language) => {
    const { page, complaints } = await product.visit(site, { token: moderator.token })
    await page.goto(`/admin/contributions?waits=any&lng=${language}`)
    await page.locator('tbody a').first().waitFor()
    await expectUsable(page)
    await page.locator('tbody a').first().click()
    await page.locator('#public-facts').waitFor()
    await expectUsable(page)
    expect(complaints).toEqual([])
  })

  test('a moderator searches, filters, keeps a view, and steps through what it shows by keys', async () => {
    const { page, complaints } = await product.visit(site, { token: moderator.token })
    await page.goto('/admin/contributions')
    const titles = page.locator('tbody a')
    await page.getByText('31 contributions', { exact: true }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('leafs')
    await page.getByRole('button', { name: 'Find' }).click()
    await expect.poll(() => titles.allInnerTexts()).toEqual(['A roof of leaves'])
    await page.getByText('1 of 31 match', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Waiting longer than 7 days 23$/ }).click()
    await expect.poll(async () => (await titles.allInnerTexts()).slice(0, 2)).toEqual(['Willow 30', 'Willow 29'])
    await page.getByRole('button', { name: 'Save this view…' }).click()
    await page.getByLabel('Name of the view').fill('Late willows')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Late willows' }).waitFor()
    await titles.first().click()
    await page.getByRole('heading', { level: 1, name: /Willow 30/ }).waitFor()
    await page.getByText('1 of 23', { exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: /Willow 29/ }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: /Willow 28/ }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { level: 1, name: /Willow 29/ }).waitFor()
    await page.getByRole('link', { name: 'Contributions' }).last().click()
    await expect.poll(() => new URL(page.url()).searchParams.get('longer')).toBe('7')
    await page.getByRole('link', { name: 'Rules and word lists' }).click()
    await page.getByRole('heading', { name: 'Moderation rules' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('an answer to all that match is sent by itself; its page says without JavaScript how far it is, and what was refused', async () => {
    const place = await addSite(db.runtime, { slug: 'sent', languages: ['en'] })
    const officer = await addPerson(db.runtime, place, { role: 'site_admin' })
    const activity = await addActivity(db.runtime, place)
    const statusId = activity.statuses[0]?.id ?? null
    for (let number = 1; number <= 12; number += 1)
      await addContribution(db.runtime, place, {
        activityId: activity.id,
        number,
        title: `Alder ${number}`,
        ...(number > 1 && { statusId }),
      })
    const { page, complaints } = await product.visit(place, { token: officer.token })
    await page.goto('/admin/contributions')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Status or answer…' }).press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Give 12 texts a status or an answer?' })
    await dialog.getByLabel('Answer', { exact: true }).fill('In May.')
    await dialog.getByRole('button', { name: 'Publish', exact: true }).dblclick()
    await page.getByText('The answer is being sent: 12 texts. You can leave this page.').waitFor()
    await page.getByText('An answer was sent: 11 texts. Not sent: 1').waitFor()
    // It is still there after a reload.
    await page.reload()
    await page.getByText('An answer was sent: 11 texts. Not sent: 1').waitFor()
    await expectUsable(page)
    const href = (await page.getByRole('link', { name: 'See why some did not get it' }).getAttribute('href')) ?? ''
    const plain = await product.visit(place, { token: officer.token, javaScriptEnabled: false })
    await plain.page.goto(href)
    await plain.page.getByRole('heading', { level: 1, name: 'An answer to 12 contributions' }).waitFor()
    await plain.page.getByText('Finished. Sent: 11 of 12').waitFor()
    expect(await plain.page.getByRole('listitem').filter({ hasText: 'Alder 1' }).innerText()).toContain('it has no status yet')
    await page.goto(href)
    await page.getByRole('heading', { level: 1, name: 'An answer to 12 contributions' }).waitFor()
    await expectUsable(page)
    await page.goto('/admin/contributions')
    await plain.page.getByRole('button', { name: 'Remove from the list' }).click()
    await expect.poll(() => new URL(plain.page.url()).pathname).toMatch(/\/admin\/contributions$/)
    await page.reload()
    await page.getByText('12 contributions', { exact: true }).waitFor()
    expect(await page.getByText('An answer was sent').count()).toBe(0)
    const rows = await db.database.site(place.id).tx((tx) => tx.select().from(officialResponses))
    expect(rows).toHaveLength(11)
    expect(complaints).toEqual([])
  })

  test('all that match are assigned to a colleague', async () => {
    const { page, complaints } = await product.visit(site, { token: moderator.token })
    await page.goto('/admin/contributions?waits=decision')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Choose all 30 that match' }).click()
    await page.getByRole('button', { name: 'Assign…' }).press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Assign 30 texts?' })
    const confirm = dialog.getByRole('button', { name: 'Assign' })
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await dialog.getByLabel('To', { exact: true }).selectOption({ label: 'site_admin' })
    await confirm.press('Enter')
    await page.getByText('Assigned: 30 texts').waitFor()
    await page.getByRole('link', { name: /^Waiting for me 30$/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('all that match are counted, decided at once, and taken back', async () => {
    const { page, complaints } = await product.visit(site, { token: moderator.token })
    await page.goto('/admin/contributions?waits=decision')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Choose all 30 that match' }).click()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Publish 30 texts?' })
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Decided: 30 texts').waitFor()
    expect(await statesOf()).toEqual(Array.from({ length: 31 }, () => 'published'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await statesOf()).filter((state) => state === 'held').length).toBe(30)
    expect(complaints).toEqual([])
  })
})
