import { randomBytes } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { rebuildTallies } from '#app/features/surveys/responses/response-counts.server.ts'
import { QUESTION_TYPES } from '#app/features/surveys/surveys.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { SAMPLES, listSampleQuestions } from '#tests/factories/questions.ts'
import { addPerson as addViewer, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { findDcatUsFaults } from '#tests/support/dcat-us.ts'
import { addPerson } from '#tests/support/people.ts'
import { servePortal } from '#tests/support/portals/serve.ts'
import { searchPortal } from './connectors.server.ts'
import { serveDcatAp, serveDcatUs, serveResultsCsv, serveResultsFeed, serveResultsJson } from './open-data.files.server.ts'
import { getDataset } from './dataset-page.server.ts'
import { synchroniseDue } from './synchronise.server.ts'
import { requestContext } from '#tests/support/request-context.ts'

let runtime: TestRuntime
let alder: Site
/** `alder` under the host name that a portal on this machine uses. */
let site: Site
let ctx: Ctx
let address: { project: string; survey: string }

/** Stores `count` identical responses. */
const respond = (surveyId: string, count: number, answers: Record<string, unknown>, of: Site = site) =>
  runtime.database.site(of.id).tx(async (tx) => {
    await tx.insert(responses).values(
      Array.from({ length: count }, () => ({
        siteId: of.id,
        id: createId(),
        surveyId,
        version: 1,
        language: 'en' as const,
        answers,
        source: 'web',
        receiptHash: randomBytes(32),
        submittedAt: runtime.now(),
      })),
    )
    await rebuildTallies(tx, of.id, surveyId)
  })

beforeAll(async () => {
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  alder = await addSite(runtime, { slug: 'alder' })
  site = { ...alder, host: 'localhost' }
  ctx = createCtx(runtime, site)
  const project = await addProject(runtime, site, { slug: 'elm-street' })
  const survey = await addSurvey(runtime, site, { projectId: project.id, slug: 'your-street', resultsPublic: true })
  await respond(survey.id, 40, { mode: { choice: 'bus' }, ideas: 'My name is Ana and I live at number 7' })
  await respond(survey.id, 30, { mode: { choice: 'foot' } })
  await respond(survey.id, 2, { mode: { choice: 'other', other: 'By boat' } })
  const hidden = await addProject(runtime, site, { slug: 'members-only', visibility: 'members' })
  await respond((await addSurvey(runtime, site, { projectId: hidden.id, slug: 'inside', resultsPublic: true })).id, 50, {
    mode: { choice: 'bus' },
  })
  await respond((await addSurvey(runtime, site, { projectId: project.id, slug: 'not-published' })).id, 50, { mode: { choice: 'bus' } })
  address = { project: 'elm-street', survey: 'your-street' }
})

const asked = (headers: Record<string, string> = {}) => ({
  context: requestContext(ctx),
  request: new Request('http://x', { headers }),
  params: address,
})

/** A second site with its own results, created once for all tests. */
let birch: Promise<Site> | undefined
const otherSite = () => {
  birch ??= (async () => {
    const other = await addSite(runtime, { slug: 'birch' })
    const project = await addProject(runtime, other, { slug: 'birch-lane' })
    const survey = await addSurvey(runtime, other, { projectId: project.id, slug: 'your-lane', resultsPublic: true })
    await respond(survey.id, 25, { mode: { choice: 'foot' } }, other)
    await respond(survey.id, 12, { mode: { choice: 'bus' } }, other)
    return other
  })()
  return birch
}

/** Serves a site's open data as a portal on this machine. */
async function serveOpenData(of: Site) {
  const own = await servePortal((url, response) => {
    const [, , project = '', file = ''] = url.pathname.split('/')
    const [survey = '', kind] = file.split('.')
    const serve =
      { '/data.json': serveDcatUs, '/catalog.jsonld': serveDcatAp }[url.pathname] ?? (kind === 'csv' ? serveResultsCsv : serveResultsJson)
    const at = { ...runtime, env: { ...runtime.env, PORT: Number(new URL(own.origin).port) } }
    const there = createCtx(at, { ...of, host: 'localhost' })
    const request = new Request('http://x')
    void serve({ context: requestContext(there), request, params: { project, survey } }).then(async (answer) =>
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text()),
    )
  })
  return own
}

describe('results as open data', () => {
  test('are counts with small numbers hidden and no free text', async () => {
    const text = await (await serveResultsCsv(asked())).text()
    expect(text).toContain('mode,How do you travel?,one_choice,bus,By bus,40,72,72')
    expect(text).not.toMatch(/Ana|boat/)
    // Two people are too few; the next smallest count is hidden as well, so that the first cannot be worked out.
    expect(text).toMatch(/one_choice,other,Another way,,72/)
    expect(text).toMatch(/one_choice,foot,On foot,,72/)
    const json = (await (await serveResultsJson(asked())).json()) as { licence: string; dictionary: { name: string }[]; responses: number }
    expect(json.licence).toContain('creativecommons.org')
    expect(json.responses).toBe(72)
    expect(json.dictionary.map(({ name }) => name)).toEqual(text.split('\r\n')[0]?.split(','))
  })

  test('have lines for every type of question: rows of grids, ranks, amounts, and the words of yes and no', async () => {
    const project = await addProject(runtime, site, { slug: 'kinds' })
    const definition = { schema: 1 as const, pages: [{ id: 'p', questions: listSampleQuestions() }] }
    const survey = await addSurvey(runtime, site, { projectId: project.id, slug: 'kinds', resultsPublic: true, definition })
    const answers = Object.fromEntries(
      Object.entries(SAMPLES).flatMap(([id, { answer }]) => (answer !== undefined && id !== 'file' ? [[id, answer]] : [])),
    )
    await respond(survey.id, 12, answers)
    // Other orders too, so that no rank is given by too few.
    await respond(survey.id, 12, { ranking: { ranks: { red: 1, green: 2, blue: 3 } } })
    await respond(survey.id, 12, { ranking: { ranks: { green: 1, blue: 2, red: 3 } } })
    const text = await (await serveResultsCsv({ ...asked(), params: { project: 'kinds', survey: 'kinds' } })).text()
    const [heads = [], ...rows] = parse(text, { bom: true })
    const lines = rows.map((row) => Object.fromEntries(row.map((cell, index) => [heads[index], cell])))
    const types = QUESTION_TYPES.filter((type) => type !== 'info')
    expect([...new Set(lines.map((line) => line['question_type']))].toSorted()).toEqual([...types].toSorted())
    const withoutCounts = types.filter((type) => !lines.some((line) => line['question_type'] === type && (line['count'] || line['mean'])))
    // What people write is published only once it is approved.
    expect(withoutCounts).toEqual(['short_text', 'long_text', 'email', 'phone', 'file'])
    expect(lines).toContainEqual(
      expect.objectContaining({
        question_type: 'likert',
        part: 'park',
        part_text: 'park',
        answer: 'good',
        answer_text: 'good',
        count: '12',
        answered: '12',
      }),
    )
    expect(lines).toContainEqual(expect.objectContaining({ question_type: 'yes_no', answer: 'no', answer_text: 'No', count: '12' }))
    await ctx.db.tx((tx) => tx.update(surveys).set({ resultsPublic: false }).where(eq(surveys.id, survey.id)))
  })

  test('keep their ETag while nothing changes', async () => {
    const etag = (await serveResultsCsv(asked())).headers.get('etag') ?? ''
    expect((await serveResultsCsv(asked({ 'if-none-match': etag }))).status).toBe(304)
    expect((await serveResultsCsv(asked({ 'if-none-match': '"old"' }))).status).toBe(200)
  })

  test('keep each version at its address; a new one needs five more responses and a day', async () => {
    const project = await addProject(runtime, site, { slug: 'mill-lane' })
    const survey = await addSurvey(runtime, site, { projectId: project.id, slug: 'lane', resultsPublic: true })
    const at = (version?: string, headers: Record<string, string> = {}) => ({
      ...asked(headers),
      params: { project: 'mill-lane', survey: 'lane', ...(version === undefined ? {} : { version }) },
    })
    const read = async (version?: string) =>
      (await (await serveResultsJson(at(version))).json()) as { version: string | null; responses: number; versions: { version: string }[] }
    await respond(survey.id, 4, { mode: { choice: 'bus' } })
    expect(await read()).toMatchObject({ version: null, responses: null, versions: [] })
    await respond(survey.id, 6, { mode: { choice: 'bus' } })
    const first = await read()
    expect(first).toMatchObject({ responses: 10, versions: [{ version: first.version }] })
    await respond(survey.id, 4, { mode: { choice: 'foot' } })
    runtime.setNow(new Date(Date.now() + 24 * 3_600_000))
    expect((await read()).version).toBe(first.version)
    await respond(survey.id, 20, { mode: { choice: 'foot' } })
    const second = await read()
    expect(second).toMatchObject({ responses: 34, versions: [{ version: second.version }, { version: first.version }] })
    runtime.setNow(undefined)
    const old = await serveResultsCsv(at(first.version ?? ''))
    expect(await old.text()).toContain('bus,By bus,10,10,10')
    expect((await serveResultsCsv(at(first.version ?? '', { 'if-none-match': old.headers.get('etag') ?? '' }))).status).toBe(304)
    expect((await read(first.version ?? '')).versions).toHaveLength(1)
    expect((await serveResultsCsv(at('9.20200101'))).status).toBe(404)
    expect(JSON.stringify(await (await serveDcatUs(asked())).json())).toContain(`/open-data/mill-lane/lane/${second.version}.json`)
    await ctx.db.tx((tx) => tx.update(surveys).set({ resultsPublic: false }).where(eq(surveys.id, survey.id)))
    expect((await serveResultsCsv(at(first.version ?? ''))).status).toBe(404)
  })

  test('contain free text only while it is approved in its current wording', async () => {
    const project = await addProject(runtime, site, { slug: 'quay' })
    const survey = await addSurvey(runtime, site, { projectId: project.id, slug: 'quay', resultsPublic: true })
    await respond(survey.id, 6, { mode: { choice: 'bus' } })
    await respond(survey.id, 1, { mode: { choice: 'other', other: 'By boat' }, ideas: 'More benches' })
    await respond(survey.id, 1, { ideas: 'I am Ana of number 7' })
    const admin = createApiClient(runtime, alder, (await addPerson(runtime, alder, { role: 'site_admin' })).token)
    const list = async (state?: string) => {
      const path = `/open-answers?filter[survey]=${survey.id}${state ? `&filter[state]=${state}` : ''}`
      const answered = await admin.get(path)
      expect(answered.status, JSON.stringify(answered.body)).toBe(200)
      return answered.body?.data as { id: string; attributes: { text: string } }[]
    }
    const decide = (answers: string[], approved: boolean, as = admin) =>
      as.post(
        '/open-answer-decisions',
        buildResourceDocument('open-answer-decisions', { answers, approved }, { to: { survey: { type: 'surveys', id: survey.id } } }),
      )
    const params = { project: 'quay', survey: 'quay' }
    const csv = async (version?: string) =>
      (await serveResultsCsv({ ...asked(), params: { ...params, ...(version ? { version } : {}) } })).text()
    const all = await list()
    expect(all.map(({ attributes }) => attributes.text).toSorted()).toEqual(['By boat', 'I am Ana of number 7', 'More benches'])
    expect(await csv()).not.toMatch(/benches|boat|Ana/)
    const wanted = all.filter(({ attributes }) => /benches|boat/.test(attributes.text)).map(({ id }) => id)
    const hubAdmin = createApiClient(runtime, alder, (await addPerson(runtime, alder, { role: 'hub_admin' })).token)
    expect((await decide(wanted, true, hubAdmin)).status).toBe(403)
    expect((await decide(wanted, true)).body?.data).toMatchObject({ attributes: { decided: 2 } })
    expect(await list('approved')).toHaveLength(2)
    expect(await list('waiting')).toHaveLength(1)
    runtime.setNow(new Date(Date.now() + 2 * 3_600_000))
    const text = await csv()
    expect(text).toMatch(/ideas,Your ideas,long_text,,,,8,[^\r]*,More benches,\r/)
    expect(text).toMatch(/mode,How do you travel\?,one_choice,,,,8,[^\r]*,By boat,\r/)
    // No count is published, and each line that would have one says why.
    expect(text).toMatch(
      /mode,How do you travel\?,one_choice,bus,By bus,,8,7,[^\r]*,"Some numbers are not shown, so that nobody can be identified\."\r/,
    )
    expect(text).not.toMatch(/one_choice,bus,By bus,0/)
    expect(text).not.toContain('Ana')
    const json = (await (await serveResultsJson({ ...asked(), params })).json()) as {
      version: string
      responses: number
      dictionary: object[]
    }
    expect(json.dictionary.at(-2)).toMatchObject({ name: 'text', description: expect.stringContaining('approved') })
    // Edited text needs a new approval; withdrawn text disappears from the version that had it.
    const [boat] = wanted.filter((id) => id.endsWith('.mode'))
    await ctx.db.tx((tx) =>
      tx
        .update(responses)
        .set({ answers: { mode: { choice: 'other', other: 'By my boat Ana' }, ideas: 'More benches' } })
        .where(eq(responses.id, boat?.split('.')[0] ?? '')),
    )
    expect(await csv(json.version)).not.toContain('boat')
    expect(await csv(json.version)).toContain('More benches')
    await decide(wanted, false)
    expect(await csv(json.version)).not.toContain('benches')
    runtime.setNow(undefined)
  })

  test('have a version, and a feed of recent changes', async () => {
    const json = (await (await serveResultsJson(asked())).json()) as { version: string; modified: string }
    expect(json.version).toMatch(/^1\.\d{8}$/)
    const catalogue = (await (await serveDcatUs(asked())).json()) as { dataset: { version: string; modified: string }[] }
    expect(catalogue.dataset[0]).toMatchObject({ version: json.version, modified: json.modified })
    const feed = await serveResultsFeed(asked())
    const xml = await feed.text()
    expect(xml.match(/<entry/g)).toHaveLength(2)
    expect(xml).toContain(`<updated>${json.modified}</updated>`)
    expect(xml).toMatch(/rel="enclosure" type="text\/csv" href="[^"]+\/open-data\/elm-street\/your-street\.csv"/)
    const again = await serveResultsFeed(asked({ 'if-none-match': feed.headers.get('etag') ?? '' }))
    expect(again.status).toBe(304)
  })

  test('are not found if they are unpublished or their project is not public', async () => {
    for (const [project, survey] of [
      ['elm-street', 'not-published'],
      ['members-only', 'inside'],
      ['nothing', 'nothing'],
    ] as const) {
      const { status } = await serveResultsCsv({ ...asked(), params: { project, survey } })
      expect(status).toBe(404)
    }
    const catalogue = (await (await serveDcatUs(asked())).json()) as {
      dataset: { identifier: string; landingPage: object; distribution: object[] }[]
    }
    expect(catalogue.dataset.map(({ identifier }) => identifier)).toEqual(['elm-street/your-street', 'quay/quay'])
    // DCAT-US 3.0 takes objects here, each with what its definition requires.
    const [street] = catalogue.dataset
    expect(street?.landingPage).toMatchObject({
      '@type': 'Document',
      title: expect.any(String),
      accessURL: expect.stringMatching(/results$/),
    })
    expect(street?.distribution[0]).toMatchObject({ describedBy: { '@type': 'Distribution', downloadURL: expect.any(String) } })
  })

  test('claim DCAT-US 3.0 only where they are valid by it', async () => {
    const read = async (own: Site) => {
      const context = requestContext(createCtx(runtime, own))
      return (await (await serveDcatUs({ ...asked(), context })).json()) as Record<string, unknown> & { dataset: Record<string, unknown>[] }
    }
    const claims = await read({ ...site, contactEmail: 'data@alder.example', languages: ['fr-CA'], locale: 'fr-CA' })
    expect(findDcatUsFaults(claims)).toEqual([])
    expect(claims).toMatchObject({
      conformsTo: { title: 'DCAT-US 3.0' },
      title: expect.any(String),
      publisher: { name: expect.any(String) },
      language: ['fr'],
    })
    expect(claims.dataset.length).toBeGreaterThan(0)
    for (const dataset of claims.dataset)
      expect(dataset).toMatchObject({
        accessRights: 'public',
        contactPoint: [{ hasEmail: 'mailto:data@alder.example' }],
        hasCurrentVersion: { identifier: expect.any(String) },
        landingPage: { accessURL: expect.any(String) },
      })
    expect((await read({ ...site, contactEmail: null }))['conformsTo']).toBeUndefined()
  })

  test.each([
    { giver: 'alder', taker: 'birch', path: '/data.json' },
    { giver: 'birch', taker: 'alder', path: '/data.json' },
    { giver: 'alder', taker: 'birch', path: '/catalog.jsonld' },
    { giver: 'birch', taker: 'alder', path: '/catalog.jsonld' },
  ])('of $giver are found, copied and shown by a connector of $taker from $path', async ({ giver, taker, path }) => {
    const sites = { alder: { own: alder, said: 'By bus', count: 40 }, birch: { own: await otherSite(), said: 'On foot', count: 25 } }
    const [from, to] = [sites[giver as 'alder' | 'birch'], sites[taker as 'alder' | 'birch']]
    const own = await serveOpenData(from.own)
    const api = createApiClient(runtime, to.own, (await addPerson(runtime, to.own, { role: 'site_admin' })).token)
    const idOf = (made: ApiAnswer) => {
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return (made.body?.data as { id: string } | undefined)?.id ?? ''
    }
    const portalUrl = `http://localhost:${new URL(own.origin).port}${path}`
    const made = await api.post('/city-connectors', buildResourceDocument('city-connectors', { portalUrl }))
    expect(made.body?.data).toMatchObject({ attributes: { kind: 'dcat' } })
    const there = createCtx(runtime, to.own, { viewer: await addViewer(runtime, to.own, { roles: [{ role: 'site_admin' }] }) })
    const found = await searchPortal(there, { connector: idOf(made), words: '', page: 1 })
    const sourceId = giver === 'alder' ? 'elm-street/your-street' : 'birch-lane/your-lane'
    expect(found.datasets.map(({ id }) => id)).toContain(sourceId)
    const connector = { connector: { type: 'city-connectors', id: idOf(made) } }
    const id = idOf(
      await api.post('/city-datasets', buildResourceDocument('city-datasets', { sourceId, published: true }, { to: connector })),
    )
    await synchroniseDue(runtime)
    const [row] = await there.db.tx((tx) => tx.select().from(cityDatasets).where(eq(cityDatasets.id, id)))
    expect(row).toMatchObject({ lastFault: null, version: 1 })
    const view = await getDataset(there, { slug: row?.slug ?? '', search: { q: from.said } })
    expect(view).toMatchObject({ publisher: from.own.name, licence: 'by 4.0', total: 1 })
    expect(view.table[0]).toEqual(expect.arrayContaining([from.said, from.count]))
    // The copy belongs to the site that took it and is not part of the source site's data.
    expect(await createCtx(runtime, from.own).db.tx((tx) => tx.select().from(cityDatasets).where(eq(cityDatasets.id, id)))).toEqual([])
  })
})
