import { expect, onTestFinished, test } from 'vitest'
import { createSampleParticipant, type SignedInViewer } from '../server/auth/viewer.ts'
import type { Ctx } from '../server/context.ts'
import { MemoryBudget } from '../server/memory/memory-budget.ts'
import { type PageAudience, readPersonal, readRoleHolder, type SharedRendering } from '../server/shared-rendering.ts'
import { isPlainAdministrator, isPlainParticipant, ReaderPages } from './reader-pages.ts'
import type { RenderedPage } from './page-store.ts'

const SITE = crypto.randomUUID()
/** Whether each person follows the project of the page. */
const following = new Map<string, boolean>()
/** Whether the site's content is, in the database, what this process last knew. */
let isCurrent = true

function createReader(login: string, isFollowing = false, roles: SignedInViewer['roles'] = []): Ctx {
  const viewer: SignedInViewer = {
    ...createSampleParticipant(),
    roles,
    id: crypto.randomUUID(),
    siteId: SITE,
    login,
    email: `${login.length}@example.org`,
  }
  following.set(viewer.id, isFollowing)
  const db = { readOnce: () => Promise.resolve(isCurrent) }
  return { viewer, db, site: { id: SITE, contentVersion: 1 }, now: () => new Date() } as unknown as Ctx
}

interface PageOptions {
  asksElsewhere?: boolean
  readsElsewhere?: boolean
  readsField?: keyof SignedInViewer | 'all'
  /** Asks what the roles allow, of what is published. */
  asksRoleHolder?: boolean
  audience?: PageAudience
  now?: () => number
}

/** A page that shows its reader's name, in its text and in its script, and whether they follow. */
function createPages(options: PageOptions = {}) {
  const pages = new ReaderPages({
    budget: new MemoryBudget(1_000_000),
    ttlMs: 60_000,
    ...(options.now ? { now: options.now } : {}),
  })
  let renderings = 0
  let reads = 0
  const render = async (rendering: SharedRendering): Promise<RenderedPage> => {
    renderings += 1
    const db = rendering.guardDb({ read: () => Promise.resolve() } as unknown as Ctx['db'])
    const ctx = { viewer: rendering.viewer, db, sharedRendering: rendering } as unknown as Ctx
    const follows = await readPersonal(ctx, ['follows'], async ({ viewer }) => {
      reads += 1
      return viewer.kind === 'user' && following.get(viewer.id)
    })
    if (options.readsElsewhere) await ctx.db.read(() => Promise.resolve())
    const seen = rendering.viewer as SignedInViewer
    if (options.readsField === 'all') JSON.stringify(seen)
    else if (options.readsField) JSON.stringify(seen[options.readsField])
    if (options.asksRoleHolder) JSON.stringify((readRoleHolder(ctx) as SignedInViewer).roles)
    if (options.asksElsewhere) following.get(seen.id)
    const { login, nonce } = rendering.placeholders
    const body = `<script nonce="${nonce}">state={name:"${login}"}</script><p title="${login}">${login} ${follows ? 'follows' : 'does not follow'}</p>`
    const headers = { 'content-type': 'text/html', 'content-security-policy': `script-src 'nonce-${nonce}'` }
    return { status: 200, headers, body: Buffer.from(body), shareable: true }
  }
  const open = (reader: Ctx, key = 'page') => pages.obtain(key, reader, 'token', render, options.audience)
  return { open, countRenderings: () => renderings, countReads: () => reads }
}

const readBody = (page: RenderedPage | undefined) => page?.body.toString().replace(/nonce="[^"]+"/, '')

test('participants to whom a page looks the same share one rendering, each with their own name', async () => {
  const { open, countRenderings } = createPages()
  expect(readBody(await open(createReader('Ann')))).toBe('<script >state={name:"Ann"}</script><p title="Ann">Ann does not follow</p>')
  expect(readBody(await open(createReader('Bet')))).toBe('<script >state={name:"Bet"}</script><p title="Bet">Bet does not follow</p>')
  expect(countRenderings()).toBe(1)
})

test('those to whom it looks different get another', async () => {
  const { open, countRenderings } = createPages()
  const [ann, bet, cai] = [createReader('Ann'), createReader('Bet', true), createReader('Cai', true)]
  const seen = [await open(ann), await open(bet), await open(cai), await open(ann)].map((page) => /<p.*/.exec(readBody(page) ?? '')?.[0])
  expect(seen).toEqual([
    '<p title="Ann">Ann does not follow</p>',
    '<p title="Bet">Bet follows</p>',
    '<p title="Cai">Cai follows</p>',
    '<p title="Ann">Ann does not follow</p>',
  ])
  expect(countRenderings()).toBe(2)
})

test('a name can neither end an element nor a script', async () => {
  const { open } = createPages()
  const name = '</script><b>"O’Hara" & \'co\'\u2028\\'
  await open(createReader('Ann'))
  const body = readBody(await open(createReader(name)))
  expect(body).toBe(
    String.raw`<script >state={name:"\x3C/script>\x3Cb>\"O’Hara\" & 'co'\u2028\\"}</script>` +
      '<p title="&lt;/script&gt;&lt;b&gt;&quot;O’Hara&quot; &amp; &#39;co&#39;\u2028\\">&lt;/script&gt;&lt;b&gt;&quot;O’Hara&quot; &amp; &#39;co&#39;\u2028\\ does not follow</p>',
  )
})

test('every answer has a nonce of its own, in its page and in its policy', async () => {
  const { open } = createPages()
  const answers = [await open(createReader('Ann')), await open(createReader('Ann'))]
  const nonces = answers.map((page) => /nonce="([^"]{20,})"/.exec(page?.body.toString() ?? '')?.[1])
  expect(new Set(nonces).size).toBe(2)
  expect(answers.map((page) => page?.headers['content-security-policy'])).toEqual(nonces.map((nonce) => `script-src 'nonce-${nonce}'`))
})

test('a page that asks who reads it in any other way is rendered for each reader', async () => {
  const { open, countRenderings } = createPages({ asksElsewhere: true })
  expect(await open(createReader('Ann'))).toBeUndefined()
  expect(await open(createReader('Bet'))).toBeUndefined()
  expect(countRenderings()).toBe(1)
})

/** Whether a page may show each fact about its reader without saying so. Those that it may are the same for all who share the page. */
const IS_SHARED: Record<keyof SignedInViewer, boolean> = {
  kind: true,
  siteId: true,
  type: true,
  roles: true,
  roleName: true,
  memberOf: true,
  // Nobody shares a page who differs in these.
  owesSecondStep: true,
  prolonged: true,
  apiToken: true,
  supportGranted: true,
  id: false,
  sessionId: false,
  email: false,
  login: false,
  locale: false,
  confirmed: false,
  lastSeenAt: false,
  confirmedAt: false,
  passwordAt: false,
  hasSecondStep: false,
}

test.each(Object.entries(IS_SHARED) as [keyof SignedInViewer, boolean][])(
  'a page that shows the %s of its reader by itself may be shared: %s',
  async (field, isShared) => {
    const { open, countRenderings } = createPages({ readsField: field })
    const answers = [await open(createReader('Ann')), await open(createReader('Bet'))]
    expect(answers.every((page) => page !== undefined)).toBe(isShared)
    expect(countRenderings()).toBe(1)
  },
)

test('a page that copies all it knows of its reader is rendered for each reader', async () => {
  const { open } = createPages({ readsField: 'all' })
  expect(await open(createReader('Ann'))).toBeUndefined()
})

test('what a page reads of its reader is read once for each of them, whether it has to be rendered or not', async () => {
  const { open, countReads } = createPages()
  for (const reader of [createReader('Ann'), createReader('Bet', true), createReader('Cai', true)]) await open(reader)
  expect(countReads()).toBe(3)
})

const SITE_ADMIN = [{ role: 'site_admin', hubId: null, projectId: null, mayExportPersonalData: false }] as const

test('people with a role share a page of the administration only if everything on it is read anew for each of them', async () => {
  const audience = 'administration'
  const [readsAll, readsElsewhere] = [createPages({ audience }), createPages({ audience, readsElsewhere: true })]
  expect([
    await readsAll.open(createReader('Ann', false, SITE_ADMIN)),
    await readsAll.open(createReader('Bet', false, SITE_ADMIN)),
  ]).not.toContain(undefined)
  expect(readsAll.countRenderings()).toBe(1)
  expect(await readsElsewhere.open(createReader('Ann', false, SITE_ADMIN))).toBeUndefined()
  // Without a role, what else it shows may be a minute old.
  expect(await createPages({ readsElsewhere: true }).open(createReader('Cai'))).toBeDefined()
})

test('people with a role share a page for everybody, unless it asks what their roles allow', async () => {
  const seen = createPages({ readsElsewhere: true, asksRoleHolder: true })
  expect(readBody(await seen.open(createReader('Ann', false, SITE_ADMIN)))).toContain('Ann does not follow')
  expect(readBody(await seen.open(createReader('Bet', true, SITE_ADMIN)))).toContain('Bet follows')
  expect(readBody(await seen.open(createReader('Cai', false, SITE_ADMIN)))).toContain('Cai does not follow')
  expect(seen.countRenderings()).toBe(2)
  for (const readsField of ['roles', 'id', 'all'] as const)
    expect(await createPages({ readsField }).open(createReader('Ann', false, SITE_ADMIN)), readsField).toBeUndefined()
})

test('people with a role get no shared page while this process does not know what was just saved', async () => {
  const { open, countRenderings } = createPages()
  await open(createReader('Ann', false, SITE_ADMIN))
  isCurrent = false
  onTestFinished(() => void (isCurrent = true))
  expect(await open(createReader('Bet', false, SITE_ADMIN))).toBeUndefined()
  expect(await open(createReader('Cai'))).toBeDefined()
  isCurrent = true
  expect(await open(createReader('Bet', false, SITE_ADMIN))).toBeDefined()
  expect(countRenderings()).toBe(1)
})

test('a page is rendered again after a minute, and for every other key', async () => {
  let now = 0
  const { open, countRenderings } = createPages({ now: () => now })
  await open(createReader('Ann'))
  await open(createReader('Ann'), 'page in another language')
  expect(countRenderings()).toBe(2)
  now = 59_999
  await open(createReader('Ann'))
  expect(countRenderings()).toBe(2)
  now = 60_000
  await open(createReader('Ann'))
  expect(countRenderings()).toBe(3)
})

test('people with a role, of another site or with a step to take first get no shared page', () => {
  const participant = { ...createSampleParticipant(), siteId: SITE }
  expect(isPlainParticipant(participant, SITE)).toBe(true)
  const role = { role: 'project_admin', hubId: null, projectId: 'p', mayExportPersonalData: false } as const
  for (const other of [
    { type: 'administrator' as const },
    { roles: [role] },
    { siteId: crypto.randomUUID() },
    { owesSecondStep: true },
    { prolonged: true },
  ])
    expect(isPlainParticipant({ ...participant, ...other }, SITE), JSON.stringify(other)).toBe(false)
})

test('administrators of another site, without a role or with a step to take first get no shared page', () => {
  const role = { role: 'site_admin', hubId: null, projectId: null, mayExportPersonalData: false } as const
  const administrator = { ...createSampleParticipant(), siteId: SITE, type: 'administrator' as const, roles: [role] }
  expect(isPlainAdministrator(administrator, SITE)).toBe(true)
  for (const other of [
    { type: 'participant' as const },
    { roles: [] },
    { siteId: crypto.randomUUID() },
    { owesSecondStep: true },
    { prolonged: true },
  ])
    expect(isPlainAdministrator({ ...administrator, ...other }, SITE), JSON.stringify(other)).toBe(false)
})
