import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { type DemoRole, openPage, signIn } from '#tests/support/browser.ts'

/** Records what the content policy keeps from a page and its frames. */
async function watchBreaches(page: Page): Promise<string[]> {
  const breaches: string[] = []
  await page.exposeFunction('reportBreach', (breach: string) => breaches.push(breach))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample, sourceFile }) => {
      const { reportBreach } = window.top as unknown as { reportBreach: (breach: string) => void }
      reportBreach(`${location.pathname}: ${effectiveDirective} ${blockedURI} ${sample} ${sourceFile}`)
    })
  })
  return breaches
}

/** Every page's own policy: no style element but the page's own. */
async function visit(page: Page, path: string): Promise<void> {
  const answer = await page.goto(path)
  const policy = answer?.headers()['content-security-policy'] ?? ''
  expect(
    policy.split('; ').find((directive) => directive.startsWith('style-src ')),
    path,
  ).toMatch(/^style-src 'self'( '(nonce|sha256)-[^ ']+')*$/)
  await page.waitForLoadState('networkidle')
}

const VISITED = [
  '/',
  '/projects',
  '/projects/riverfront',
  '/projects/riverfront/ideas',
  '/projects/riverfront/ideas/new',
  '/projects/riverfront/trees/new',
  '/projects/harbour-noise/surveys/your-nights/results',
  '/projects/school-crossings/surveys/your-corner',
  '/hubs/transportation',
  '/search?q=bus',
  '/data/new-trees',
  '/sign-in',
  '/nothing',
]
const ACCOUNT = ['/account', '/account/answers', '/projects/riverfront/ideas']
const ADMIN = [
  '/admin',
  '/admin/projects',
  '/admin/surveys',
  '/admin/homepage',
  '/admin/appearance',
  '/admin/media',
  '/admin/people',
  '/admin/campaigns',
  '/admin/reports',
  '/admin/embeds',
  '/admin/marketplace',
  '/admin/outbox',
]

const SIGNED_IN: [DemoRole, string[]][] = [
  ['participant', ACCOUNT],
  ['site.admin', ADMIN],
]

describe('the content policy keeps nothing from', () => {
  test.each(['/', '/en'])('pages of visitors, with or without a cookie, from %s on', async (start) => {
    const page = await openPage()
    const breaches = await watchBreaches(page)
    await visit(page, start)
    for (const path of VISITED) await visit(page, path)
    // From one page to the next without loading a document: the first one's policy still holds.
    await page.goto('/')
    for (const name of ['Projects', 'Departments']) {
      const link = page.getByRole('navigation').getByRole('link', { name, exact: true }).first()
      if (await link.count()) await link.click()
      await page.waitForLoadState('networkidle')
    }
    expect(breaches).toEqual([])
  })

  test.each(SIGNED_IN)('pages of a %s', async (role, paths) => {
    const page = await openPage()
    const breaches = await watchBreaches(page)
    await signIn(page, role)
    for (const path of paths) await visit(page, path)
    expect(breaches).toEqual([])
  })

  test('dialogs, menus and previews of the administration', async () => {
    const page = await openPage()
    const breaches = await watchBreaches(page)
    await signIn(page, 'site.admin')
    await visit(page, '/admin/homepage')
    await page.getByRole('button', { name: 'Add a block' }).first().click()
    await page.getByRole('dialog').first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await visit(page, '/admin/appearance')
    const frame = page.frameLocator('.preview-frame iframe')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    // The preview replaces the content of its style element.
    const code = page.getByLabel('Main colour: hex code')
    await code.fill('225577')
    await code.blur()
    await expect
      .poll(() => frame.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--site-primary').trim()))
      .toBe('#225577')
    expect(breaches).toEqual([])
  })
})
