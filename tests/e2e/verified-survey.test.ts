import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createEligibilityList } from '#app/features/verifications/eligibility-lists.server.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { createCtx } from '#app/server/context.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount } from '#tests/support/accounts.ts'
import { expectAccessible, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
const site = await addSite(db.runtime, { slug: 'verified', languages: ['en', 'fr-CA', 'cy'] })
const project = await addProject(db.runtime, site, { slug: 'fern' })
const inSite = db.database.site(site.id)
const definition: Definition = {
  schema: 1,
  pages: [{ id: 'p1', questions: [{ id: 'name', type: 'short_text', title: inAllLanguages('What should we call it?') }] }],
}
const addList = async (name: string, ...numbers: string[]) => {
  const viewer = await addPerson(db.runtime, site, { roles: [{ role: 'site_admin' }] })
  return createEligibilityList(createCtx(db.runtime, site, { viewer }), {
    nameTranslations: inAllLanguages(name),
    level: 'resident',
    fields: ['card-number'],
    validUntil: new Date(Date.now() + 365 * 86_400_000),
    csv: ['card-number', ...numbers].join('\n'),
  })
}
const addVerifiedSurvey = (slug: string, list: string | null = null) =>
  addSurvey(db.runtime, site, { projectId: project.id, slug, definition, access: 'verified', verification: { level: 'resident', list } })

test('without JavaScript a resident shows that they may answer, answers once, and keeps what they wrote when the verification ends', async () => {
  const list = await addList('Library card', '4711')
  const { id } = await addVerifiedSurvey('panel', list)
  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fern/surveys/panel')
  await takePartBefore(page)
  await page.getByRole('heading', { level: 1, name: 'This survey is for people who are verified' }).waitFor()
  await page.getByRole('link', { name: 'Show that you may take part' }).click()
  await page.getByLabel('Card number').fill('4711')
  await page.getByRole('button', { name: 'Check' }).click()
  // What was accepted is confirmed.
  await page.getByText('You may take part').first().waitFor()
  await page.getByRole('link', { name: 'Go on' }).click()
  await page.waitForURL(/\/surveys\/panel$/)
  await page.getByLabel('What should we call it?').fill('Fern Street')
  const held = await inSite.tx((tx) => tx.delete(verifications).returning())
  const send = page.getByRole('button', { name: 'Send my answers' })
  await send.click()
  const way = page.getByRole('link', { name: 'Show that I may take part (opens in a new tab)' })
  expect(await way.getAttribute('target')).toBe('_blank')
  expect(new URL((await way.getAttribute('href')) ?? '', page.url()).searchParams.get('next')).toBe('/projects/fern/surveys/panel')
  expect(await page.getByLabel('What should we call it?').inputValue()).toBe('Fern Street')
  await inSite.tx((tx) => tx.insert(verifications).values(held))
  await send.click()
  await page.waitForURL(/receipt/)
  expect(await inSite.tx((tx) => tx.select({ userId: responses.userId }).from(responses).where(eq(responses.surveyId, id)))).toEqual([
    { userId: null },
  ])
  await page.goto('/projects/fern/surveys/panel')
  await page.getByRole('heading', { level: 1, name: 'You have already answered this survey' }).waitFor()

  // The same card in another browser is the same person.
  const other = await product.visit(site, { javaScriptEnabled: false })
  await other.page.goto('/verify?next=/projects/fern/surveys/panel')
  await takePartBefore(other.page)
  await other.page.getByLabel('Card number').fill('4711')
  await other.page.getByRole('button', { name: 'Check' }).click()
  await other.page.getByRole('link', { name: 'Go on' }).click()
  await other.page.getByRole('heading', { level: 1, name: 'You have already answered this survey' }).waitFor()
})

test.each(LANGUAGES)('a survey for verified people is accessible and fits a phone in %s', async (language) => {
  await addList(`Card ${language}`, '1')
  await addVerifiedSurvey(`jury-${language.toLowerCase()}`)
  const { page, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto(`${language === 'en' ? '' : `/${language}`}/projects/fern/surveys/jury-${language.toLowerCase()}`)
  await page.locator('a[href*="/verify?next="]').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect(complaints).toEqual([])
})

test('an administrator asks for verified people in the settings of a survey', async () => {
  const list = await addList('Electoral roll', '1')
  const { id } = await addSurvey(db.runtime, site, { projectId: project.id, slug: 'asked', definition })
  const admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(`/admin/surveys/${id}?part=settings`)
  await page.getByLabel('Who can answer').selectOption({ label: 'Verified people, once' })
  await page.getByLabel('By which list').selectOption({ label: 'Electoral roll' })
  await expectAccessible(page)
  await expect
    .poll(async () => (await inSite.tx((tx) => tx.select().from(surveys).where(eq(surveys.id, id))))[0])
    .toMatchObject({ access: 'verified', verification: { level: 'resident', list } })
  expect(complaints).toEqual([])
})
