import type { Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Language, LANGUAGES } from '#app/lib/languages.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase, type Visitor } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const db = await createOwnDatabase()
const product = await db.start()
const site = await addSite(db.runtime, { slug: 'riverbend' })
const title = (language: Language, kind: 'not-found' | 'forbidden' | 'gone' | 'sign-in' | 'internal') =>
  getTranslator(language, 'common')(`error-page.${kind}.title`)

const hydrated = (page: Page) => page.waitForFunction(() => !('$_TSR' in window))
/** What the browser itself notes of an answer that is no success is none of ours. */
const defects = ({ complaints }: Visitor) => complaints.filter((text) => !text.startsWith('Failed to load resource'))

/** The page of a fault, once it has come to life. */
async function meetFault(visitor: Visitor, path: string): Promise<{ status?: number; heading: string | null; defects: string[] }> {
  const answer = await visitor.page.goto(path)
  await hydrated(visitor.page)
  // Administrators' pages are drawn by the browser, after it has come to life.
  const heading = await visitor.page.getByRole('heading', { level: 1 }).textContent()
  await expectAccessible(visitor.page)
  return { ...(answer ? { status: answer.status() } : {}), heading, defects: defects(visitor) }
}

describe('each fault has a page of its own in each language', () => {
  test('404', async () => {
    const visitor = await product.visit(site)
    for (const language of LANGUAGES)
      for (const path of ['projects/nothing', 'nothing/at/all'])
        expect(await meetFault(visitor, `/${language}/${path}`)).toEqual({
          status: 404,
          heading: title(language, 'not-found'),
          defects: [],
        })
  })

  test.each([360, 1280])('the search of a 404 does not touch what stands above and below it, at %i pixels', async (width) => {
    const visitor = await product.visit(site)
    await visitor.page.setViewportSize({ width, height: 900 })
    await meetFault(visitor, '/projects/nothing')
    const search = await visitor.page.getByRole('main').getByRole('search').boundingBox()
    const others = await visitor.page.getByRole('main').locator('p:visible, a:visible').all()
    const gaps = await Promise.all(
      others.map(async (other) => {
        const box = await other.boundingBox()
        return box && search ? Math.max(search.y - box.y - box.height, box.y - search.y - search.height) : 0
      }),
    )
    expect(gaps.length).toBeGreaterThan(1)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12)
  })

  test('403', async () => {
    const { token } = await addPerson(db.runtime, site)
    const visitor = await product.visit(site, { token })
    for (const language of LANGUAGES)
      expect(await meetFault(visitor, `/admin?lng=${language}`)).toEqual({
        status: 403,
        heading: title(language, 'forbidden'),
        defects: [],
      })
  })

  test('410', async () => {
    await addProject(db.runtime, site, { slug: 'gone', status: 'archived', visibility: 'hidden' })
    const visitor = await product.visit(site)
    for (const language of LANGUAGES)
      expect(await meetFault(visitor, `/${language}/projects/gone`)).toEqual({ status: 410, heading: title(language, 'gone'), defects: [] })
  })

  test.each(LANGUAGES)('401 in %s, where somebody was signed out meanwhile, leads to signing in and back', async (language) => {
    const { token } = await addPerson(db.runtime, site)
    const visitor = await product.visit(site, { token })
    await visitor.page.goto(`/${language}/account`)
    await hydrated(visitor.page)
    await visitor.context.clearCookies({ name: 'token' })
    await visitor.page.locator('a[href$="/account/devices"]').first().click()
    await visitor.page.getByRole('heading', { level: 1, name: title(language, 'sign-in') }).waitFor()
    await expectAccessible(visitor.page)
    expect(defects(visitor)).toEqual([])
    await visitor.page.locator('main a[href*="/sign-in"]').click()
    await visitor.page.locator('input[name=password]').waitFor()
    expect(new URL(visitor.page.url()).searchParams.get('next')).toMatch(/\/account\/devices$/)
  })

  test('500, without a word of what broke', async () => {
    await db.asOwner('alter table hubs rename to hubs_away')
    onTestFinished(() => db.asOwner('alter table hubs_away rename to hubs'))
    const visitor = await product.visit(site)
    for (const language of LANGUAGES) {
      const answer = await visitor.page.goto(`/${language}/hubs`)
      expect(answer?.status()).toBe(500)
      expect(await visitor.page.getByRole('heading', { level: 1 }).textContent()).toBe(title(language, 'internal'))
      expect(await visitor.page.content()).not.toMatch(/hubs_away|relation|select /)
      await expectAccessible(visitor.page)
    }
  })
})

test('a fault of a page that is reached within the product is shown in its place, and the way on works', async () => {
  const visitor = await product.visit(site)
  await visitor.page.goto('/projects')
  await hydrated(visitor.page)
  await db.asOwner('alter table hubs rename to hubs_away')
  onTestFinished(() => db.asOwner('alter table if exists hubs_away rename to hubs'))
  await visitor.page.locator('header a[href="/hubs"]').first().click()
  await visitor.page.locator('main .error-page').waitFor()
  expect(await visitor.page.locator('main').textContent()).not.toMatch(/hubs_away|relation/)
  await db.asOwner('alter table hubs_away rename to hubs')
  await visitor.page.locator('main a.button[href="/hubs"]').click()
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => visitor.page.locator('.error-page').count()).toBe(0)
})

test('an address of no site says so without a word of any, in the language of the browser', async () => {
  for (const [locale, said] of [
    ['en', 'There is no consultation site at this address'],
    ['fr-CA', 'aucun site de consultation'],
    ['cy', 'Does dim safle ymgynghori'],
  ] as const) {
    const visitor = await product.visit({ ...site, host: 'nowhere.localhost' }, { locale })
    expect((await visitor.page.goto('/'))?.status()).toBe(404)
    expect(await visitor.page.locator('body').textContent()).toContain(said)
    expect(await visitor.page.locator('body').textContent()).not.toContain('Riverbend')
    await expectAccessible(visitor.page)
  }
})
