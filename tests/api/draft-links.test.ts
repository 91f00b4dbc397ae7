import { beforeAll, describe, expect, test } from 'vitest'
import { getPreview } from '#app/features/homepage/homepage.preview.server.ts'
import { recordPresence } from '#app/features/revisions/presence.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let hubAdmin: Person
let hub: { id: string; slug: string }
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'shared' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  hub = await addHub(runtime, site, { slug: 'parks' })
  hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
  const content = (title: string) => ({ schema: 2, blocks: [{ id: 'a', type: 'hero', title: { en: title }, text: {} }] })
  await api(admin).post('/homepage-revisions', buildResourceDocument('homepage-revisions', { content: content('The city’s draft') }))
  await api(hubAdmin).post(
    '/homepage-revisions',
    buildResourceDocument('homepage-revisions', { content: content('The parks’ draft') }, { to: { hub: { type: 'hubs', id: hub.id } } }),
  )
  await api(admin).post('/appearance-revisions', buildResourceDocument('appearance-revisions', { tokens: { primary: '#123456' } }))
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const inDays = (days: number) => new Date(Date.now() + days * 864e5).toISOString()
const make = (attributes: Record<string, unknown> = {}, options: { by?: Person; hub?: string } = {}) =>
  api(options.by ?? admin).post(
    '/draft-links',
    buildResourceDocument(
      'draft-links',
      { subject: 'homepage', expiresAt: inDays(7), ...attributes },
      options.hub ? { to: { hub: { type: 'hubs', id: options.hub } } } : {},
    ),
  )
const made = (answer: ApiAnswer) => answer.body?.data as { id: string; attributes: { path: string } }
const tokenOf = (answer: ApiAnswer) => new URL(made(answer).attributes.path, 'http://x').searchParams.get('link') ?? ''
const open = (link: string, slug: string | null = null, at = site) => getPreview(createCtx(runtime, at), { hub: slug, link })
const title = async (view: ReturnType<typeof open>) => {
  const [first] = (await view).blocks
  return first?.type === 'hero' ? first.title.en : undefined
}

describe('a link to a draft', () => {
  test('shows the draft to anybody, with its expiry, and is listed with the time it was opened', async () => {
    const link = await make({ note: 'For Bea' })
    expect(link.status).toBe(201)
    expect(made(link).attributes.path).toMatch(/^\/live-preview\/home\?link=/)
    await expect(getPreview(createCtx(runtime, site), { hub: null })).rejects.toMatchObject({ code: 'not-found' })
    expect(await title(open(tokenOf(link)))).toBe('The city’s draft')
    expect((await open(tokenOf(link))).sharedUntil).toBe((made(link).attributes as unknown as { expiresAt: string }).expiresAt)
    const listed = (await api(admin).get('/draft-links?filter[ofSite]=true')).body?.data as { id: string; attributes: object }[]
    expect(listed.find(({ id }) => id === made(link).id)?.attributes).toMatchObject({ note: 'For Bea', lastUsedAt: expect.any(String) })
  })

  test('to a project opens no page of blocks, although both belong to no department', async () => {
    const { id } = await addProject(runtime, site, { slug: 'secret', status: 'draft', publishedAt: null })
    const link = await api(admin).post(
      '/draft-links',
      buildResourceDocument('draft-links', { subject: 'project', expiresAt: inDays(7) }, { to: { project: { type: 'projects', id } } }),
    )
    expect(link.status).toBe(201)
    const token = new URL(made(link).attributes.path, 'http://x').searchParams.get('preview') ?? ''
    await expect(open(token)).rejects.toMatchObject({ code: 'not-found' })
    await expect(open(token, hub.slug)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('opens nothing once revoked, expired or altered, or on another site', async () => {
    const [back, late, other] = [await make(), await make({ expiresAt: inDays(1) }), await make()]
    expect((await api(admin).delete(`/draft-links/${made(back).id}`)).status).toBe(204)
    await expect(open(tokenOf(back))).rejects.toMatchObject({ code: 'not-found' })
    runtime.setNow(new Date(Date.now() + 2 * 864e5))
    await expect(open(tokenOf(late))).rejects.toMatchObject({ code: 'not-found' })
    runtime.setNow(undefined)
    const [id = '', signature = ''] = tokenOf(other).split('.')
    for (const wrong of [`${made(late).id}.${signature}`, `${id}.${signature.slice(1)}`, id, `${id}.`, 'nonsense', '']) {
      await expect(open(wrong), wrong).rejects.toMatchObject({ code: 'not-found' })
    }
    const elsewhere = await addSite(runtime, { slug: 'elsewhere' })
    await expect(open(tokenOf(other), null, elsewhere)).rejects.toMatchObject({ code: 'not-found' })
    expect(await title(open(tokenOf(other)))).toBe('The city’s draft')
  })

  test('of a department opens only its page, and is created and seen by its editors', async () => {
    const link = await make({}, { by: hubAdmin, hub: hub.id })
    expect(made(link).attributes.path).toMatch(/^\/live-preview\/hubs\/parks\?link=/)
    expect(await title(open(tokenOf(link), 'parks'))).toBe('The parks’ draft')
    await expect(open(tokenOf(link))).rejects.toMatchObject({ code: 'not-found' })
    const ofOther = await addPerson(runtime, site, { role: 'hub_admin', hubId: (await addHub(runtime, site)).id })
    expect((await api(ofOther).get(`/draft-links/${made(link).id}`)).status).toBe(404)
    expect((await make({}, { by: ofOther, hub: hub.id })).status).toBe(403)
    expect((await make({}, { by: hubAdmin })).status).toBe(403)
    expect((await api().get('/draft-links')).body?.data).toEqual([])
  })

  test('to the appearance shows the published page in the drafted look', async () => {
    const link = await make({ subject: 'appearance' })
    const view = await open(tokenOf(link))
    expect(view.tokens).toMatchObject({ primary: '#123456' })
    expect(view.blocks.map(({ type }) => type)).toEqual(['hero', 'project_grid', 'hub_grid', 'counters'])
  })

  test('expires after sixty days at most', async () => {
    expect((await make({ expiresAt: inDays(61) })).codes).toEqual(['out-of-range'])
    expect((await make({ expiresAt: inDays(-1) })).codes).toEqual(['out-of-range'])
  })
})

describe('presence in an editor', () => {
  const ctxOf = (person: Person) => withViewer(createCtx(runtime, site), person.token)
  const [mine, theirs, second] = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [string, string, string]
  const place = { subject: 'homepage', placeId: null } as const

  test('is reported to other editors until the window closes or goes silent', async () => {
    const colleague = await addPerson(runtime, site, { role: 'site_admin' })
    const [own, other] = [await ctxOf(admin), await ctxOf(colleague)]
    expect((await recordPresence(own, { ...place, editor: mine })).others).toEqual([])
    expect((await recordPresence(other, { ...place, editor: theirs })).others).toEqual([{ editor: mine, name: 'site_admin', isOwn: false }])
    expect((await recordPresence(own, { ...place, editor: second })).others.map(({ isOwn }) => isOwn).sort()).toEqual([false, true])
    expect((await recordPresence(other, { subject: 'appearance', placeId: null, editor: theirs })).others).toEqual([])
    await recordPresence(own, { ...place, editor: second, isLeaving: true })
    expect((await recordPresence(other, { ...place, editor: theirs })).others).toHaveLength(1)
    runtime.setNow(new Date(Date.now() + 30_000))
    expect((await recordPresence(await ctxOf(colleague), { ...place, editor: theirs })).others).toEqual([])
    runtime.setNow(undefined)
  })

  test('comes with the newest version, and only to editors', async () => {
    const listed = await api(admin).get('/homepage-revisions?filter[ofSite]=true')
    const head = ((listed.body?.data ?? []) as { id: string }[])[0]?.id
    expect((await recordPresence(await ctxOf(admin), { ...place, editor: mine })).newest).toBe(head)
    await expect(recordPresence(await ctxOf(hubAdmin), { ...place, editor: theirs })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(recordPresence(createCtx(runtime, site), { ...place, editor: theirs })).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('of a survey is for people who may edit its project, and comes with its version', async () => {
    const project = await addProject(runtime, site)
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    const open = async (person: Person, editor: string, placeId: string | null = survey.id) =>
      recordPresence(await ctxOf(person), { subject: 'survey', placeId, editor })
    expect(await open(admin, mine)).toEqual({ others: [], newest: '1' })
    const colleague = await addPerson(runtime, site, { role: 'site_admin' })
    expect((await open(colleague, theirs)).others).toEqual([{ editor: mine, name: 'site_admin', isOwn: false }])
    await expect(open(hubAdmin, second)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(open(admin, mine, null)).rejects.toMatchObject({ code: 'not-found' })
    await expect(open(admin, mine, createId())).rejects.toMatchObject({ code: 'not-found' })
    const visitor = recordPresence(createCtx(runtime, site), { subject: 'survey', placeId: survey.id, editor: theirs })
    await expect(visitor).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
