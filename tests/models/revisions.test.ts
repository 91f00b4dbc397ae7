import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { getHomepage, HOMEPAGE } from '#app/features/homepage/homepage.server.ts'
import { announceDueRevisions } from '#app/features/revisions/revisions.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { compareWithModel, createCommand, MODEL_TIMEOUT_MS, pick, readData } from './model.ts'

/** Revisions never change; the newest is the draft; the one published last, of those whose time has come, is what visitors see. */
interface Model {
  hour: number
  saved: { id: string; text: string; publishedAt: number | null }[]
}
interface Real {
  site: Site
  token: string
}

let runtime: TestRuntime
const start = Date.parse('2026-06-01T12:00:00Z')
beforeAll(async () => {
  runtime = await createTestRuntime()
})

const idOf = (answer: ApiAnswer) => (answer.body?.data as { id: string } | undefined)?.id ?? ''
const toRevision = (id: string) => ({ type: 'homepage-revisions', id })
const api = ({ site, token }: Real) => createApiClient(runtime, site, token)
const findShown = ({ saved, hour }: Model) =>
  saved
    .filter(({ publishedAt }) => publishedAt !== null && publishedAt <= hour)
    .toSorted((a, b) => (a.publishedAt ?? 0) - (b.publishedAt ?? 0) || (a.id < b.id ? -1 : 1))
    .at(-1)

async function expectAgreement(model: Model, real: Real): Promise<void> {
  await announceDueRevisions(runtime, [HOMEPAGE])
  const [first] = (await getHomepage(createCtx(runtime, real.site))).blocks
  expect(first?.type === 'hero' ? first.title.text : '').toBe(findShown(model)?.text ?? '')
  const list = await api(real).get('/homepage-revisions?sort=createdAt&page[size]=50')
  const texts = (readData(list) as { id: string; attributes: { content: { blocks: { title: { en: string } }[] } } }[]).map(
    ({ id, attributes }) => [id, attributes.content.blocks[0]?.title.en],
  )
  expect(texts.toSorted()).toEqual(model.saved.map(({ id, text }) => [id, text]).toSorted())
  const seen = await createApiClient(runtime, real.site).get('/homepage-revisions?page[size]=50')
  const visible = model.saved.filter(({ publishedAt }) => publishedAt !== null && publishedAt <= model.hour).map(({ id }) => id)
  expect((readData(seen) as { id: string }[]).map(({ id }) => id).toSorted(), 'visitors see what was published').toEqual(visible.toSorted())
}

let number = 0
/** Saves on top of the draft, or of another revision, or of none: only the first is accepted. */
const save = (on: 'draft' | 'other' | 'none', at: number) =>
  createCommand<Model, Real>(`save on ${on} ${at}`, async (model, real) => {
    const draft = model.saved.at(-1)
    const parent = on === 'draft' ? draft : on === 'other' ? pick(model.saved, at) : undefined
    const text = `Text ${++number}`
    const content = { schema: 2, blocks: [{ id: 'a', type: 'hero', title: { en: text }, text: {} }] }
    const to = parent ? { to: { parent: toRevision(parent.id) } } : {}
    const answer = await api(real).post('/homepage-revisions', buildResourceDocument('homepage-revisions', { content }, to))
    expect([answer.status, ...answer.codes]).toEqual(parent?.id === draft?.id ? [201] : [409, 'stale'])
    if (answer.status === 201) model.saved.push({ id: idOf(answer), text, publishedAt: null })
    await expectAgreement(model, real)
  })

/** Publishes any revision, now or in some hours; one that was published already cannot be scheduled. */
const publish = (at: number, hours: number) =>
  createCommand<Model, Real>(
    `publish ${at} in ${hours} h`,
    async (model, real) => {
      const revision = pick(model.saved, at)
      if (!revision) return
      const when = model.hour + hours
      const attributes = hours > 0 ? { publishAt: new Date(start + when * 3_600_000).toISOString() } : {}
      const answer = await api(real).post(
        '/homepage-publications',
        buildResourceDocument('homepage-publications', attributes, { to: { revision: toRevision(revision.id) } }),
      )
      const wasPublished = revision.publishedAt !== null && revision.publishedAt <= model.hour
      expect(answer.status).toBe(hours > 0 && wasPublished ? 409 : 201)
      if (answer.status === 201) revision.publishedAt = when
      await expectAgreement(model, real)
    },
    ({ saved }) => saved.length > 0,
  )

/** Cancels what is scheduled, or takes back what is shown, so that the one before is shown again; nothing else. */
const withdraw = (at: number) =>
  createCommand<Model, Real>(
    `withdraw ${at}`,
    async (model, real) => {
      const revision = pick(model.saved, at)
      if (!revision) return
      const answer = await api(real).delete(`/homepage-publications/${revision.id}`)
      const isScheduled = revision.publishedAt !== null && revision.publishedAt > model.hour
      const isShown = findShown(model)?.id === revision.id
      if (isScheduled || isShown) expect(answer.status).toBe(204)
      else expect([404, 409]).toContain(answer.status)
      if (answer.status === 204) revision.publishedAt = null
      await expectAgreement(model, real)
    },
    ({ saved }) => saved.length > 0,
  )

const wait = (hours: number) =>
  createCommand<Model, Real>(`wait ${hours} h`, async (model, real) => {
    model.hour += hours
    runtime.setNow(new Date(start + model.hour * 3_600_000))
    await expectAgreement(model, real)
  })

test(
  'revisions are saved, published, scheduled and withdrawn in any order as the model says',
  async () => {
    await expect(
      compareWithModel<Model, Real>(
        async () => {
          runtime.setNow(new Date(start))
          const site = await addSite(runtime, { slug: `m${createId()}`, languages: ['en'] })
          const { token } = await addPerson(runtime, site, { role: 'site_admin' })
          return { model: { hour: 0, saved: [] }, real: { site, token } }
        },
        [
          fc
            .tuple(fc.constantFrom('draft' as const, 'draft' as const, 'other' as const, 'none' as const), fc.nat(9))
            .map((given) => save(...given)),
          fc.tuple(fc.nat(9), fc.constantFrom(0, 0, 1, 3)).map((given) => publish(...given)),
          fc.tuple(fc.nat(9), fc.constantFrom(0, 0, 1, 3)).map((given) => publish(...given)),
          fc.nat(9).map(withdraw),
          fc.integer({ min: 1, max: 4 }).map(wait),
        ],
        { runs: 5, steps: 40 },
      ),
    ).resolves.toBeUndefined()
  },
  MODEL_TIMEOUT_MS,
)
