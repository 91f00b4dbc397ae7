import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright'

/** Methods that change a page or its context for good: what called one is closed, not used again. */
const LASTING = {
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'newCDPSession',
    'route',
    'setExtraHTTPHeaders',
    'setOffline',
  ],
  page: ['addInitScript', 'emulateMedia', 'exposeBinding', 'exposeFunction', 'route', 'setExtraHTTPHeaders'],
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
} as const
/** Events that tests listen to. */
const LISTENED = {
  context: ['console', 'page', 'request', 'requestfailed', 'requestfinished', 'response'],
  page: [
    'console',
    'dialog',
    'download',
    'framenavigated',
    'load',
    'pageerror',
    'popup',
    'request',
    'requestfailed',
    'requestfinished',
    'response',
  ],
} as const
const STORAGE = 'local_storage,indexeddb,service_workers,cache_storage,file_systems'
/** Every site has it, and nothing runs there. */
const QUIET_PATH = '/robots.txt'
const DEFAULT_SIZE = { width: 1280, height: 720 }
/** Factor by which the browser throttles each page's processor, such as 3: finds tests and forms that break on a slow device. */
const THROTTLE = Number(process.env['SLOW_PAGES'] || 1)
/** Each keeps a process of the browser. */
const MOST_IDLE = 3

interface Held {
  key: string
  context: BrowserContext
  page: Page
  session: CDPSession
  /** Addresses of the sites that the page has shown. */
  origins: Set<string>
  isChanged: boolean
}

const idle: Held[] = []
const sessions = new WeakMap<Page, CDPSession>()

/**
 * A page of a context that no other test uses at the same time. It is new, or as good as new: the context of an earlier test that asked for the
 * same one, without its cookies and what it stored. A process that has compiled the site's scripts needs half the time for the first page.
 * @param prepare called once for each new page
 * @returns `release` says that the test has ended
 */
export async function takePage(browser: Browser, options: BrowserContextOptions, prepare: (page: Page) => void) {
  const { viewport, ...rest } = options
  const key = JSON.stringify(rest)
  const at = idle.findIndex((held) => held.key === key && held.context.browser() === browser)
  const held = at < 0 ? await openHeld(browser, options, key, prepare) : idle.splice(at, 1)[0]
  if (!held) throw new Error('No page is idle')
  if (at >= 0) await held.page.setViewportSize(viewport ?? DEFAULT_SIZE)
  await throttle(held, THROTTLE)
  held.page.on('framenavigated', (frame) => {
    if (frame === held.page.mainFrame()) held.origins.add(new URL(frame.url()).origin)
  })
  const release = async (passed: boolean) => {
    if (!passed || held.isChanged || held.page.isClosed() || !(await removeTraces(held).catch(() => false))) return held.context.close()
    await throttle(held, 1)
    idle.push(held)
    if (idle.length > MOST_IDLE) await idle.shift()?.context.close()
  }
  return { context: held.context, page: held.page, release }
}

const throttle = async ({ session }: Held, rate: number): Promise<void> => {
  if (THROTTLE > 1) await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** For what looks into a page from outside: a session that does not count as a change of its context. */
export async function getDevToolsSession(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  return session
}

async function openHeld(browser: Browser, options: BrowserContextOptions, key: string, prepare: (page: Page) => void): Promise<Held> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const session = await getDevToolsSession(page)
  const held: Held = { key, context, page, session, origins: new Set(), isChanged: false }
  const note = () => {
    held.isChanged = true
  }
  noteCalls(context, LASTING.context, note)
  noteCalls(page, LASTING.page, note)
  noteCalls(context.clock, LASTING.clock, note)
  prepare(page)
  return held
}

/** @returns false if something of the test would remain */
async function removeTraces({ context, page, session, origins }: Held): Promise<boolean> {
  for (const event of LISTENED.page) page.removeAllListeners(event)
  for (const event of LISTENED.context) context.removeAllListeners(event)
  for (const other of context.pages()) if (other !== page) await other.close()
  const [origin, ...others] = [...origins].filter((each) => each !== 'null')
  if (!origin || others.length > 0) return false
  // Without leaving the site, which would end the process.
  await page.goto(origin + QUIET_PATH, { waitUntil: 'commit' })
  await session.send('Runtime.evaluate', { expression: `sessionStorage.clear(); window.name = ''` })
  await context.clearCookies()
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: STORAGE })
  await session.send('Page.resetNavigationHistory')
  return true
}

function noteCalls<T extends object>(target: T, names: readonly (keyof T & string)[], note: () => void): void {
  for (const name of names) {
    const real = target[name] as unknown as (...parts: unknown[]) => unknown
    Object.assign(target, {
      [name]: (...parts: unknown[]) => {
        note()
        return real.apply(target, parts)
      },
    })
  }
}
