import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { decideOnContribution } from '#app/features/contributions/moderation/decide.server.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible, takePartBefore, expectUsable } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const IDEAS = '/projects/quay/ideas'
const LANGUAGES = ['en', 'fr-CA', 'cy'] as const

describe('a moderator’s decision', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  let first: Person
  let second: Person
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'appealed', languages: [...LANGUAGES] })
    first = await addPerson(db.runtime, site, { role: 'site_admin' })
    second = await addPerson(db.runtime, site, { role: 'site_admin' })
    const project = await addProject(db.runtime, site, { slug: 'quay' })
    const activity = await addActivity(db.runtime, site, { projectId: project.id, slug: 'ideas', postAccess: 'anyone' })
    await addContribution(db.runtime, site, { activityId: activity.id, number: 1, title: 'Close the noisy terrace' })
  })
  const decline = async (title: string) => {
    const scoped = db.database.site(site.id)
    const [row] = (await scoped.tx((tx) => tx.select().from(contributions))).filter((one) => one.title === title)
    const viewer = await loadViewer({ db: scoped, database: db.database }, first.token, new Date())
    const reason = { rule: 'abuse', words: 'It insults the harbour master.' }
    await decideOnContribution(createCtx(db.runtime, site, { viewer }), row?.id ?? '', 'decline', reason)
  }
  const send = async (page: Page, title: string) => {
    await page.goto(`${IDEAS}/new`)
    await takePartBefore(page)
    await page.locator('[name=title]').fill(title)
    await page.locator('[name=body]').fill('The harbour master sleeps.')
    await page.locator('[name=shownAs][value=anonymous]').check()
    await page.locator('form.form .form-actions button').first().click()
    await page.getByText('It is not public yet.').waitFor()
  }
  const withoutJavaScript = { javaScriptEnabled: false, viewport: { width: 360, height: 800 } }

  test('follows a report that a reader sends without JavaScript and comes back to', async () => {
    const { page } = await product.visit(site, withoutJavaScript)
    await page.goto(`${IDEAS}/1`)
    await takePartBefore(page)
    await page.getByRole('link', { name: 'Report', exact: true }).click()
    await page.getByLabel('Anything that helps us to see it').fill('It is about one bar.')
    await page.getByRole('button', { name: 'Send the report' }).click()
    await page.getByRole('link', { name: 'Choose the rule that it breaks' }).waitFor()
    expect(await page.getByLabel('Anything that helps us to see it').inputValue()).toBe('It is about one bar.')
    await page.getByRole('radio', { name: 'Off topic' }).check()
    await page.getByRole('button', { name: 'Send the report' }).click()
    await page.getByText('We have your report').waitFor()
    expect((await page.goto(`${IDEAS}/1`))?.status()).toBe(200)

    const moderator = await product.visit(site, { token: first.token })
    await moderator.page.goto('/admin/moderation/waiting')
    const reported = moderator.page.locator('.moderated', { hasText: 'Close the noisy terrace' })
    await reported.getByRole('button', { name: /^Read the reports/ }).click()
    await reported.getByText('It is about one bar.').waitFor()
    await expectAccessible(moderator.page)
    await reported.getByRole('button', { name: /^Keep it on the site/ }).click()
    await moderator.page.getByText('It stays on the site').waitFor()
    await expect.poll(() => reported.getByRole('button', { name: /^Read the reports/ }).count()).toBe(0)
    expect(moderator.complaints).toEqual([])

    await page.goto(`${IDEAS}/1/report`)
    await page.getByText('The team read it and kept it on the site').waitFor()
    await page.getByRole('link', { name: 'See the decision and your appeal' }).click()
    await page.getByLabel('Why should the text not be on the site?').waitFor()
  })

  test('is appealed from the receipt, cannot be decided by who decided before, and is overturned by somebody else', async () => {
    const title = 'Dredge the basin'
    const { page } = await product.visit(site, withoutJavaScript)
    await send(page, title)
    const number = /No\. (\d+)/.exec((await page.locator('#own-heading').textContent()) ?? '')?.[1]
    await decline(title)
    await page.reload()
    await page.getByRole('link', { name: 'Appeal against this decision' }).click()
    await page.getByText('It insults the harbour master.').waitFor()
    await page.getByRole('button', { name: 'Send my appeal' }).click()
    await page.getByRole('link', { name: 'Say why the decision is wrong' }).waitFor()
    await page.getByLabel('Why should your text be on the site?').fill('He told me so himself.')
    await page.getByRole('button', { name: 'Send my appeal' }).click()
    await page.getByText('We have your appeal').waitFor()

    // Somebody else at the same address learns nothing but how to show that it is theirs.
    const stranger = await product.visit(site, withoutJavaScript)
    expect((await stranger.page.goto(`${IDEAS}/${number}`))?.status()).toBe(410)
    await stranger.page.getByRole('link', { name: /how to appeal/ }).click()
    await stranger.page.getByLabel('Your receipt').fill('ABCD-EFGH-JKLM-NPQR')
    await stranger.page.getByRole('button', { name: 'Show the decision' }).click()
    await stranger.page.getByRole('link', { name: /does not belong to this code/ }).waitFor()

    const one = await product.visit(site, { token: first.token })
    await one.page.goto('/admin/moderation/waiting')
    const refused = one.page.locator('section', { has: one.page.getByRole('heading', { name: 'Appeals' }) })
    await refused.getByText('Someone else has to decide the appeal.').waitFor()
    expect(await refused.getByRole('button').count()).toBe(0)

    const two = await product.visit(site, { token: second.token })
    await two.page.goto('/admin/moderation/waiting')
    const waiting = two.page.locator('.moderated', { hasText: 'He told me so himself.' })
    await waiting.getByRole('button', { name: /^Put it back on the site/ }).click()
    const dialog = two.page.getByRole('alertdialog').or(two.page.getByRole('dialog'))
    const confirm = dialog.getByRole('button', { name: 'Put it back on the site' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(/^Answer/).fill('He confirmed it.')
    await expectAccessible(two.page)
    await confirm.click()
    await two.page.getByText('The appeal is decided').waitFor()
    expect([...one.complaints, ...two.complaints]).toEqual([])

    await page.reload()
    await page.getByText('You were right: the decision was changed').waitFor()
    await page.getByText('He confirmed it.').waitFor()
    expect((await stranger.page.goto(`${IDEAS}/${number}`))?.status()).toBe(200)
    await stranger.page.getByText('The harbour master sleeps.').waitFor()
  })

  test('is reported and appealed on pages that everybody can use, in each language', async () => {
    const title = 'Light the slipway'
    const author = await product.visit(site, withoutJavaScript)
    await send(author.page, title)
    await decline(title)
    await author.page.reload()
    const appeal = await author.page.getByRole('link', { name: 'Appeal against this decision' }).getAttribute('href')
    const { page, complaints, context } = await product.visit(site)
    await context.addCookies(await author.context.cookies())
    for (const language of LANGUAGES) {
      for (const path of [`${IDEAS}/1/report`, appeal ?? '']) {
        await page.goto(`/${language}${path}`)
        expect(await page.locator('html').getAttribute('lang')).toBe(language)
        expect(await page.locator('form textarea').count()).toBe(1)
        await expectUsable(page)
      }
    }
    expect(complaints).toEqual([])
  })
})
