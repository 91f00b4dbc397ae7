import type { Page, Request } from 'playwright'
import { describe, expect, test } from 'vitest'
import { type DemoRole, openPage, signIn } from '#tests/support/browser.ts'
import { findHiddenFocus } from '#tests/support/focus.ts'

/** How a place is reached from the address before it. */
type Step = (page: Page) => Promise<unknown>

const pressing =
  (name: string): Step =>
  async (page) => {
    await page.getByRole('button', { name }).first().click()
    await page.locator('[role="dialog"], [role="alertdialog"]').first().waitFor()
  }

const findingAnything: Step = async (page) => {
  // The page handles keys only once the browser has rendered it.
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
}

const VISITORS: [string, ...Step[]][] = [
  ['/'],
  ['/projects'],
  ['/projects/fern-street'],
  ['/projects/harbour-noise/surveys/your-nights/results'],
  ['/projects/school-crossings/surveys/your-corner'],
  ['/projects/winter-sidewalks/surveys/who-goes-first'],
  ['/projects/riverfront/surveys/walk-with-us'],
  ['/projects/riverfront/ideas'],
  ['/projects/riverfront/ideas/new'],
  ['/projects/riverfront/trees'],
  ['/projects/riverfront/trees/new'],
  ['/moderation'],
  ['/hubs'],
  ['/hubs/transportation'],
  ['/search?q=bus'],
  ['/pages/privacy'],
  ['/cookies'],
  ['/data'],
  ['/data/new-trees'],
  ['/receipt'],
  ['/sign-in'],
  ['/register'],
  ['/forgot-password'],
  ['/nothing'],
]
const PARTICIPANTS: [string, ...Step[]][] = [
  ['/account'],
  ['/account/answers'],
  ['/account/follows'],
  ['/account/devices'],
  ['/account/phone'],
  ['/account/area'],
]
const SITE_ADMINS: [string, ...Step[]][] = [
  ['/admin'],
  ['/admin', findingAnything],
  ['/admin/projects'],
  ['/admin/surveys'],
  ['/admin/homepage'],
  ['/admin/homepage', pressing('Add a block')],
  ['/admin/homepage', pressing('History')],
  ['/admin/homepage', pressing('Publish…')],
  ['/admin/appearance'],
  ['/admin/hubs', pressing('New department')],
  ['/admin/media'],
  ['/admin/people'],
  ['/admin/campaigns'],
  ['/admin/audit'],
  ['/admin/reports'],
  ['/admin/embeds'],
  ['/admin/marketplace'],
  ['/admin/outbox'],
  ['/admin/contributions'],
]
const opening =
  (name: string): Step =>
  async (page) => {
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
const EDITORS: [string, ...Step[]][] = [
  ['/admin/projects', opening('A faster bus on Fern Street')],
  ['/admin/surveys', opening('Who goes first?')],
]
const PLATFORM_ADMINS: [string, ...Step[]][] = [['/admin/sites'], ['/admin/features'], ['/admin/health']]

/** How long nothing is requested once a page has everything. */
const QUIET_MS = 100

/** @returns waits until the page has requested nothing for a while; `networkidle` takes half a second, more than many a walk */
function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  let changedAt = 0
  const note = (change: (request: Request) => unknown) => (request: Request) => {
    change(request)
    changedAt = Date.now()
  }
  page.on(
    'request',
    note((request) => pending.add(request)),
  )
  page.on(
    'requestfinished',
    note((request) => pending.delete(request)),
  )
  page.on(
    'requestfailed',
    note((request) => pending.delete(request)),
  )
  return async () => {
    changedAt = Date.now()
    await expect.poll(() => pending.size === 0 && Date.now() - changedAt >= QUIET_MS, { interval: 20 }).toBe(true)
  }
}

/** A wide screen and a phone. */
const WIDTHS = [1280, 360]

/**
 * Opens each place at one of the widths in turn, and looks for stops where the focus cannot be seen. What places share is looked at once for
 * each width: most kinds of stops are on several places, so they are seen at both.
 */
async function lookAt(places: [string, ...Step[]][], role?: DemoRole): Promise<string[]> {
  const faults: string[] = []
  for (const [first, width] of WIDTHS.entries()) {
    const page = await openPage({ width })
    const settle = watchRequests(page)
    if (role) await signIn(page, role)
    const seen = new Set<string>()
    const own = places.filter((_, at) => at % WIDTHS.length === first)
    for (const [path, ...steps] of own) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await settle()
      for (const step of steps) {
        await step(page)
        await settle()
      }
      // What waits until it is on the screen, or for the first sign of use, moves what stands below it when it comes.
      await page.setViewportSize({ width, height: await page.evaluate(() => Math.max(900, document.documentElement.scrollHeight)) })
      await page.keyboard.press('Shift')
      await settle()
      for (const fault of await findHiddenFocus(page, seen)) faults.push(`${path} at ${width}: ${fault}`)
    }
    // A page whose stops were never reached would pass unseen.
    expect(seen.size).toBeGreaterThan(own.length)
  }
  return faults
}

describe('whoever moves by Tab sees where they are', () => {
  test('as a visitor', async () => {
    expect(await lookAt(VISITORS)).toEqual([])
  })
  test('as a participant', async () => {
    expect(await lookAt(PARTICIPANTS, 'participant')).toEqual([])
  })
  test('as a site administrator, in dialogs too', async () => {
    expect(await lookAt(SITE_ADMINS, 'site.admin')).toEqual([])
  })
  test('in the editors of a project and of a survey', async () => {
    expect(await lookAt(EDITORS, 'site.admin')).toEqual([])
  })
  test('as a platform administrator', async () => {
    expect(await lookAt(PLATFORM_ADMINS, 'platform')).toEqual([])
  })
})
