import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { inviteToSurvey } from '#app/features/surveys/responses/access/survey-invitations.server.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { type StoredItem } from '#app/lib/device-storage.ts'
import { STORED_ITEMS } from '#app/lib/stored-items.ts'
import { createCtx } from '#app/server/context.ts'
import { siteDomains, siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addAdmin, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const db = await createOwnDatabase()
const product = await db.start()
const measuring = await db.start({ SEGMENT_WRITE_KEY: 'write-key', SEGMENT_ENDPOINT: 'http://127.0.0.1:9' })
let site: Site
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'kept', consentRequired: true, languages: ['en', 'fr-CA', 'cy'] })
  await db.database.global.insert(siteDomains).values({ host: 'localhost', siteId: site.id })
  project = await addProject(db.runtime, site, { slug: 'fern' })
})

const ASKED: Definition = {
  schema: 1,
  pages: [{ id: 'p', questions: [{ id: 'name', type: 'short_text', title: inAllLanguages('Which street?') }] }],
}
const open = (slug: string, values: Parameters<typeof addSurvey>[2] = {}) =>
  addSurvey(db.runtime, site, { projectId: project.id, slug, definition: ASKED, ...values })
const address = (slug: string) => `/projects/fern/surveys/${slug}`

interface Kept {
  place: StoredItem['place']
  name: string
  /** Of a cookie: how long it stays from when it was set. */
  seconds?: number
}

const itemOf = ({ place, name }: Kept): StoredItem | undefined => {
  const items: readonly StoredItem[] = STORED_ITEMS
  return items.find((item) => item.place === place && (item.each ? name.startsWith(item.name) : item.name === name))
}

/** Watches what is kept from here on. @returns a check that all of it is on the list, and no cookie for longer than that says; tells which */
function watchStorage(page: Page): () => Promise<Set<string>> {
  const kept: Kept[] = []
  const notes: Promise<void>[] = []
  page.on('response', (answer) => {
    const note = async () => {
      for (const { name, value } of await answer.headersArray()) {
        if (name.toLowerCase() !== 'set-cookie') continue
        const seconds = /Max-Age=(\d+)/.exec(value)?.[1]
        if (seconds !== '0') kept.push({ place: 'cookie', name: value.split('=')[0] ?? '', seconds: Number(seconds ?? Infinity) })
      }
    }
    notes.push(note().catch(() => undefined))
  })
  return async () => {
    await Promise.all(notes)
    const found = await page.evaluate(async () => ({
      local: Object.keys(localStorage),
      session: Object.keys(sessionStorage),
      databases: (await indexedDB.databases()).map(({ name }) => name),
    }))
    expect(found.databases).toEqual([])
    for (const place of ['local', 'session'] as const) kept.push(...found[place].map((name) => ({ place, name })))
    kept.push(...(await page.context().cookies()).map(({ name }) => ({ place: 'cookie' as const, name })))
    expect(kept.filter((each) => !itemOf(each))).toEqual([])
    expect(kept.filter((each) => each.seconds !== undefined && each.seconds > (itemOf(each)?.seconds ?? 0))).toEqual([])
    return new Set(kept.map((each) => itemOf(each)?.id ?? ''))
  }
}

async function answer(page: Page, slug: string): Promise<void> {
  await page.goto(address(slug))
  const start = page.locator('.survey-start a')
  if (await start.isVisible()) await start.click()
  await page.getByLabel('Which street?').fill('Elm')
  const next = page.getByRole('button', { name: 'Continue' })
  if (await next.isVisible()) await next.click()
  const send = page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])')
  await send.click()
  // Without scripts, the first press sets the cookie of a survey that accepts one answer from each browser.
  const asked = page.getByText('Select “Send my answers” once more')
  await asked.or(page.locator('.receipt-code').first()).waitFor()
  if (await asked.isVisible()) await send.click()
  await page.waitForURL('**/receipt')
}

describe('what the product keeps on a device is what the page about cookies lists', () => {
  test.each([true, false])('for a visitor who reads and answers, with scripts: %s', async (javaScriptEnabled) => {
    const suffix = javaScriptEnabled ? 'scripts' : 'plain'
    await open(`open-${suffix}`)
    await open(`steps-${suffix}`, { variant: 'revised' })
    await open(`once-${suffix}`, { access: 'anyone_once' })
    const invited = await open(`invited-${suffix}`, { access: 'invited' })
    const viewer = await addAdmin(db.runtime, site, { roles: [{ role: 'site_admin' }] })
    const { told } = await inviteToSurvey(createCtx(db.runtime, site, { viewer }), invited.id, { kind: 'codes', count: 1 })
    const { page } = await product.visit(site, { javaScriptEnabled })
    const expectListed = watchStorage(page)
    for (const path of ['/', '/projects', '/projects/fern', '/fr-CA/search?q=fern', '/en/cookies', '/receipt']) await page.goto(path)
    await answer(page, `open-${suffix}`)
    await answer(page, `steps-${suffix}`)
    await answer(page, `once-${suffix}`)
    await page.goto(address(`invited-${suffix}`))
    await page.getByLabel('Code from your invitation').fill(told?.codes?.[0] ?? '')
    await page.getByRole('button', { name: 'Use this code' }).click()
    await page.getByLabel('Which street?').fill('Oak')
    await page.locator('form:has([name="sendKey"]) button[name="go"][value="later"]').click()
    await page.getByRole('heading', { name: 'Your answers are saved' }).waitFor()
    const ids = await expectListed()
    expect([...ids]).toEqual(expect.arrayContaining(['language', 'receipt', 'browser', 'invitation', 'draft']))
    if (javaScriptEnabled) expect([...ids]).toEqual(expect.arrayContaining(['answers', 'scroll']))
  })

  test('for a participant and an administrator at work', async () => {
    const places = {
      participant: ['/account', '/account/answers', '/projects'],
      site_admin: ['/admin', '/admin/homepage', '/admin/surveys'],
    }
    for (const [role, paths] of Object.entries(places)) {
      const { token } = await addPerson(db.runtime, site, role === 'site_admin' ? { role } : {})
      const { page } = await product.visit(site, { token })
      const expectListed = watchStorage(page)
      for (const path of paths) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
      }
      await expect.poll(async () => [...(await expectListed())]).toEqual(expect.arrayContaining(['token', 'api-token']))
    }
  })

  test.each([
    ['en', '365 days', '20 minutes'],
    ['fr-CA', '365 jours', '20 minutes'],
    ['cy', '365 diwrnod', '20 munud'],
  ])('each is on the page in %s, with its name and how long it stays', async (language, longest, shortest) => {
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto(`/${language}/cookies`)
    const text = await page.getByRole('main').innerText()
    for (const { name } of STORED_ITEMS) expect(text).toContain(name)
    expect(text).toContain(longest)
    expect(text).toContain(shortest)
  })
})

test('the mark by which a survey knows a browser again is set only where each may answer once', async () => {
  await open('anyone')
  await open('one-each', { access: 'anyone_once' })
  const { page, context } = await product.visit(site, { javaScriptEnabled: false })
  const names = async () => (await context.cookies()).map(({ name }) => name)
  await answer(page, 'anyone')
  expect(await names()).not.toContain('answers_browser')
  await answer(page, 'one-each')
  expect(await names()).toContain('answers_browser')
})

describe('consent', () => {
  test('is not asked where nothing needs it, and the page says that there is nothing', async () => {
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    await page.goto('/')
    expect(await page.locator('.consent').count()).toBe(0)
    await page.goto('/cookies')
    expect(await page.getByRole('main').innerText()).toContain('not use other companies’ services')
    expect(await page.getByRole('radio').count()).toBe(0)
  })

  test('is asked where visits are counted; the choice is kept for encrypted connections alone', async () => {
    const counted = await addSite(db.runtime, { slug: 'counted', consentRequired: true })
    await db.database
      .site(counted.id)
      .tx((tx) => tx.insert(siteFeatures).values({ siteId: counted.id, name: 'segment_analytics_participant', enabled: true }))
    const { page, context } = await measuring.visit(counted, { javaScriptEnabled: false })
    await page.goto('/cookies')
    expect(await page.getByRole('main').innerText()).toContain('Segment')
    await page.goto('/')
    await page.locator('.consent').getByRole('button', { name: 'Decline' }).click()
    expect((await context.cookies()).find(({ name }) => name === 'consent')).toMatchObject({ value: 'denied', secure: true })
    expect(await page.locator('.consent').count()).toBe(0)
  })

  test('is not asked where a service is configured but switched off', async () => {
    const { page } = await measuring.visit(await addSite(db.runtime, { slug: 'uncounted', consentRequired: true }), {
      javaScriptEnabled: false,
    })
    await page.goto('/')
    expect(await page.locator('.consent').count()).toBe(0)
  })
})

describe('what an anonymous survey promises stands before its first question and is true', () => {
  const promise = async (page: Page, slug: string) => {
    await page.goto(address(slug))
    const words = page.locator('.form-promise').first()
    const first = page.getByLabel('Which street?').first()
    if (await first.isVisible()) {
      expect((await words.boundingBox())?.y ?? Infinity).toBeLessThan((await first.boundingBox())?.y ?? 0)
    }
    return (await words.textContent()) ?? ''
  }

  test.each(['classic', 'revised'] as const)('of a survey that asks for nothing personal (%s)', async (variant) => {
    await open(`quiet-${variant}`, { anonymous: true, variant })
    const { page } = await product.visit(site, { javaScriptEnabled: false })
    expect(await promise(page, `quiet-${variant}`)).toContain('not store a name, address or account')
  })

  test.each(['classic', 'revised'] as const)('of a survey that asks for an email address and a name (%s)', async (variant) => {
    const [page] = ASKED.pages
    const asked: Definition = {
      schema: 1,
      pages: [
        {
          id: 'p',
          questions: [
            ...(page?.questions ?? []),
            { id: 'who', type: 'short_text', title: inAllLanguages('Your name'), personal: true },
            { id: 'mail', type: 'email', title: inAllLanguages('Your email') },
          ],
        },
      ],
    }
    await open(`asks-${variant}`, { anonymous: true, variant, definition: asked })
    const { page: visitor } = await product.visit(site, { javaScriptEnabled: false })
    const words = await promise(visitor, `asks-${variant}`)
    expect(words).not.toContain('no name')
    expect(words).toContain('your name and your email address')
  })
})
