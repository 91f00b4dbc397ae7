import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { compareWithModel, createCommand, MODEL_TIMEOUT_MS, pick, readData } from './model.ts'

interface Hub {
  id: string
  title: string
  position: number
  isPublished: boolean
}
/** The hubs of two sites, which know nothing of each other. */
interface Model {
  sites: [Hub[], Hub[]]
}
interface Real {
  sites: [Site, Site]
  tokens: [string, string]
}
type Place = 0 | 1

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})

interface Listed {
  id: string
  attributes: { titleTranslations: Record<string, string>; position: number }
  meta: { lockVersion: number }
}
const dataOf = (answer: ApiAnswer) => readData(answer) as Listed[]
/** The API of one site, for an administrator of either, or for a visitor. */
const api = ({ sites, tokens }: Real, at: Place, by: Place | 'visitor' = at) =>
  createApiClient(runtime, sites[at], by === 'visitor' ? undefined : tokens[by])
const otherOf = (place: Place): Place => (place === 0 ? 1 : 0)

/** Each site lists its own hubs, and nothing of the other. */
async function expectAgreement({ sites }: Model, real: Real): Promise<void> {
  for (const place of [0, 1] as const) {
    const listed = dataOf(await api(real, place).get('/hubs?page[size]=100'))
    const shape = ({ id, title, position }: Omit<Hub, 'isPublished'>) => `${id} ${title} ${position}`
    expect(
      listed
        .map(({ id, attributes: { titleTranslations, position } }) => shape({ id, title: titleTranslations['en'] ?? '', position }))
        .toSorted(),
    ).toEqual(sites[place].map(shape).toSorted())
  }
}

const add = (place: Place, title: string, position: number, isPublished: boolean) =>
  createCommand<Model, Real>(`add ${title} at ${position} to site ${place}`, async (model, real) => {
    const document = buildResourceDocument('hubs', { titleTranslations: { en: title }, position, isPublished })
    const answer = await api(real, place).post('/hubs', document)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    model.sites[place].push({ id: (readData(answer) as Listed).id, title, position, isPublished })
    const stranger = await api(real, place, otherOf(place)).post('/hubs', document)
    expect([401, 403], 'the other site’s administrator is nobody here').toContain(stranger.status)
    await expectAgreement(model, real)
  })

const change = (place: Place, at: number, position: number) =>
  createCommand<Model, Real>(
    `move ${at} of site ${place} to ${position}`,
    async (model, real) => {
      const hub = pick(model.sites[place], at)
      if (!hub) return
      const { meta } = readData(await api(real, place).get(`/hubs/${hub.id}`)) as Listed
      const document = buildResourceDocument('hubs', { position }, { id: hub.id, lockVersion: meta.lockVersion })
      const other = otherOf(place)
      // Its id at the other site, by that site's administrator and by its own; and the other's token here.
      expect((await api(real, other).patch(`/hubs/${hub.id}`, document)).status).toBe(404)
      expect([401, 404]).toContain((await api(real, other, place).patch(`/hubs/${hub.id}`, document)).status)
      expect([401, 403]).toContain((await api(real, place, other).patch(`/hubs/${hub.id}`, document)).status)
      await expectAgreement(model, real)
      expect((await api(real, place).patch(`/hubs/${hub.id}`, document)).status).toBe(200)
      hub.position = position
      expect((await api(real, place).patch(`/hubs/${hub.id}`, document)).codes, 'what was read is old now').toEqual(['stale'])
      await expectAgreement(model, real)
    },
    ({ sites }) => sites[place].length > 0,
  )

const remove = (place: Place, at: number) =>
  createCommand<Model, Real>(
    `remove ${at} of site ${place}`,
    async (model, real) => {
      const hub = pick(model.sites[place], at)
      if (!hub) return
      const other = otherOf(place)
      expect((await api(real, other).delete(`/hubs/${hub.id}`)).status).toBe(404)
      expect([401, 403]).toContain((await api(real, place, other).delete(`/hubs/${hub.id}`)).status)
      await expectAgreement(model, real)
      expect((await api(real, place).delete(`/hubs/${hub.id}`)).status).toBe(204)
      model.sites[place] = model.sites[place].filter(({ id }) => id !== hub.id)
      await expectAgreement(model, real)
    },
    ({ sites }) => sites[place].length > 0,
  )

/** All pages together have each hub once, in order, however large they are; the page after the last is empty. */
const readPages = (place: Place, size: number, sort: 'position' | 'title', descending: boolean, by: 'visitor' | 'administrator') =>
  createCommand<Model, Real>(`read site ${place} by ${size}, ${descending ? '-' : ''}${sort}, as ${by}`, async (model, real) => {
    const visible = model.sites[place].filter(({ isPublished }) => isPublished || by === 'administrator')
    const read: Listed[] = []
    for (let number = 1; number <= Math.ceil(visible.length / size) + 1; number++) {
      const answer = await api(real, place, by === 'visitor' ? by : place).get(
        `/hubs?sort=${descending ? '-' : ''}${sort}&page[size]=${size}&page[number]=${number}`,
      )
      expect(answer.status).toBe(200)
      expect(dataOf(answer).length).toBe(Math.max(0, Math.min(size, visible.length - (number - 1) * size)))
      expect(answer.body?.meta).toMatchObject({ total: visible.length })
      read.push(...dataOf(answer))
    }
    expect(read.map(({ id }) => id).toSorted(), 'each once').toEqual(visible.map(({ id }) => id).toSorted())
    const known = new Map(visible.map((hub) => [hub.id, hub]))
    const keys = read.map(({ id }) => known.get(id)?.[sort] ?? '')
    const direction = descending ? -1 : 1
    expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -direction : a > b ? direction : 0)))
  })

const place = fc.constantFrom<Place>(0, 1)
// Few positions and titles, so that many hubs share one.
const title = fc.constantFrom('alder', 'birch', 'cedar')
const position = fc.nat(2)

test(
  'two sites are changed and read page by page in any order, and neither sees the other',
  async () => {
    await expect(
      compareWithModel<Model, Real>(
        async () => {
          const sites: [Site, Site] = [
            await addSite(runtime, { slug: `a${createId()}` }),
            await addSite(runtime, { slug: `b${createId()}` }),
          ]
          const [first, second] = [
            await addPerson(runtime, sites[0], { role: 'site_admin' }),
            await addPerson(runtime, sites[1], { role: 'site_admin' }),
          ]
          return { model: { sites: [[], []] }, real: { sites, tokens: [first.token, second.token] } }
        },
        [
          fc.tuple(place, title, position, fc.boolean()).map((given) => add(...given)),
          fc.tuple(place, title, position, fc.boolean()).map((given) => add(...given)),
          fc.tuple(place, fc.nat(9), position).map((given) => change(...given)),
          fc.tuple(place, fc.nat(9)).map((given) => remove(...given)),
          fc
            .tuple(
              place,
              fc.integer({ min: 1, max: 4 }),
              fc.constantFrom('position' as const, 'title' as const),
              fc.boolean(),
              fc.constantFrom('visitor' as const, 'administrator' as const),
            )
            .map((given) => readPages(...given)),
        ],
        { runs: 4, steps: 40 },
      ),
    ).resolves.toBeUndefined()
  },
  MODEL_TIMEOUT_MS,
)
