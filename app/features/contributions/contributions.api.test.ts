import { beforeAll, describe, expect, test } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { searchSite } from '#app/features/search/search.server.ts'
import { buildSitemap } from '#app/features/sites/sitemap.server.ts'
import { buildKindsFile, KINDS_FILE } from '#app/cli/write-kinds.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { contributions, reactions } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution, addStage } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { addReaction } from './responding/reactions.server.ts'
import { submitReply } from './responding/replies.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const asPerson = async (person: Person) =>
  createCtx(runtime, site, {
    viewer: await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, person.token, new Date()),
  })
const toOne = (type: string, id: string) => ({ type, id })
const inAll = (text: string) => ({ en: text, 'fr-CA': text, cy: text })
type Attributes = Record<string, unknown>
const attributesOf = (body: { data?: unknown } | undefined) => (body?.data as { attributes: Attributes } | undefined)?.attributes ?? {}
const idOf = (body: { data?: unknown } | undefined) => (body?.data as { id: string } | undefined)?.id ?? ''

describe('an administrator, through the API', () => {
  test('adds a stage and an activity with its statuses, and publishes it once every language is there', async () => {
    const project = await addProject(runtime, site)
    const to = { project: toOne('projects', project.id) }
    const early = { titleTranslations: inAll('Listening'), startsAt: '2026-01-01T00:00:00Z', endsAt: '2025-12-01T00:00:00Z' }
    const refused = await api(admin).post('/project-stages', buildResourceDocument('project-stages', early, { to }))
    expect([refused.status, refused.codes]).toEqual([422, ['dates-out-of-order']])
    const stage = await api(admin).post(
      '/project-stages',
      buildResourceDocument('project-stages', { ...early, endsAt: '2999-06-01T00:00:00Z' }, { to }),
    )
    expect(stage.status).toBe(201)
    const unknown = await api(admin).post(
      '/activities',
      buildResourceDocument('activities', { kind: 'karaoke', titleTranslations: { en: 'Sing' } }, { to }),
    )
    expect([unknown.status, unknown.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/kind'])
    const made = await api(admin).post(
      '/activities',
      buildResourceDocument(
        'activities',
        { kind: 'ideas', titleTranslations: { en: 'Ideas' } },
        {
          to: { ...to, stage: toOne('project-stages', idOf(stage.body)) },
        },
      ),
    )
    expect([made.status, attributesOf(made.body)['status'], attributesOf(made.body)['slug']]).toEqual([201, 'draft', 'ideas'])
    const id = idOf(made.body)
    const statuses = await api(admin).get(`/contribution-statuses?filter[activity]=${id}`)
    expect(
      ((statuses.body?.data ?? []) as { attributes: Attributes }[]).map(({ attributes }) => [attributes['code'], attributes['needsText']]),
    ).toEqual([
      ['received', false],
      ['under_review', false],
      ['planned', false],
      ['under_way', false],
      ['done', true],
      ['not_taken_forward', true],
      ['answered', true],
    ])
    const publish = (lockVersion: number) =>
      api(admin).patch(`/activities/${id}`, buildResourceDocument('activities', { status: 'published' }, { id, lockVersion }))
    expect((await publish(1)).codes).toEqual(['translation-missing', 'translation-missing'])
    await api(admin).patch(
      `/activities/${id}`,
      buildResourceDocument('activities', { titleTranslations: inAll('Ideas') }, { id, lockVersion: 1 }),
    )
    expect((await publish(1)).status).toBe(409)
    expect(attributesOf((await publish(2)).body)['state']).toBe('open')
  })

  test('keeps a category in use as archived, and gives no address that is taken', async () => {
    const categories = [
      { id: 'green', title: inAll('Green') },
      { id: 'roads', title: inAll('Roads') },
    ]
    const activity = await addActivity(runtime, site, { settings: { categories } })
    await addContribution(runtime, site, { activityId: activity.id, number: 1, categories: ['green'] })
    const change = buildResourceDocument('activities', { settings: { categories: [] } }, { id: activity.id, lockVersion: 1 })
    const { body } = await api(admin).patch(`/activities/${activity.id}`, change)
    expect((attributesOf(body)['settings'] as Attributes)['categories']).toEqual([{ id: 'green', title: inAll('Green'), archived: true }])
    for (const slug of ['surveys', 'updates', 'data']) {
      const taken = await api(admin).patch(
        `/activities/${activity.id}`,
        buildResourceDocument('activities', { slug }, { id: activity.id, lockVersion: 2 }),
      )
      expect([taken.status, taken.codes]).toEqual([422, ['taken']])
    }
    expect((await api(admin).delete(`/activities/${activity.id}`)).status).toBe(409)
  })

  describe('statuses of an activity', () => {
    interface StatusData {
      id: string
      attributes: { title: string; archived: boolean; inUse?: boolean; needsText: boolean }
      meta: { lockVersion: number }
    }

    const readStatuses = async (activity: string, client = api(admin)) =>
      ((await client.get(`/contribution-statuses?filter[activity]=${activity}`)).body?.data ?? []) as StatusData[]
    const change = async (activity: string, id: string, attributes: Attributes, lockVersion?: number) => {
      const present = (await readStatuses(activity)).find((status) => status.id === id)
      const lock = { id, lockVersion: lockVersion ?? present?.meta.lockVersion ?? 0 }
      return api(admin).patch(`/contribution-statuses/${id}`, buildResourceDocument('contribution-statuses', attributes, lock))
    }
    const add = (activity: string, attributes: Attributes) =>
      api(admin).post(
        '/contribution-statuses',
        buildResourceDocument('contribution-statuses', attributes, { to: { activity: toOne('activities', activity) } }),
      )

    test('are added, renamed and put in order', async () => {
      const activity = await addActivity(runtime, site)
      const ids = activity.statuses.map((status) => status.id ?? '')
      const made = await add(activity.id, { titleTranslations: inAll('With our partners'), needsText: true })
      expect(made.status).toBe(201)
      const id = idOf(made.body)
      expect((await readStatuses(activity.id)).map((status) => status.id)).toEqual([...ids, id])
      expect((await change(activity.id, id, { titleTranslations: inAll('With the county'), position: 1 })).status).toBe(200)
      const listed = await readStatuses(activity.id)
      expect(listed.map((status) => status.id)).toEqual([ids[0], id, ...ids.slice(1)])
      expect(listed[1]?.attributes).toMatchObject({ title: 'With the county', needsText: true })
      expect((await change(activity.id, id, { position: 1000 })).status).toBe(200)
      expect((await readStatuses(activity.id)).map((status) => status.id)).toEqual([...ids, id])
    })

    test('one that a contribution has or had is archived: it stays there, and no answer gives it', async () => {
      const activity = await addActivity(runtime, site)
      const [received, review, planned] = activity.statuses.map((status) => status.id ?? '')
      const contribution = await addContribution(runtime, site, { activityId: activity.id, number: 1, statusId: received ?? null })
      const answer = (status: string | undefined) =>
        api(admin).post(
          '/official-responses',
          buildResourceDocument(
            'official-responses',
            { textTranslations: inAll('Soon.') },
            { to: { contribution: toOne('contributions', contribution.id), status: toOne('contribution-statuses', status ?? '') } },
          ),
        )
      expect((await answer(planned)).status).toBe(201)
      expect((await answer(review)).status).toBe(201)
      const findStatus = async (id: string | undefined) => (await readStatuses(activity.id)).find((status) => status.id === id)
      // It had this one, and has the other.
      for (const used of [planned, review]) {
        expect((await findStatus(used))?.attributes).toMatchObject({ inUse: true, archived: false })
        expect((await api(admin).delete(`/contribution-statuses/${used}`)).status).toBe(204)
        expect((await findStatus(used))?.attributes).toMatchObject({ archived: true })
        const refused = await answer(used)
        expect([refused.status, refused.codes]).toEqual([422, ['not-a-choice']])
      }
      const { body } = await api().get(`/contributions/${contribution.id}`)
      expect(body?.data).toMatchObject({ relationships: { status: { data: { id: review } } } })
      // No contribution has ever had this status.
      expect((await findStatus(received))?.attributes.inUse).toBe(false)
      expect((await api(admin).delete(`/contribution-statuses/${received}`)).status).toBe(204)
      expect(await findStatus(received)).toBeUndefined()

      expect((await change(activity.id, planned ?? '', { archived: false })).status).toBe(200)
      const offered = (await readStatuses(activity.id)).filter(({ attributes }) => !attributes.archived)
      expect(offered.at(-1)?.id).toBe(planned)
      expect((await answer(planned)).status).toBe(201)
    })

    test('new contributions get the first that is offered', async () => {
      const activity = await addActivity(runtime, site, { moderation: 'after' })
      const [received, review] = activity.statuses.map((status) => status.id ?? '')
      expect((await change(activity.id, received ?? '', { archived: true })).status).toBe(200)
      const sent = await api().post(
        '/contributions',
        buildResourceDocument(
          'contributions',
          { title: 'A bench', body: 'By the river', shownAs: 'anonymous', sendKey: 'only-the-sender-knows' },
          { id: createId(), to: { activity: toOne('activities', activity.id) } },
        ),
      )
      expect(sent.status).toBe(201)
      expect(sent.body?.data).toMatchObject({ relationships: { status: { data: { id: review } } } })
    })

    test('refused: a second save of the same version, the last one, a missing language once published, no reason for “done”', async () => {
      const draft = await addActivity(runtime, site, { status: 'draft' })
      expect((await add(draft.id, { titleTranslations: { en: 'English only' } })).status).toBe(201)
      const publishing = await api(admin).patch(
        `/activities/${draft.id}`,
        buildResourceDocument('activities', { status: 'published' }, { id: draft.id, lockVersion: 1 }),
      )
      expect([publishing.status, publishing.codes]).toEqual([422, ['translation-missing', 'translation-missing']])

      const activity = await addActivity(runtime, site)
      const [first, ...others] = activity.statuses.map((status) => status.id ?? '')
      const partly = await add(activity.id, { titleTranslations: { en: 'English only' } })
      expect([partly.status, partly.codes]).toEqual([422, ['translation-missing', 'translation-missing']])
      const late = await change(activity.id, first ?? '', { titleTranslations: inAll('New') }, 99)
      expect([late.status, late.codes]).toEqual([409, ['stale']])
      const done = activity.statuses.find(({ code }) => code === 'done')?.id ?? ''
      const silent = await change(activity.id, done, { needsText: false })
      expect([silent.status, silent.codes, silent.body?.errors?.[0]?.source?.pointer]).toEqual([
        422,
        ['always-needs-text'],
        '/data/attributes/needsText',
      ])
      for (const id of others) expect((await api(admin).delete(`/contribution-statuses/${id}`)).status).toBe(204)
      const last = await api(admin).delete(`/contribution-statuses/${first}`)
      expect([last.status, last.codes]).toEqual([409, ['last-status']])
      expect((await change(activity.id, first ?? '', { archived: true })).codes).toEqual(['last-status'])
    })

    test('whether one is in use is known to those who may edit the activity', async () => {
      const activity = await addActivity(runtime, site)
      const used = activity.statuses.find(({ code }) => code === 'planned')?.id ?? ''
      await addContribution(runtime, site, { activityId: activity.id, number: 1, statusId: used })
      const seeInUse = async (client: ReturnType<typeof api>) =>
        (await readStatuses(activity.id, client)).map(({ id, attributes }) => [id === used, attributes.inUse])
      const others = activity.statuses.length - 1
      const known = await seeInUse(api(admin))
      expect(known.filter(([isUsed, inUse]) => isUsed && inUse === true)).toHaveLength(1)
      expect(known.filter(([isUsed, inUse]) => !isUsed && inUse === false)).toHaveLength(others)
      const elsewhere = await addProject(runtime, site)
      const editor = await addPerson(runtime, site, { role: 'project_admin', projectId: activity.projectId })
      const stranger = await addPerson(runtime, site, { role: 'project_admin', projectId: elsewhere.id })
      expect(await seeInUse(api(editor))).toEqual(known)
      for (const client of [api(), api(await addPerson(runtime, site)), api(stranger)]) {
        const shown = await readStatuses(activity.id, client)
        expect(shown).toHaveLength(others + 1)
        for (const { attributes } of shown) expect(attributes).not.toHaveProperty('inUse')
      }
    })
  })

  test('deleting a stage leaves its activities', async () => {
    const project = await addProject(runtime, site)
    const stage = await addStage(runtime, site, { projectId: project.id })
    const activity = await addActivity(runtime, site, { projectId: project.id, stageId: stage.id })
    expect((await api(admin).delete(`/project-stages/${stage.id}`)).status).toBe(204)
    const { body } = await api().get(`/activities/${activity.id}`)
    const activityNow = body?.data as { relationships: { stage: { data: unknown } } } | undefined
    expect(activityNow?.relationships.stage.data).toBeNull()
  })
})

test('contributions are found by category, status and words', async () => {
  const categories = ['green', 'roads'].map((one) => ({
    id: one,
    title: inAll(one),
  }))
  const activity = await addActivity(runtime, site, {
    settings: { categories },
  })
  const planned = activity.statuses.find(({ code }) => code === 'planned')?.id ?? null
  const add = (number: number, values: Partial<Parameters<typeof addContribution>[2]>) =>
    addContribution(runtime, site, {
      activityId: activity.id,
      number,
      ...values,
    })
  await add(1, { categories: ['green'], title: 'Limes along the quay' })
  await add(2, {
    categories: ['roads', 'green'],
    statusId: planned,
    title: 'A crossing by the school',
  })
  await add(3, { categories: ['roads'], title: 'Slower traffic' })
  const find = async (filter: string) => {
    const { body } = await api().get(`/contributions?filter[activity]=${activity.id}&sort=number&${filter}`)
    return ((body?.data ?? []) as { attributes: Attributes }[]).map(({ attributes }) => attributes['number'])
  }
  expect(await find('filter[category]=green')).toEqual([1, 2])
  expect(await find(`filter[status]=${planned}`)).toEqual([2])
  expect(await find('filter[q]=crossing')).toEqual([2])
  expect(await find('filter[category]=roads&filter[q]=quay')).toEqual([])
})

describe('a sender, through the API', () => {
  const post = (activityId: string, more: Attributes = {}, id = createId(), person?: Person) =>
    api(person).post(
      '/contributions',
      buildResourceDocument(
        'contributions',
        { title: 'A bench', body: 'By the river', shownAs: 'anonymous', sendKey: 'only-the-sender-knows', ...more },
        { id, to: { activity: toOne('activities', activityId) } },
      ),
    )

  test.each(['removed', 'declined', 'withdrawn', 'erased'] as const)(
    'reacting to what was %s meanwhile, replying to it or reporting it is a 409, also for a visitor',
    async (state) => {
      const activity = await addActivity(runtime, site, { moderation: 'after' })
      const { id } = await addContribution(runtime, site, { activityId: activity.id, number: 1, state })
      const to = { contribution: toOne('contributions', id) }
      const browserToken = issueToken(runtime, site)
      const reaction = createId()
      for (const person of [undefined, admin]) {
        const answers = [
          await api(person).put(
            `/reactions/${reaction}`,
            buildResourceDocument('reactions', { value: 'support', browserToken }, { id: reaction, to }),
          ),
          await api(person).post(
            '/replies',
            buildResourceDocument('replies', { body: 'Yes', sendKey: 'only-the-sender-knows', browserToken }, { id: createId(), to }),
          ),
          await api(person).post(
            '/moderation-reports',
            buildResourceDocument('moderation-reports', { rule: 'off-topic', words: '', browserToken }, { to }),
          ),
        ]
        expect(answers.map(({ status, codes }) => [status, codes])).toEqual(answers.map(() => [409, ['vanished']]))
      }
    },
  )

  test('gets a receipt; what is held is seen by its author and by moderators only', async () => {
    const activity = await addActivity(runtime, site)
    const author = await addPerson(runtime, site)
    const { status, body } = await post(activity.id, {}, createId(), author)
    expect([status, attributesOf(body)['state']]).toEqual([201, 'held'])
    expect(attributesOf(body)['receipt']).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
    const path = `/contributions/${idOf(body)}`
    expect((await api().get(path)).status).toBe(404)
    expect((await api(await addPerson(runtime, site)).get(path)).status).toBe(404)
    expect((await api(author).get(path)).status).toBe(200)
    expect(attributesOf((await api(admin).get(path)).body)).toMatchObject({ state: 'held', doubted: false })
    expect(attributesOf((await api(author).get(path)).body)).not.toHaveProperty('receipt')
  })

  test('reads pointers to each fault, and no more than 5 are taken in 10 minutes', async () => {
    const activity = await addActivity(runtime, site)
    const { status, body } = await post(activity.id, { title: 'x'.repeat(141), body: ' ' })
    expect(status).toBe(422)
    expect(body?.errors?.map(({ code, source }) => [code, source?.pointer])).toEqual([
      ['too-long', '/data/attributes/title'],
      ['required', '/data/attributes/body'],
    ])
    const browserToken = issueToken(runtime, site)
    for (let sent = 0; sent < 5; sent++) expect((await post(activity.id, { browserToken })).status).toBe(201)
    const refused = await post(activity.id, { browserToken })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('enters for somebody what came on paper only if they answer contributions; late, without limit, and without an author', async () => {
    const project = await addProject(runtime, site)
    const closed = await addActivity(runtime, site, {
      projectId: project.id,
      postAccess: 'members',
      closesAt: new Date('2026-01-02T00:00:00Z'),
    })
    const paper = { source: 'paper', shownAs: 'first_name', shownName: 'Gwen Parry' }
    expect((await post(closed.id, paper)).status).toBe(401)
    const elsewhere = await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })
    for (const person of [await addPerson(runtime, site), elsewhere])
      expect((await post(closed.id, paper, createId(), person)).status).toBe(403)
    const team = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
    expect((await post(closed.id, {}, createId(), team)).body?.errors?.[0]?.code).toBe('activity-closed')
    const browserToken = issueToken(runtime, site)
    for (let entered = 0; entered < 6; entered++) {
      const { status, body } = await post(closed.id, { ...paper, browserToken }, createId(), team)
      expect([status, attributesOf(body)['source'], attributesOf(body)['shownName']]).toEqual([201, 'paper', 'Gwen'])
    }
    const rows = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select().from(contributions).where(eq(contributions.activityId, closed.id)))
    expect(rows.map(({ authorId }) => authorId)).toEqual(Array.from({ length: 6 }, () => null))
    const draft = await addActivity(runtime, site, { projectId: project.id, status: 'draft' })
    expect((await post(draft.id, paper, createId(), team)).body?.errors?.[0]?.code).toBe('not-published')
    expect((await post(closed.id, { source: 'pigeon' }, createId(), team)).status).toBe(422)
  })

  test('supports once, whatever the id, and withdraws by the id that only it knows', async () => {
    const activity = await addActivity(runtime, site)
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const browserToken = issueToken(runtime, site)
    const put = (id: string) =>
      api().put(
        `/reactions/${id}`,
        buildResourceDocument(
          'reactions',
          { value: 'support', browserToken },
          { id, to: { contribution: toOne('contributions', contributionId) } },
        ),
      )
    const id = createId()
    expect((await put(id)).status).toBe(201)
    expect((await put(id)).status).toBe(200)
    expect(idOf((await put(createId())).body)).toBe(id)
    expect(attributesOf((await api().get(`/contributions/${contributionId}`)).body)['supports']).toBe(1)
    expect((await api().delete(`/reactions/${id}`)).status).toBe(204)
    expect(attributesOf((await api().get(`/contributions/${contributionId}`)).body)['supports']).toBe(0)
    const person = await addPerson(runtime, site)
    const { row } = await addReaction(await asPerson(person), { id: createId(), contributionId })
    expect((await api().delete(`/reactions/${row.id}`)).status).toBe(404)
    expect((await api(person).delete(`/reactions/${row.id}`)).status).toBe(204)
  })
})

describe("a person's own data", () => {
  async function start() {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const person = await addPerson(runtime, site)
    const own = await addContribution(runtime, site, { activityId: activity.id, number: 1, authorId: person.id, title: 'Swings' })
    const other = await addContribution(runtime, site, { activityId: activity.id, number: 2 })
    const ctx = await asPerson(person)
    await addReaction(ctx, { id: createId(), contributionId: other.id })
    await submitReply(ctx, { id: createId(), sendKey: 'key-of-reply', contributionId: other.id, body: 'I would come', shownName: 'Ana' })
    return { activity, person, own, other, ctx }
  }
  const load = async (id: string) => {
    const [row] = await createCtx(runtime, site).db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
    return row
  }

  test('can be downloaded', async () => {
    const { ctx, other } = await start()
    expect(await readOwnData(ctx)).toMatchObject({
      contributions: [{ number: 1, title: 'Swings' }],
      replies: [{ body: 'I would come', contributionId: other.id }],
      reactions: [{ contributionId: other.id, value: 'support' }],
    })
  })

  test('goes with the account: texts, replies and support, and the counts follow', async () => {
    const { ctx, person, own, other } = await start()
    await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, person.id))
    expect(await load(own.id)).toMatchObject({ state: 'withdrawn', title: '', body: '', authorId: null, number: 1 })
    expect(await load(other.id)).toMatchObject({ state: 'published', supports: 0, repliesCount: 0 })
  })

  test('counts once when two accounts become one', async () => {
    const { person, own, other } = await start()
    const second = await addPerson(runtime, site)
    await addReaction(await asPerson(second), { id: createId(), contributionId: other.id })
    await mergePeople(await asPerson(admin), { from: person.id, into: second.id })
    expect(await load(own.id)).toMatchObject({ authorId: second.id, title: 'Swings' })
    expect((await load(other.id))?.supports).toBe(1)
    const rows = await createCtx(runtime, site).db.tx((tx) => tx.select().from(reactions).where(eq(reactions.contributionId, other.id)))
    expect(rows).toHaveLength(1)
  })
})

test('search and sitemap know what is published, and nothing else', async () => {
  const project = await addProject(runtime, site, { slug: 'the-quay' })
  const activity = await addActivity(runtime, site, { projectId: project.id, slug: 'ideas' })
  await addContribution(runtime, site, { activityId: activity.id, number: 1, title: 'A xylophone by the quay' })
  await addContribution(runtime, site, { activityId: activity.id, number: 2, title: 'Another xylophone', state: 'held' })
  const { hits } = await searchSite(createCtx(runtime, site), { q: 'xylophone' })
  expect(hits.map(({ kind, slug, activitySlug, projectSlug }) => [kind, slug, activitySlug, projectSlug])).toEqual([
    ['contribution', '1', 'ideas', 'the-quay'],
  ])
  const sitemap = await buildSitemap(createCtx(runtime, site))
  expect(sitemap).toContain('/projects/the-quay/ideas</loc>')
  expect(sitemap).toContain('/projects/the-quay/ideas/1</loc>')
  expect(sitemap).not.toContain('/projects/the-quay/ideas/2')
})

test('the registry of kinds is what their folders say', () => {
  expect(readFileSync(KINDS_FILE, 'utf8')).toBe(buildKindsFile())
  const folders = readdirSync(new URL('./kinds', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.length).toBeGreaterThan(0)
  for (const { name } of folders) expect(readFileSync(KINDS_FILE, 'utf8')).toContain(`'./${name}/${name}.kind.ts'`)
})
