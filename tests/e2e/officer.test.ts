import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount, requireItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
let number = 0

async function addOfficer() {
  const site = await addSite(db.runtime, { slug: `officer-${++number}`, languages: ['en', 'fr-CA', 'cy'] })
  const admin = await addAccount(db.runtime, site, { role: 'site_admin', login: 'Bea Roy' })
  return { site, admin, ...(await product.visit(site, { token: admin.token })) }
}

test('an administrator sets how long personal data is kept, and reads the day that follows; a reload keeps the tab', async () => {
  const { site, page, complaints } = await addOfficer()
  const closesAt = new Date('2031-01-15T12:00:00Z')
  const project = await addProject(db.runtime, site, { title: inAllLanguages('Quay baths'), summary: inAllLanguages('x'), closesAt })
  await page.goto('/admin/settings')
  const choice = page.getByLabel('Keep it after a project closes for')
  await choice.selectOption({ label: '24 months' })
  await page.getByText('Saved', { exact: true }).waitFor()
  await expectAccessible(page)

  await page.goto('/admin/privacy')
  await page
    .getByRole('row', { name: /Quay baths/ })
    .getByText('15 January 2033')
    .waitFor()
  await page.getByRole('link', { name: 'Quay baths' }).click()
  await page.waitForURL('**#retention')
  await page.getByText(/Personal data will be removed on 15 January 2033/).waitFor()
  await page.reload()
  await page.getByText(/Personal data will be removed on 15 January 2033/).waitFor()
  await page.getByLabel('Keep it after this project closes for').selectOption({ label: '36 months' })
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page
    .getByText('Fill in this field')
    .first()
    .or(page.getByRole('textbox', { name: 'Reason' }).and(page.locator('[aria-invalid]')))
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Reason' }).fill('The ombudsman looks at it')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText(/Personal data will be removed on 15 January 2034/).waitFor()
  await expectAccessible(page)
  await page.goto(`/admin/projects/${project.id}?lng=cy#retention`)
  await page.getByText(/Caiff data personol ei ddileu ar 15 Ionawr 2034/).waitFor()
  await page.setViewportSize({ width: 360, height: 780 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  // The browser notes the refusal.
  expect(complaints.filter((line) => !/status of 422/.test(line))).toEqual([])
})

test('without scripts too, a file with personal data asks why, and the audit trail keeps it', async () => {
  const { site, admin } = await addOfficer()
  const { page } = await product.visit(site, { token: admin.token, javaScriptEnabled: false })
  await page.goto('/admin/people.csv?role=participant')
  await page.getByRole('heading', { level: 1, name: 'Why do you need this file?' }).waitFor()
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('link', { name: 'Give a reason, in up to 400 characters.' }).waitFor()
  await page.getByLabel('Reason').fill('The auditors ask for it')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
  expect(file.suggestedFilename()).toMatch(/^people-.*\.csv$/)
  const [kept] = await db.database.site(site.id).tx((tx) =>
    tx
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.action, 'users.export'))),
  )
  expect(kept?.detail).toMatchObject({ reason: 'The auditors ask for it', role: 'participant' })

  const scripted = await product.visit(site, { token: admin.token })
  await scripted.page.goto('/admin/audit')
  await scripted.page.getByRole('button', { name: 'Downloaded people’s data' }).click()
  await scripted.page.getByText('The auditors ask for it').waitFor()
})

test('a review names who asked and what would change, and is returned with a reason', async () => {
  const { site, page, complaints } = await addOfficer()
  const hub = await addHub(db.runtime, site)
  const project = await addProject(db.runtime, site, {
    hubId: hub.id,
    title: inAllLanguages('Old pier'),
    summary: inAllLanguages('By the sea'),
  })
  const asker = await addAccount(db.runtime, site, { role: 'project_admin', projectId: project.id, login: 'Aled Rees' })
  const api = createApiClient(db.runtime, site, asker.token)
  const content = {
    titleTranslations: inAllLanguages('New pier'),
    summaryTranslations: inAllLanguages('By the sea'),
    bodyTranslations: {},
    outcomeTranslations: {},
    pictureAltTranslations: {},
    picture: null,
    place: null,
    team: [],
    faqs: [],
    dates: [],
  }
  const to = { project: { type: 'projects', id: project.id } }
  const saved = await api.post('/project-revisions', buildResourceDocument('project-revisions', { content }, { to }))
  const revision = { revision: { type: 'project-revisions', id: requireItem(saved).id } }
  const publications = 'project-revision-publications'
  expect((await api.post(`/${publications}`, buildResourceDocument(publications, {}, { to: revision }))).status).toBe(201)

  await page.goto(`/admin/projects/${project.id}`)
  await page
    .getByRole('heading', { name: /^Aled Rees asked for a review on/ })
    .or(page.getByText(/^Aled Rees asked for a review on/))
    .first()
    .waitFor()
  await page.getByText('What it changes of what is public').click()
  await page.getByText('Old pier').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Return with a reason…' }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Return it to draft?' })
  await dialog.getByLabel('Reason').fill('Name the street.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Return it' }).press('Enter')
  await page
    .getByText(/^Bea Roy returned this on/)
    .first()
    .waitFor()

  const told = await product.visit(site, { token: asker.token })
  await told.page.goto(`/admin/projects/${project.id}`)
  await told.page.getByText('Name the street.').waitFor()
  await told.page.getByRole('button', { name: /^Notifications/ }).click()
  await told.page.getByRole('link', { name: '“Old pier”, which you sent for review, was returned to you' }).waitFor()
  expect(complaints).toEqual([])
})

test('a language chosen on a page is not the administration’s, which is the account’s', async () => {
  const { site, admin, page, complaints } = await addOfficer()
  await addSurvey(db.runtime, site)
  const readLanguage = () => page.evaluate(() => document.documentElement.lang)
  await page.goto('/cy')
  expect(await readLanguage()).toBe('cy')
  for (const path of ['/admin', '/admin/projects']) {
    await page.goto(path)
    await page.getByRole('link', { name: 'Projects', exact: true }).first().waitFor()
    expect(await readLanguage()).toBe('en')
  }
  await page.getByRole('link', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Projets' }).waitFor()
  const [account] = await db.database.site(site.id).tx((tx) => tx.select().from(users).where(eq(users.id, admin.id)))
  expect(account?.locale).toBe('fr-CA')
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1, name: 'Tableau de bord' }).waitFor()
  // The site stays as it was read.
  await page.goto('/projects')
  expect(await readLanguage()).toBe('cy')
  expect(complaints).toEqual([])
})
