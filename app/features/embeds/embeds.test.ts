import { and, eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { handleApi } from '#app/root/api-handler.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime, warmUpConnections } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { buildContentPolicy } from '#app/serve/content-policy.ts'
import { respondToRequest } from '#app/serve/respond.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { embedDomains, siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { getEmbeddedSurvey, requireEmbeddableSurvey, sealReceipt } from '#app/features/surveys/embed/embedded-survey.server.ts'
import { findAllowedOrigin } from '#app/features/homepage/embed-domains.server.ts'
import { hostSchema } from './embeds.schema.ts'
import { allowDomain, findAllowedFramers, findEmbeddable, findEmbeddables, readEmbedSettings, removeDomain } from './embeds.server.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let admin: Ctx

const framedBy = (referer: string | undefined, of = site) =>
  findAllowedFramers(createCtx(runtime, of), { host: of.host, destination: 'iframe', referer })

const switchTo = (enabled: boolean) =>
  runtime.database.site(site.id).tx((tx) =>
    tx
      .insert(siteFeatures)
      .values({ siteId: site.id, name: 'whitelist-embed', enabled })
      .onConflictDoUpdate({ target: [siteFeatures.siteId, siteFeatures.name], set: { enabled } }),
  )

async function ctxOf(options: Parameters<typeof addPerson>[2], of = site): Promise<Ctx> {
  const person = await addPerson(runtime, of, options)
  return withViewer(createCtx(runtime, of), person.token)
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  other = await addSite(runtime, { slug: 'harbour' })
  await switchTo(true)
  admin = await ctxOf({ role: 'site_admin' })
  await allowDomain(admin, { host: 'library.example', mayFrame: true, showsHere: false })
  await allowDomain(admin, { host: 'maps.example', mayFrame: false, showsHere: true })
})

test('the site shows pages of listed domains and their subdomains, over https only', async () => {
  const where = createCtx(runtime, site)
  expect(await findAllowedOrigin(where, 'https://maps.example/wards?zoom=4')).toBe('https://maps.example')
  expect(await findAllowedOrigin(where, 'https://tiles.maps.example/')).toBe('https://tiles.maps.example')
  for (const address of [
    'https://evilmaps.example/',
    'https://maps.example.evil.example/',
    'http://maps.example/',
    'https://maps.example:8443/',
    'https://maps.example@evil.example/',
    'https://library.example/',
    'maps.example',
  ])
    expect(await findAllowedOrigin(where, address), address).toBeUndefined()
})

describe('framing a site’s surveys', () => {
  test('is allowed for listed domains and their subdomains, over https only', async () => {
    const framers = ["'self'", 'https://library.example', 'https://*.library.example']
    expect(await framedBy('https://library.example/')).toEqual(framers)
    expect(await framedBy('https://news.library.example/')).toEqual(framers)
    expect(await framedBy('http://riverbend.localhost/admin/embeds')).toEqual(framers)
    for (const referer of [
      'http://library.example/',
      'https://evil-library.example/',
      'https://library.example.evil.example/',
      'https://maps.example/',
    ]) {
      expect(await framedBy(referer), referer).toBeUndefined()
    }
  })

  test('is checked by the browser if the framing page hides its referrer', async () => {
    const framers = await framedBy(undefined)
    expect(buildContentPolicy({}, { path: '/embed/surveys/1', nonce: 'n', framers })).toContain(
      "frame-ancestors 'self' https://library.example https://*.library.example",
    )
    expect(buildContentPolicy({}, { path: '/projects', nonce: 'n' })).toContain("frame-ancestors 'none'")
  })

  test('is allowed for nobody on another site, or once embeds are switched off', async () => {
    expect(await framedBy('https://library.example/', other)).toBeUndefined()
    await switchTo(false)
    expect(await framedBy('https://library.example/')).toBeUndefined()
    await expect(readEmbedSettings(admin)).rejects.toMatchObject({ code: 'not-found' })
    await switchTo(true)
  })

  test('offers activities of public projects once they are published', async () => {
    const project = await addProject(runtime, site, { slug: 'quay' })
    await addActivity(runtime, site, { projectId: project.id, slug: 'ideas' })
    await addActivity(runtime, site, { projectId: project.id, slug: 'draft', status: 'draft' })
    const inside = await addProject(runtime, site, { visibility: 'members' })
    await addActivity(runtime, site, { projectId: inside.id })
    const { embeddables } = await readEmbedSettings(admin)
    expect(embeddables.filter(({ kind }) => kind === 'activity').map(({ path }) => path)).toEqual(['/embed/projects/quay/ideas'])
    expect((await findEmbeddable(admin, '/embed/projects/quay/ideas'))?.kind).toBe('activity')
    for (const path of ['/embed/projects/quay/draft', '/embed/surveys/quay', '/projects/quay'])
      expect(await findEmbeddable(admin, path)).toBeNull()
  })

  test('is found by words, however much there is', async () => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 12 }, (_, at) => addProject(runtime, site, { title: { en: at === 0 ? 'Zebra crossing' : `Towpath ${at}` } })),
    )
    expect(others).toHaveLength(11)
    const { embeddables, total } = await findEmbeddables(admin, 'towpath')
    expect([embeddables.length, total]).toEqual([10, 11])
    expect(await findEmbeddables(admin, 'ZEBRA')).toMatchObject({ embeddables: [{ path: `/embed/projects/${first?.slug}` }], total: 1 })
  })

  test('is refused with a message in the frame, and without a cookie', async () => {
    const request = new Request('http://riverbend.localhost/embed/projects/x?lng=fr-CA', {
      headers: { host: 'riverbend.localhost', accept: 'text/html', 'sec-fetch-dest': 'iframe', referer: 'https://elsewhere.example/' },
    })
    const { response: answer } = await respondToRequest(
      request,
      runtime,
      { id: 'r', address: null, forEveryone: false },
      { handleApi, render: () => new Response('never') },
    )
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('Cette page ne peut pas être affichée ici')
    expect(answer.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('ignores a signed-in viewer, and sets no cookie', async () => {
    const person = await addPerson(runtime, site, { role: 'site_admin' })
    let viewer = ''
    const request = new Request('http://riverbend.localhost/embed/projects/x', {
      headers: {
        host: 'riverbend.localhost',
        cookie: `token=${person.token}`,
        'sec-fetch-dest': 'iframe',
        referer: 'https://library.example/',
      },
    })
    const { response: answer } = await respondToRequest(
      request,
      runtime,
      { id: 'r', address: null, forEveryone: false },
      {
        handleApi,
        render: (_, { ctx }) => {
          viewer = ctx.viewer.kind
          return new Response('<p>card</p>', { headers: { 'content-type': 'text/html' } })
        },
      },
    )
    expect(viewer).toBe('visitor')
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('the list of domains', () => {
  test('can only be changed by site administrators, and every change is audited', async () => {
    for (const options of [{}, { role: 'hub_admin' as const }, { role: 'platform_admin' as const }]) {
      // oxlint-disable-next-line no-await-in-loop
      const viewer = await ctxOf(options)
      await expect(allowDomain(viewer, { host: 'evil.example', mayFrame: true, showsHere: true })).rejects.toMatchObject({
        code: 'forbidden',
      })
      await expect(readEmbedSettings(viewer)).rejects.toMatchObject({ code: 'forbidden' })
    }
    await allowDomain(admin, { host: 'brief.example', mayFrame: true, showsHere: false })
    await removeDomain(admin, 'brief.example')
    await expect(removeDomain(admin, 'brief.example')).rejects.toMatchObject({ code: 'not-found' })
    expect((await readEmbedSettings(admin)).domains.map(({ host }) => host)).toEqual(['library.example', 'maps.example'])
    const noted = await runtime.database.site(site.id).tx((tx) =>
      tx
        .select({ id: auditEvents.id })
        .from(auditEvents)
        .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.action, 'embed-domains.delete'))),
    )
    expect(noted).toHaveLength(1)
  })

  test('accepts a URL for its domain, and refuses anything that is not a domain', () => {
    expect(v.parse(hostSchema, ' HTTPS://Library.Example:443/a?b ')).toBe('library.example')
    for (const typed of ['', 'localhost', '*.example.org', 'a b.example', "x'; script-src *", '127.0.0.1']) {
      expect(v.safeParse(hostSchema, typed).success, typed).toBe(false)
    }
  })
})

describe('a survey in a frame', () => {
  test('takes responses if anyone may answer, links to the site otherwise, and shows a receipt only for the survey it was sealed for', async () => {
    const visitor = createCtx(runtime, site)
    const anyone = await addSurvey(runtime, site, { access: 'anyone' })
    const once = await addSurvey(runtime, site, { access: 'anyone_once' })
    expect(await getEmbeddedSurvey(visitor, anyone.id, undefined)).toMatchObject({ isOpen: true, takesAnswers: true, receipt: undefined })
    expect(await getEmbeddedSurvey(visitor, once.id, undefined)).toMatchObject({ isOpen: true, takesAnswers: false })
    await expect(visitor.db.tx((tx) => requireEmbeddableSurvey(visitor, tx, once.id))).rejects.toMatchObject({ code: 'forbidden' })
    const done = sealReceipt(visitor, anyone.id, 'ABCD-EFGH')
    expect(done).not.toContain('ABCD-EFGH')
    expect((await getEmbeddedSurvey(visitor, anyone.id, done)).receipt).toBe('ABCD-EFGH')
    expect((await getEmbeddedSurvey(visitor, once.id, done)).receipt).toBeNull()
    for (const id of ['x', site.id]) await expect(getEmbeddedSurvey(visitor, id, undefined)).rejects.toMatchObject({ code: 'not-found' })
  })
})

test('enforces the limit of domains even under concurrent requests, and lets listed ones be changed', async () => {
  const { db } = admin
  const rows = Array.from({ length: 197 }, (_, index) => ({ siteId: site.id, host: `n${index}.example`, mayFrame: true, showsHere: false }))
  await db.tx((tx) => tx.insert(embedDomains).values(rows))
  const kept = async () => (await db.tx((tx) => tx.select().from(embedDomains).where(eq(embedDomains.siteId, site.id)))).length
  const room = 200 - (await kept())
  const hosts = Array.from({ length: room + 3 }, (_, index) => `more${index}.example`)
  await warmUpConnections(runtime)
  const together = await Promise.allSettled(hosts.map((host) => allowDomain(admin, { host, mayFrame: true, showsHere: false })))
  expect(together.filter(({ status }) => status === 'fulfilled')).toHaveLength(room)
  for (const one of together) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  expect(await kept()).toBe(200)
  await allowDomain(admin, { host: 'n0.example', mayFrame: false, showsHere: true })
  expect(await kept()).toBe(200)
  await db.tx((tx) => tx.delete(embedDomains).where(and(eq(embedDomains.siteId, site.id), sql`host ~ '^(n|more)[0-9]'`)))
})
