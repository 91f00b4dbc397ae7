import { beforeEach, describe, expect, test } from 'vitest'
import { ADDED_LANGUAGES } from '#app/lib/added-languages.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub, addPage } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { requireItem, requireItems } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { countTranslationGaps } from './site-settings.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Person

beforeEach(async () => {
  runtime ??= await createTestRuntime()
  site = await addSite(runtime, { slug: `s${Math.random().toString(36).slice(2)}`, locale: 'en', languages: ['en'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const change = (attributes: Record<string, unknown>, id = site.id) =>
  createApiClient(runtime, site, admin.token).patch(`/sites/${id}`, buildResourceDocument('sites', attributes, { id }))

const findSite = async () => (await runtime.sites.find(site.host)) as Site

async function countGaps() {
  const { token } = admin
  const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, token, new Date())
  return countTranslationGaps(createCtx(runtime, await findSite(), { viewer }))
}

describe('the settings of a site', () => {
  test('are changed by its administrator, at once and for everybody, and the trail says what they were', async () => {
    const answer = await change({
      name: 'Town of Alder',
      taglineTranslations: { en: 'Have your say' },
      contactEmail: 'hello@alder.example',
      region: 'Canada',
      timeZone: 'America/Halifax',
      holidays: 'ca-ns',
      locale: 'fr-CA',
      languages: ['en', 'fr-CA'],
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await findSite()).toMatchObject({
      name: 'Town of Alder',
      tagline: { en: 'Have your say' },
      contactEmail: 'hello@alder.example',
      region: 'Canada',
      timeZone: 'America/Halifax',
      holidays: 'ca-ns',
      locale: 'fr-CA',
      languages: ['fr-CA', 'en'],
    })
    const [event] = requireItems(await createApiClient(runtime, site, admin.token).get('/audit-events?filter[action]=sites'))
    expect(event?.attributes).toMatchObject({ action: 'sites.update' })
    expect(JSON.stringify(event?.attributes['detail'])).toContain('Halifax')
  })

  test('of which some are given leave the others', async () => {
    const before = await findSite()
    expect((await change({ name: 'Alder' })).status).toBe(200)
    const searchText = `alder ${before.slug} ${site.host}`
    expect(await findSite()).toEqual({ ...before, name: 'Alder', searchText, contentVersion: before.contentVersion + 1 })
  })

  test.each([
    ['a main language that is not one of the site’s', { locale: 'cy', languages: ['en'] }, '/data/attributes/locale'],
    ['no language', { languages: [] }, '/data/attributes/languages'],
    ['a time zone that does not exist', { timeZone: 'Mars/Olympus' }, '/data/attributes/timeZone'],
    ['holidays of nowhere', { holidays: 'mars' }, '/data/attributes/holidays'],
    ['an empty name', { name: ' ' }, '/data/attributes/name'],
    ['a contact that is no address', { contactEmail: 'town hall' }, '/data/attributes/contactEmail'],
  ])('are refused: %s', async (_, attributes, pointer) => {
    const before = await findSite()
    const { status, body } = await change(attributes)
    expect(status).toBe(422)
    expect((body as { errors: { source: { pointer: string } }[] }).errors.map(({ source }) => source.pointer)).toEqual([pointer])
    expect(await findSite()).toEqual(before)
  })

  test('take languages for the content, in any spelling, once each', async () => {
    expect((await change({ addedLanguages: ['pl', 'ZH-hans', 'ar', 'pl'] })).status).toBe(200)
    expect((await findSite()).addedLanguages).toEqual(['pl', 'zh-Hans', 'ar'])
    const shown = await createApiClient(runtime, site, admin.token).get(`/sites/${site.id}`)
    expect(requireItem(shown).attributes['addedLanguages']).toEqual(['pl', 'zh-Hans', 'ar'])
  })

  test.each([
    ['an unknown one', ['pl', 'xx'], 'not-a-language'],
    ['one of the interface', ['cy'], 'interface-language'],
    ['more than 20', ADDED_LANGUAGES.slice(0, 21), 'too-many-languages'],
  ])('refuse to add %s', async (_, addedLanguages, code) => {
    const { status, body } = await change({ addedLanguages })
    expect(status).toBe(422)
    expect((body as { errors: object[] }).errors).toMatchObject([{ code, source: { pointer: '/data/attributes/addedLanguages' } }])
    expect((await findSite()).addedLanguages).toEqual([])
  })

  test('of another site are out of reach', async () => {
    const other = await addSite(runtime, { slug: `t${Math.random().toString(36).slice(2)}` })
    expect((await change({ name: 'Mine now' }, other.id)).status).toBe(404)
    expect((await runtime.sites.find(other.host))?.name).toBe(other.name)
  })
})

describe('what is not translated', () => {
  test('is counted for each kind and language of the site, without what is archived', async () => {
    await addHub(runtime, site, { slug: 'roads', title: { en: 'Roads' } })
    await addPage(runtime, site, { slug: 'privacy', title: { en: 'Privacy', 'fr-CA': 'Confidentialité' } })
    await addProject(runtime, site, { slug: 'one', title: { en: 'One' } })
    await addProject(runtime, site, { slug: 'two', title: { en: 'Two', 'fr-CA': ' ' } })
    await addProject(runtime, site, { slug: 'old', title: { en: 'Old' }, status: 'archived' })
    expect(await countGaps()).toEqual([])
    expect((await change({ languages: ['en', 'fr-CA'] })).status).toBe(200)
    expect(await countGaps()).toEqual([
      { kind: 'hubs', language: 'fr-CA', missing: 1 },
      { kind: 'projects', language: 'fr-CA', missing: 2 },
    ])
  })
})
