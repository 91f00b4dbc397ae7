import type { IncomingHttpHeaders } from 'node:http'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { memberships, sessions } from '#app/server/db/schema/accounts.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { embedDomains, siteFeatures } from '#app/server/db/schema/sites.ts'
import { events } from '#app/server/db/schema/events.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { responseChanges } from '#app/server/db/schema/response-figures.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { setFollowing } from '#app/features/follows/follows.server.ts'
import { addHub, addPage, addUpdate } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addEvent } from '#tests/factories/events.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addAccount, type Account } from '#tests/support/accounts.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase, type OwnProduct } from '#tests/support/own-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const NAMES = ['</script><b>Ann "O’Hara" & \'co\'', 'Bet Ŵyn']

const { runtime, start } = await createOwnDatabase()
let product: OwnProduct
let site: Site
let people: Account[]
let project: { id: string; slug: string }
let event: { id: string; slug: string }
let paths: string[]
/** Pages with a form that is sent once. */
let forms: string[]
/** Pages for frames. */
let frames: string[]

const ASKS_WHY: Definition = {
  schema: 1,
  pages: [{ id: 'p', questions: [{ id: 'why', type: 'long_text', title: { en: 'Why?' }, maxLength: 2000 }] }],
}

const TOMORROW = { startsAt: new Date(Date.now() + 24 * 3_600_000), endsAt: new Date(Date.now() + 26 * 3_600_000) }

beforeAll(async () => {
  site = await addSite(runtime)
  people = []
  for (const login of NAMES) people.push(await addAccount(runtime, site, { login }))
  project = await addProject(runtime, site)
  const survey = await addSurvey(runtime, site, { projectId: project.id, definition: ASKS_WHY })
  const update = await addUpdate(runtime, site, project.id)
  const page = await addPage(runtime, site)
  const activity = await addActivity(runtime, site, { projectId: project.id })
  const { number } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
  const invited = await addActivity(runtime, site, { projectId: project.id, postAccess: 'invited', reactAccess: 'invited' })
  await addContribution(runtime, site, { activityId: invited.id, number: 1 })
  event = await addEvent(runtime, site, { ...TOMORROW, projectId: project.id, capacity: 20 })
  const home = `/projects/${project.slug}`
  forms = [
    `${home}/surveys/${survey.slug}`,
    `${home}/events/${event.slug}`,
    `${home}/${activity.slug}/new`,
    `${home}/${activity.slug}/${number}/reply`,
  ]
  const framed = await addSurvey(runtime, site, { projectId: project.id, definition: ASKS_WHY })
  frames = [`/embed/surveys/${framed.id}`, `/embed${home}`, `/embed${home}/${activity.slug}`]
  paths = [
    ...forms,
    '/',
    '/fr-CA',
    '/projects',
    '/projects?status=open',
    '/hubs',
    '/moderation',
    '/cookies',
    '/register',
    '/data',
    '/nowhere',
    `/pages/${page.slug}`,
    home,
    `${home}/updates/${update.slug}`,
    `${home}/surveys/${survey.slug}/results`,
    `${home}/${activity.slug}`,
    `${home}/${activity.slug}/${number}`,
    `${home}/${activity.slug}/${number + 1}`,
    `${home}/${invited.slug}`,
    `${home}/${invited.slug}/1`,
  ]
  product = await start({ WEB_PROCESSES: '1', LOG_LEVEL: 'info' })
})

/** @param alone with a cookie that makes the product render the page for this request only */
const open = (person: { token: string }, path: string, alone = false) =>
  product.read(site, path, { cookie: `current_language=en; token=${person.token}${alone ? '; unknown=1' : ''}` })

/** The id and key of the form on a page. */
const findSending = (body: string) => ['id', 'sendKey'].map((name) => new RegExp(`name="${name}"[^>]* value="([^"]+)"`).exec(body)?.[1])

/** Without what differs from one rendering to the next, such as the nonce, the time and the form's id. */
const normalise = (body: string, person: { token: string }) =>
  findSending(body)
    .reduce<string>((text, value) => (value ? text.replaceAll(value, 'sending') : text), body)
    .replace(/nonce="[^"]+"|(?<="csp-nonce" )content="[^"]+"/g, 'nonce')
    .replace(/\b1\d{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll('&#x27;', '&#39;')
    .replaceAll(person.token, 'token')

describe('a page that participants share', () => {
  test('is for each of them what it would be if it was rendered for them', async () => {
    for (const path of paths) {
      for (const person of people) {
        const [first, again, own] = [await open(person, path), await open(person, path), await open(person, path, true)]
        const expected = normalise(own.body, person)
        expect(expected, path).toContain(person.id)
        expect(normalise(first.body, person), path).toBe(expected)
        expect(normalise(again.body, person), path).toBe(expected)
        expect([first.status, again.status], path).toEqual([own.status, own.status])
        for (const { headers } of [first, again]) {
          expect(headers['cache-control'], path).toBe('private, no-store')
          expect(headers['x-content-type-options'], path).toBe('nosniff')
          const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
          expect(nonce, path).toMatch(/^[\w+/]{22}==$/)
        }
      }
    }
  })

  test('is compressed but for what is theirs, as is a page that is theirs alone: its length tells no more of it than before', async () => {
    for (const path of [...paths, '/account', '/account/profile']) {
      const saved: number[] = []
      for (const person of people) {
        const asked = { host: new URL(product.at(site)).host, cookie: `current_language=en; token=${person.token}` }
        const { status, body, text, headers } = await sendRequest(product.product.port, path, { ...asked, 'accept-encoding': 'gzip, br' })
        if (status !== 200) continue
        expect(headers['content-encoding'], path).toBe('gzip')
        expect(normalise(text, person), path).toBe(normalise((await open(person, path)).body, person))
        expect(body.length, path).toBeLessThan(Buffer.byteLength(text) / 1.8)
        saved.push(Buffer.byteLength(text) - body.length)
      }
      expect(saved[0], path).toBe(saved[1])
    }
  })

  test('tells nobody anything of another', async () => {
    const [ann, bet] = people as [Account, Account]
    for (const path of paths) {
      const { body } = await open(bet, path)
      for (const secret of [ann.token, ann.email, ann.id, 'O’Hara']) expect(body, path).not.toContain(secret)
    }
  })

  test('shows at once what one of them has just changed', async () => {
    const [ann, bet] = people as [Account, Account]
    const follows = async (person: Account) => (await open(person, `/projects/${project.slug}`)).body.includes('following:!0')
    expect([await follows(ann), await follows(bet)]).toEqual([false, false])
    await setFollowing(await ann.ctx(), { slug: project.slug, following: true })
    expect([await follows(ann), await follows(bet)]).toEqual([true, false])
    await setFollowing(await ann.ctx(), { slug: project.slug, following: false })
    expect([await follows(ann), await follows(bet)]).toEqual([false, false])
  })

  test('is no longer served to somebody who got a role, and to nobody whose session has ended', async () => {
    const person = await addAccount(runtime, site, { login: 'Cai Penrose' })
    const opens = async (text: string) => (await open(person, '/')).body.includes(text)
    expect([await opens('Cai Penrose'), await opens('href="/admin"')]).toEqual([true, false])
    const { db } = await person.ctx()
    const role = { siteId: site.id, id: createId(), userId: person.id, role: 'site_admin' as const, hubId: null, projectId: null }
    await db.tx((tx) => tx.insert(memberships).values(role))
    await expect.poll(() => opens('href="/admin"')).toBe(true)
    await db.tx((tx) => tx.delete(memberships).where(eq(memberships.userId, person.id)))
    await db.tx((tx) => tx.delete(sessions).where(eq(sessions.userId, person.id)))
    await expect.poll(() => opens('Cai Penrose')).toBe(false)
  })

  test('is rendered for somebody with a role without a word in the log', async () => {
    const person = await addAccount(runtime, site, { login: 'Dai Pugh' })
    const { db } = await person.ctx()
    const role = { siteId: site.id, id: createId(), userId: person.id, role: 'site_admin' as const, hubId: null, projectId: null }
    await db.tx((tx) => tx.insert(memberships).values(role))
    for (const path of ['/', '/projects', '/feed.atom']) expect((await open(person, path)).status).toBe(200)
    expect(product.product.output().match(/.*"level":"(?:warn|error)".*/g) ?? []).toEqual([])
  })
})

describe('the dashboard that administrators share', () => {
  const role = { role: 'site_admin' as const }
  const readMain = async (person: Account, alone = false) => normalise((await open(person, '/admin', alone)).body, person)

  test('is for each of them what it would be if it was rendered for them', async () => {
    const hub = await addHub(runtime, site)
    const colleagues = await Promise.all([
      ...NAMES.map((login) => addAccount(runtime, site, { ...role, login })),
      addAccount(runtime, site, { role: 'hub_admin', hubId: hub.id, login: 'Gwen' }),
      addAccount(runtime, site, { role: 'project_admin', projectId: project.id, login: 'Huw' }),
    ])
    for (const person of colleagues) {
      const own = await readMain(person, true)
      expect(own).toContain(person.id)
      expect([await readMain(person), await readMain(person)]).toEqual([own, own])
      for (const other of colleagues.filter((one) => one !== person)) {
        for (const secret of [other.token, other.email, other.id]) expect(own).not.toContain(secret)
      }
    }
  })

  test('is not rendered again for a colleague who sees the same', async () => {
    const listSources = () => product.product.output().match(/(?<="path":"\/admin".*"source":")\w+/g) ?? []
    const [first, second] = [await addAccount(runtime, site, role), await addAccount(runtime, site, role)]
    await open(first, '/admin')
    await open(second, '/admin')
    await expect.poll(() => listSources().at(-1)).toBe('kept')
  })

  test('shows at once what has just changed, whatever it is', async () => {
    const [first, second] = [await addAccount(runtime, site, role), await addAccount(runtime, site, role)]
    const read = async (pattern: RegExp) => {
      const [found, again] = [await open(first, '/admin'), await open(second, '/admin')].map(({ body }) => pattern.exec(body)?.[0])
      expect(again).toBe(found)
      return found
    }
    const countResponses = async () => Number((await read(/responses:\d+(?=,publicResponses)/))?.slice('responses:'.length))
    const readWaiting = () => read(/In review now/)
    const before = await countResponses()
    // As a response adds to it: neither the process nor the site's content version learns of it.
    const { db } = await first.ctx()
    await db.tx((tx) =>
      tx.insert(responseChanges).values({ siteId: site.id, projectId: project.id, day: '2026-01-01', userId: null, change: 3 }),
    )
    expect(await countResponses()).toBe(before + 3)
    expect(await readWaiting()).toBeUndefined()
    const waiting = await addProject(runtime, site, { status: 'in_review', title: { en: 'In review now' } })
    expect(await readWaiting()).toBeDefined()
    await db.tx((tx) => tx.delete(projects).where(and(eq(projects.siteId, site.id), eq(projects.id, waiting.id))))
    expect(await readWaiting()).toBeUndefined()
  })

  test('is no longer served to somebody whose role has ended', async () => {
    const person = await addAccount(runtime, site, role)
    expect((await open(person, '/admin')).status).toBe(200)
    const { db } = await person.ctx()
    await db.tx((tx) => tx.delete(memberships).where(eq(memberships.userId, person.id)))
    await expect.poll(async () => (await open(person, '/admin')).status).toBe(403)
  })
})

const NOBODY = { token: 'no token' }
const findSource = ({ headers }: { headers: IncomingHttpHeaders }) =>
  new RegExp(`"requestId":"${String(headers['x-request-id'])}".*"source":"(\\w+)"`).exec(product.product.output())?.[1]

describe('a page with a form that is sent once', () => {
  const visit = (path: string, headers: Record<string, string> = {}) =>
    product.read(site, path, { cookie: 'current_language=en', ...headers })
  /** A first visit gets its style rules in the page. */
  const compare = (body: string) => normalise(body, NOBODY).replace(/<(style|noscript)[^>]*>.*?<\/\1>|<link rel="stylesheet"[^>]*>/gs, '')

  test('is rendered once for all visitors, each with a form of their own', async () => {
    for (const path of forms) {
      const own = await visit(path, { cookie: 'current_language=en; unknown=1' })
      const pages = [await visit(path), await visit(path), await visit(path)]
      const expected = compare(own.body)
      for (const page of pages) {
        expect(page.status, path).toBe(200)
        expect(compare(page.body), path).toBe(expected)
        expect(page.headers['cache-control'], path).toBe('private, no-store')
      }
      const sendings = pages.map(({ body }) => findSending(body))
      for (const [id, key] of sendings) {
        expect(id, path).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/)
        expect(key, path).toMatch(/^[\w-]{22}$/)
      }
      expect(new Set(sendings.map(String)).size, path).toBe(3)
      await expect.poll(() => pages.slice(1).map(findSource), { message: path }).toEqual(['kept', 'kept'])
    }
  })

  test('is the same text compressed', async () => {
    for (const path of forms) {
      const asked = { host: new URL(product.at(site)).host, cookie: 'current_language=en', 'accept-encoding': 'gzip, deflate, br' }
      const { body, text, headers } = await sendRequest(product.product.port, path, asked)
      expect(headers['content-encoding'], path).toBe('gzip')
      expect(body.length, path).toBeLessThan(text.length / 3)
      expect(normalise(text, NOBODY), path).toBe(normalise((await visit(path)).body, NOBODY))
    }
  })

  test('shows at once that its survey was closed, and says to whoever has answered that they have', async () => {
    const { id, slug } = await addSurvey(runtime, site, { projectId: project.id, definition: ASKS_WHY, access: 'signed_in' })
    const path = `/projects/${project.slug}/surveys/${slug}`
    const [ann, bet] = people as [Account, Account]
    const asks = async (person: Account) => (await open(person, path)).body.includes('name="sendKey"')
    expect([await asks(ann), await asks(bet)]).toEqual([true, true])
    const ctx = await ann.ctx()
    const sent = { version: 1, ...createSending(new Date()), answers: { why: 'Shade' } }
    await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, id)), sent)
    expect([await asks(ann), await asks(bet)]).toEqual([false, true])
    await runtime.database.site(site.id).tx((tx) => tx.update(surveys).set({ closesAt: new Date() }).where(eq(surveys.id, id)))
    await expect.poll(async () => [await asks(ann), await asks(bet)]).toEqual([false, false])
  })

  test('shows at once that the last place of an event is taken', async () => {
    const path = `/projects/${project.slug}/events/${event.slug}`
    const isOffered = async () => (await visit(path)).body.includes('name="sendKey"')
    expect([await isOffered(), await isOffered()]).toEqual([true, true])
    const setGoing = (going: number) =>
      runtime.database.site(site.id).tx((tx) => tx.update(events).set({ going, hasWaitingList: false }).where(eq(events.id, event.id)))
    await setGoing(20)
    await expect.poll(isOffered).toBe(false)
    await setGoing(0)
    await expect.poll(isOffered).toBe(true)
  })

  test('is rendered for each reader if the order of its choices is random, but once for all after the survey has closed', async () => {
    const options = ['Ash', 'Birch', 'Cedar'].map((title) => ({ id: title.toLowerCase(), label: { en: title } }))
    const definition: Definition = {
      schema: 1,
      pages: [{ id: 'p', questions: [{ id: 'tree', type: 'one_choice', title: { en: 'Which tree?' }, options, shuffle: true }] }],
    }
    const { id, slug } = await addSurvey(runtime, site, { projectId: project.id, definition })
    const path = `/projects/${project.slug}/surveys/${slug}`
    const orders = new Set<string>()
    for (let i = 0; i < 30 && orders.size < 2; i++)
      orders.add([...(await visit(path)).body.matchAll(/value="(ash|birch|cedar)"/g)].map(([, id]) => id).join())
    expect(orders.size).toBe(2)
    await runtime.database.site(site.id).tx((tx) => tx.update(surveys).set({ closesAt: new Date() }).where(eq(surveys.id, id)))
    await expect.poll(async () => (await visit(path)).body.includes('name="sendKey"')).toBe(false)
    const findNextSource = async () => {
      const page = await visit(path)
      // The log is written after the answer.
      await expect.poll(() => findSource(page)).toBeDefined()
      return findSource(page)
    }
    await expect.poll(findNextSource).toBe('kept')
  })
})

describe('a page for frames', () => {
  const frame = (path: string, referer = 'https://library.example/news') =>
    product.read(site, path, { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site', referer })
  const setFraming = (mayFrame: boolean) =>
    runtime.database.site(site.id).tx((tx) =>
      tx
        .insert(embedDomains)
        .values({ siteId: site.id, host: 'library.example', mayFrame, showsHere: false })
        .onConflictDoUpdate({ target: [embedDomains.siteId, embedDomains.host], set: { mayFrame } }),
    )
  const statusOf = async (path: string, referer?: string) => (await frame(path, referer)).status

  beforeAll(async () => {
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'whitelist-embed', enabled: true }))
    await setFraming(true)
  })

  test('is rendered once for all, in each language, without a cookie', async () => {
    await expect.poll(() => statusOf(frames[0] ?? '')).toBe(200)
    for (const path of frames) {
      const texts = new Set<string>()
      for (const language of ['en', 'fr-CA', 'cy']) {
        const pages = [
          await frame(`${path}?lng=${language}`),
          await frame(`${path}?lng=${language}`),
          await frame(`${path}?lng=${language}&other=1`),
        ]
        const [made, kept, alone] = pages.map(({ body }) => normalise(body, NOBODY))
        expect(kept, path).toBe(made)
        // The address in the page's own state.
        expect(alone?.replaceAll('&amp;other=1', '').replaceAll('\\u0026other=1', ''), path).toBe(made)
        expect(made, path).toContain(`lang="${language}"`)
        texts.add(made ?? '')
        for (const { status, headers } of pages) {
          expect(status, path).toBe(200)
          expect(headers['set-cookie'], path).toBeUndefined()
          expect(headers['content-security-policy'], path).toContain("frame-ancestors 'self' https://library.example")
        }
        await expect.poll(() => pages.map(findSource), { message: path }).toEqual([expect.any(String), 'kept', 'rendered'])
        if (path.includes('surveys')) expect(new Set(pages.map(({ body }) => findSending(body).join())).size).toBe(3)
      }
      expect(texts.size, path).toBe(3)
    }
  })

  test('knows nobody who is signed in', async () => {
    const [ann] = people as [Account]
    for (const path of frames) {
      const { body } = await product.read(site, path, { cookie: `token=${ann.token}`, 'sec-fetch-dest': 'iframe' })
      for (const secret of [ann.token, ann.email, ann.id, 'O’Hara']) expect(body, path).not.toContain(secret)
    }
  })

  test('is refused in the frame of a site that is not listed, or is listed no more', async () => {
    for (const path of frames) {
      expect([await statusOf(path), await statusOf(path)], path).toEqual([200, 200])
      expect(await statusOf(path, 'https://elsewhere.example/'), path).toBe(403)
    }
    await setFraming(false)
    for (const path of frames) await expect.poll(() => statusOf(path), { message: path }).toBe(403)
    await setFraming(true)
    for (const path of frames) await expect.poll(() => statusOf(path), { message: path }).toBe(200)
  })
})
