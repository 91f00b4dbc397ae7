import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible, openPage, signIn } from '#tests/support/browser.ts'

const VIDEO = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ'
const BODY = `Watch it.\n\n![How the new bridge is built](${VIDEO})\n\nThen write to us.`

/** A published page whose text has a video. @returns its path */
async function publishPage(): Promise<string> {
  const admin = await openPage()
  await signIn(admin, 'site.admin')
  await admin.goto('/admin')
  const slug = `bridge-${Date.now()}`
  const token = (await admin.context().cookies()).find(({ name }) => name === 'token')?.value ?? ''
  await admin.evaluate(
    async ({ body, held, name }) => {
      const type = 'application/vnd.api+json'
      const titleTranslations = { en: 'The new bridge', 'fr-CA': 'Le nouveau pont' }
      const bodyTranslations = { en: body, 'fr-CA': body }
      const answer = await fetch('/api/v2/pages', {
        method: 'POST',
        headers: { accept: type, 'content-type': type, 'x-api-token': `Bearer ${held}` },
        body: JSON.stringify({
          data: {
            type: 'pages',
            attributes: { slug: name, kind: 'page', titleTranslations, bodyTranslations, publishedAt: new Date().toISOString() },
          },
        }),
      })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    },
    { body: BODY, held: token, name: slug },
  )
  return `/pages/${slug}`
}

/** Every request to another host, none of which leaves this machine. */
async function listenForOthers(page: Page): Promise<string[]> {
  const asked: string[] = []
  await page.route(/^https:/, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Player</title><p>Playing</p>' })
  })
  return asked
}

test('a video of a text plays in place once it is pressed, and nothing is asked of its host before', async () => {
  const path = await publishPage()
  for (const width of [360, 1280]) {
    const page = await openPage({ width, language: 'fr-CA' })
    const asked = await listenForOthers(page)
    await page.goto(`/fr-CA${path}`)
    const link = page.getByRole('link', { name: 'How the new bridge is built (YouTube)' })
    expect(await link.getAttribute('href')).toBe(VIDEO)
    await page.getByText('Si vous l’ouvrez, YouTube le saura.').waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    await expectAccessible(page)
    await link.focus()
    await page.keyboard.press('Enter')
    await page.frameLocator('iframe[title="How the new bridge is built"]').getByText('Playing').waitFor()
    expect(asked).toEqual(['https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0'])
    expect(new URL(page.url()).pathname).toBe(`/fr-CA${path}`)
    await expect.poll(() => page.evaluate(() => document.activeElement?.contains(document.querySelector('iframe')))).toBe(true)
  }
})

test('without JavaScript, the video is a link to its host', async () => {
  const page = await openPage({ javaScript: false })
  const asked = await listenForOthers(page)
  await page.goto(await publishPage())
  expect(asked).toEqual([])
  await page.getByRole('link', { name: 'How the new bridge is built (YouTube)' }).click()
  await page.waitForURL(VIDEO)
})

test('a document of a project is named with its kind, its pages and its size, in the words of each language', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/budget')
  expect(await page.locator('.document-facts').first().textContent()).toMatch(/^PDF, \d+ pages?, \d[\d.,]*\s[kM]B/)
  await page.goto('/fr-CA/projects/budget')
  expect(await page.locator('.document-facts').first().textContent()).toMatch(/^PDF, \d+ pages?, \d[\d\s,]*\s[kM]o/)
})
