import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getSiteFrame } from '#app/features/sites/sites.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { getAppRole, buildAppUrl } from '#app/server/connection-string.ts'
import { createCtx, type Ctx, withLanguage } from '#app/server/context.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { cityConnectors, cityDatasetCommonWords, cityDatasetRows, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { type PortalServer, servePortal } from '#tests/support/portals/serve.ts'
import { serveSocrata } from '#tests/support/portals/socrata.ts'
import { serveDatasetFile } from './dataset-download.server.ts'
import { countSitesDue } from './due-datasets.server.ts'
import { readFigure, readFiguresOfProject } from './dataset-figures.server.ts'
import { MAX_ROWS, MAX_SORTED_ROWS } from './opencities.schema.ts'
import { readOpencitiesMeta } from './opencities.server.ts'
import { listPublishedDatasets } from './published-datasets.server.ts'
import { getDataset } from './dataset-page.server.ts'
import { synchroniseDue } from './synchronise.server.ts'
import { canCarrySecret } from './portals/portal-reader.server.ts'
import { requestContext } from '#tests/support/request-context.ts'

const TREES = `Rue;Essence;Diamètre (cm);Plantation;lat;lon
Rue Fern;Érable argenté;42,5;14/05/2019;45.4215;-75.6972
Rue Mill;Chêne rouge;1 020,25;2020-10-01;45.4301;-75.7002
"Rue ""du Port""";<b>Tilleul</b>;;31/12/2021;;
`

let runtime: TestRuntime
let site: Site
let admin: Person
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
/** The portal's answer to the next requests. */
let answer: { status?: number; headers?: Record<string, string>; body: string }
let portal: PortalServer

beforeEach(async () => {
  runtime ??= await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  portal ??= await servePortal((_, response) =>
    response.writeHead(answer.status ?? 200, { 'content-type': 'text/csv; charset=utf-8', ...answer.headers }).end(answer.body),
  )
  runtime.setNow(undefined)
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, admin.token)
  answer = { body: TREES }
  portal.asked.length = 0
})

afterEach(() => runtime.database.global.update(sites).set({ status: 'suspended' }).where(eq(sites.id, site.id)))

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Records every statement sent to the runtime's database until it is stopped. */
function record({ database: { pool } }: TestRuntime) {
  const queries: { text: string; values: unknown[] }[] = []
  const undo: (() => void)[] = []
  const listen = (client: pg.PoolClient) => {
    const asked = client.query.bind(client)
    const listening = (...given: unknown[]) => {
      const [first, values] = given as [string | { text: string; values?: unknown[] }, unknown]
      queries.push({
        text: typeof first === 'string' ? first : first.text,
        values: Array.isArray(values) ? values : (typeof first === 'object' && first.values) || [],
      })
      return Reflect.apply(asked, undefined, given) as unknown
    }
    Object.assign(client, { query: listening })
    undo.push(() => Reflect.deleteProperty(client, 'query'))
  }
  pool.on('acquire', listen)
  const stop = () => {
    pool.off('acquire', listen)
    for (const one of undo.toReversed()) one()
  }
  return { queries, stop }
}

const idOf = (made: ApiAnswer): string => {
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const data = made.body?.data as { id: string } | undefined
  return data?.id ?? ''
}
const addConnector = async (path = '/arbres.csv', attributes: Record<string, unknown> = {}) =>
  idOf(
    await api.post(
      '/city-connectors',
      buildResourceDocument('city-connectors', { portalUrl: portal.origin + path, language: 'fr-CA', ...attributes }),
    ),
  )
const addDataset = async (connector: string, attributes: Record<string, unknown> = {}, project?: string) =>
  idOf(
    await api.post(
      '/city-datasets',
      buildResourceDocument(
        'city-datasets',
        { sourceId: `${portal.origin}/arbres.csv`, published: true, ...attributes },
        {
          to: { connector: { type: 'city-connectors', id: connector }, ...(project ? { project: { type: 'projects', id: project } } : {}) },
        },
      ),
    ),
  )
const stored = async (id: string) => {
  const [row] = await ctx.db.tx((tx) => tx.select().from(cityDatasets).where(eq(cityDatasets.id, id)))
  if (!row) throw new Error('gone')
  return row
}
const later = (minutes: number) => runtime.setNow(new Date(Date.now() + minutes * 60_000))
const copies = async (id: string) =>
  new Set((await ctx.db.tx((tx) => tx.select().from(cityDatasetRows).where(eq(cityDatasetRows.datasetId, id)))).map((row) => row.version))

describe('a file of a portal', () => {
  test('becomes a table that people can search, sort and download, whatever notation its numbers and dates use', async () => {
    const id = await addDataset(await addConnector())
    await synchroniseDue(runtime)
    const [listed] = await listPublishedDatasets(ctx, { project: null })
    expect(listed).toMatchObject({ slug: 'arbres', rows: 3 })
    const view = await getDataset(ctx, { slug: 'arbres', search: {} })
    expect(view.columns.map(({ name, type }) => [name.text, type])).toEqual([
      ['Rue', 'text'],
      ['Essence', 'text'],
      ['Diamètre (cm)', 'number'],
      ['Plantation', 'date'],
      ['lat', 'number'],
      ['lon', 'number'],
      ['place', 'place'],
    ])
    expect(view.table).toEqual([
      ['Rue Fern', 'Érable argenté', 42.5, '2019-05-14', 45.4215, -75.6972, [-75.6972, 45.4215]],
      ['Rue Mill', 'Chêne rouge', 1020.25, '2020-10-01', 45.4301, -75.7002, [-75.7002, 45.4301]],
      ['Rue "du Port"', '<b>Tilleul</b>', null, '2021-12-31', null, null, null],
    ])
    expect(view.map?.points).toHaveLength(2)
    const first = async (search: Parameters<typeof getDataset>[1]['search']) =>
      (await getDataset(ctx, { slug: 'arbres', search })).table.map(([rue]) => rue)
    expect(await first({ q: 'erable' })).toEqual(['Rue Fern'])
    expect(await first({ sort: '-c2' })).toEqual(['Rue Mill', 'Rue Fern', 'Rue "du Port"'])
    expect(await first({ sort: 'c2' })).toEqual(['Rue Fern', 'Rue Mill', 'Rue "du Port"'])
    const file = await serveDatasetFile({
      context: requestContext(ctx),
      params: { slug: 'arbres' },
      request: new Request('http://x'),
    })
    expect((await file.text()).split('\r\n')[1]).toBe('Rue Fern,Érable argenté,42.5,2019-05-14,45.4215,-75.6972,"45.4215, -75.6972"')
    const again = await serveDatasetFile({
      context: requestContext(ctx),
      params: { slug: 'arbres' },
      request: new Request('http://x', { headers: { 'if-none-match': file.headers.get('etag') ?? '' } }),
    })
    expect(again.status).toBe(304)
    expect((await stored(id)).dueAt?.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    expect(await readOpencitiesMeta(ctx)).toEqual({ total: 1 })
  })

  test('is shown with the chosen columns, names, filter and chart', async () => {
    const id = await addDataset(await addConnector())
    const columns = (await stored(id)).columns as { key: string; type: string; name: object; shown: boolean }[]
    const chosen = [
      { ...columns[1], name: { en: 'Species', 'fr-CA': 'Essence' } },
      { ...columns[0], shown: true },
    ]
    const change = (attributes: Record<string, unknown>, lockVersion: number) =>
      api.patch(`/city-datasets/${id}`, buildResourceDocument('city-datasets', attributes, { id, lockVersion }))
    const chart = { form: 'bar', label: 'Essence', values: 'Diamètre (cm)' }
    const changed = await change({ columns: chosen, chart, rowFilter: { key: 'Rue', value: 'Rue Fern' } }, 1)
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect((await change({ columns: [] }, 1)).codes).toEqual(['stale'])
    expect((await change({ chart: { ...chart, label: 'Nothing' } }, 2)).codes).toEqual(['not-a-choice'])
    await synchroniseDue(runtime)
    const view = await getDataset(ctx, { slug: 'arbres', search: {} })
    expect(view.columns.map(({ name }) => name.text)).toEqual(['Species', 'Rue'])
    expect(view.table).toEqual([['Érable argenté', 'Rue Fern']])
    expect(view.chart).toMatchObject({ points: [{ label: 'Érable argenté', value: 42.5 }], more: 0 })
    // A new name shows at once, without another copy.
    const { version, lockVersion } = await stored(id)
    await change({ columns: [{ ...chosen[0], name: { en: 'Kind of tree' } }, chosen[1]] }, lockVersion)
    expect((await getDataset(ctx, { slug: 'arbres', search: {} })).columns[0]?.name.text).toBe('Kind of tree')
    await synchroniseDue(runtime)
    expect((await stored(id)).version).toBe(version)
  })

  test("is drawn next to other content as requested, in the reader's language, with source, licence and age", async () => {
    const id = await addDataset(await addConnector(), { licence: 'Licence ouverte' })
    await synchroniseDue(runtime)
    const french = withLanguage(ctx, 'fr-CA')
    const map = await readFigure(french, { id, form: 'map' })
    expect(map?.drawing).toMatchObject({ form: 'map', places: [{ name: 'Rue Fern' }, { name: 'Rue Mill' }] })
    expect(map?.facts.map(({ term, text }) => [term, text])).toEqual([
      ['Source', '127.0.0.1'],
      ['Licence', 'Licence ouverte'],
      ['Copiées', expect.stringMatching(/\d{4}$/)],
    ])
    expect(map?.words.whole).toBe('Voir tout le tableau (3 lignes)')
    const table = await readFigure(french, { id, form: 'table' })
    expect(table?.drawing).toMatchObject({ rows: [expect.arrayContaining(['42,5', '14 mai 2019']), expect.anything(), expect.anything()] })
    await api.patch(
      `/city-datasets/${id}`,
      buildResourceDocument('city-datasets', { chart: { form: 'bar', label: 'Essence', values: 'Diamètre (cm)' } }, { id, lockVersion: 1 }),
    )
    await synchroniseDue(runtime)
    expect((await readFigure(ctx, { id, form: 'chart' }))?.drawing).toMatchObject({
      form: 'bar',
      points: [
        { name: 'Érable argenté', counted: '42.5' },
        { name: 'Chêne rouge', counted: '1,020.25' },
      ],
    })
  })

  test('is kept while the portal says nothing changed, and replaced as a whole when it did', async () => {
    answer.headers = { etag: '"1"' }
    const id = await addDataset(await addConnector())
    await synchroniseDue(runtime)
    answer = { status: 304, body: '' }
    later(25 * 60)
    await synchroniseDue(runtime)
    expect(portal.headers()['if-none-match']).toBe('"1"')
    expect(await stored(id)).toMatchObject({ version: 1, failures: 0 })
    answer = { headers: { etag: '"2"' }, body: 'Rue;Essence;Diamètre (cm);Plantation;lat;lon\nRue Neuve;Orme;3;2024-01-01;;\n' }
    later(50 * 60)
    await synchroniseDue(runtime)
    expect((await getDataset(ctx, { slug: 'arbres', search: {} })).table.map(([rue]) => rue)).toEqual(['Rue Neuve'])
    expect(await copies(id)).toEqual(new Set([2]))
  })

  test('stays visible with its age when the portal fails, and administrators are told in their language', async () => {
    const id = await addDataset(await addConnector())
    await synchroniseDue(runtime)
    answer = { status: 403, body: 'no' }
    for (const minutes of [1500, 1510, 1520]) {
      later(minutes)
      await synchroniseDue(runtime)
    }
    expect(await stored(id)).toMatchObject({ version: 1, failures: 3, lastFault: { code: 'portal-refused' } })
    const view = await getDataset(ctx, { slug: 'arbres', search: {} })
    expect(view.failing).toBe(true)
    expect(view.table).toHaveLength(3)
    const mails = await ctx.db.tx((tx) => tx.select().from(outboxMails))
    expect(mails.map((mail) => mail.kind)).toEqual(['city-data-failed'])
    expect(mails[0]?.bodyText).toContain('It may need an API token')
    // After repeated failures the portal is paused.
    for (const minutes of [1600, 1800, 2000, 2400]) {
      later(minutes)
      await synchroniseDue(runtime)
    }
    const [connector] = await ctx.db.tx((tx) => tx.select().from(cityConnectors))
    expect(connector?.pausedUntil).toBeInstanceOf(Date)
    // Requested by hand, it is retried at once.
    answer = { body: TREES }
    runtime.setNow(undefined)
    await api.post(
      '/city-synchronisations',
      buildResourceDocument('city-synchronisations', {}, { to: { dataset: { type: 'city-datasets', id } } }),
    )
    await synchroniseDue(runtime)
    expect(await stored(id)).toMatchObject({ version: 2, failures: 0, lastFault: null })
  })

  test('is not taken if its chosen columns are gone', async () => {
    const id = await addDataset(await addConnector())
    await synchroniseDue(runtime)
    answer = { body: 'Rue;Diamètre\nRue Fern;1\n' }
    later(25 * 60)
    await synchroniseDue(runtime)
    expect(await stored(id)).toMatchObject({ version: 1, lastFault: { code: 'portal-columns-changed' } })
    expect(await copies(id)).toEqual(new Set([1]))
  })

  test.each([
    ['portal-address-refused', { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' }, body: '' }],
    ['portal-redirects', { status: 302, headers: { location: '/arbres.csv' }, body: '' }],
    ['portal-cell-too-large', { body: `Rue;Essence\n"${'x'.repeat(10_000_000)}";1\n` }],
    ['portal-columns-changed', { body: '<b>Rue</b>;<i>Essence</i>\n1;2\n' }],
  ] as const)('is kept as it was, with the reason %s, when its portal goes wrong', async (code, bad) => {
    const id = await addDataset(await addConnector())
    await synchroniseDue(runtime)
    answer = { ...bad }
    later(25 * 60)
    await synchroniseDue(runtime)
    expect(await stored(id)).toMatchObject({ version: 1, lastFault: { code } })
    expect(await copies(id)).toEqual(new Set([1]))
    expect((await getDataset(ctx, { slug: 'arbres', search: {} })).table).toHaveLength(3)
  })

  test('is read through its index, never by scanning the rows of all copies', async () => {
    await addDataset(await addConnector())
    await synchroniseDue(runtime)
    const owner = new pg.Client({ connectionString: runtime.ownerUrl })
    await owner.connect()
    const size = 20_000
    const add = (copy: number, rows: number, cells: string, words: string) =>
      owner.query(
        `insert into city_dataset_rows (site_id, dataset_id, version, position, cells, words)
         select site_id, dataset_id, $2::int, n, ${cells}, ${words} from city_dataset_rows cross join generate_series(3, $3::int - 1) n
         where site_id = $1 and version = 1 and position = 1`,
        [site.id, copy, rows],
      )
    await add(1, size, `jsonb_set(cells, '{0}', to_jsonb('Rue ' || n))`, `'rue ' || n || ' ' || words`)
    // Other copies in the same table, as other sites have, that nobody reads here.
    for (let copy = 2; copy <= 9; copy++) await add(copy, size, 'cells', 'words')
    await owner.query('update city_datasets set row_count = $2 where site_id = $1', [site.id, size])
    await owner.query('analyze city_dataset_rows')
    await owner.end()
    const { queries, stop } = record(runtime)
    const pages = [
      await getDataset(ctx, { slug: 'arbres', search: {} }),
      await getDataset(ctx, { slug: 'arbres', search: { page: 700 } }),
      await getDataset(ctx, { slug: 'arbres', search: { sort: 'c0' } }),
      await getDataset(ctx, { slug: 'arbres', search: { sort: '-c2', page: 3 } }),
      await getDataset(ctx, { slug: 'arbres', search: { q: 'rue 199' } }),
      await getDataset(ctx, { slug: 'arbres', search: { q: 'chene', sort: '-c0', page: 2 } }),
    ]
    stop()
    expect(pages.map(({ total }) => total)).toEqual([size, size, size, size, expect.any(Number), expect.any(Number)])
    expect(pages.every(({ table }) => table.length === 25)).toBe(true)
    const ofRows = queries.filter(({ text }) => /^\s*(select|with)\b/i.test(text) && text.includes('city_dataset_rows'))
    expect(ofRows.length).toBeGreaterThanOrEqual(pages.length)
    const client = await runtime.database.pool.connect()
    await client.query(`begin; set local parley.site_id = '${site.id}'`)
    for (const { text, values } of ofRows) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${text}`, values)
      const plan = rows[0] && nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'city_dataset_rows')
      expect(
        plan?.map((node) => node['Node Type']),
        text,
      ).not.toContain('Seq Scan')
      expect(plan?.length, text).toBeGreaterThan(0)
    }
    await client.query('rollback')
    client.release()
  })

  test('a large one is sorted and searched through what was stored once', async () => {
    const size = MAX_SORTED_ROWS + 1
    answer = {
      body: `name;height;kind\n${Array.from({ length: size }, (_, n) => `tree${n}x;${n % 1000 === 7 ? '' : (n * 7919) % size};${n % 3 ? 'Oak' : 'Élm'}`).join('\n')}\n`,
    }
    const id = await addDataset(await addConnector(), { chart: { form: 'bar', label: 'kind', values: 'height' } })
    await synchroniseDue(runtime)
    const read = async (search: Parameters<typeof getDataset>[1]['search']) => getDataset(ctx, { slug: 'arbres', search })
    const heights = async (search: Parameters<typeof getDataset>[1]['search']) => (await read(search)).table.map(([, height]) => height)
    expect((await heights({ sort: 'c1' })).slice(0, 3)).toEqual([0, 1, 2])
    const down = await heights({ sort: '-c1' })
    expect(down).toEqual(down.toSorted((a, b) => Number(b) - Number(a)))
    expect(down[0]).toBeGreaterThan(size - 3)
    // Empty cells come last in both directions.
    const last = Math.ceil(size / 25)
    expect((await heights({ sort: '-c1', page: last })).at(-1)).toBeNull()
    expect((await heights({ sort: 'c1', page: last })).at(-1)).toBeNull()
    expect(await read({ q: 'tree99999x' })).toMatchObject({ total: 1, table: [['tree99999x', expect.anything(), 'Élm']] })
    // The last word may be incomplete.
    const some = (await read({ q: 'elm tree9999', sort: '-c1' })).table
    expect(some.map(([name]) => name).toSorted()).toEqual(['tree99990x', 'tree99993x', 'tree99996x', 'tree99999x', 'tree9999x'])
    expect(some.map(([, height]) => height)).toEqual(some.map(([, height]) => Number(height)).toSorted((x, y) => y - x))
    expect((await read({ q: '…' })).total).toBe(size)
    // Common words and beginnings: the same counts as from looking at every row.
    const named = (n: number) => `tree${n}x`
    const all = Array.from({ length: size }, (_, n) => n)
    const matching = (test: (n: number) => boolean) => all.filter(test)
    const numbers = (n: number, start: string) =>
      [named(n), n % 1000 === 7 ? '' : `${(n * 7919) % size}`].some((word) => word.startsWith(start))
    for (const [q, test] of [
      ['elm', (n) => n % 3 === 0],
      ['oak', (n) => n % 3 !== 0],
      ['oak tr', (n) => n % 3 !== 0],
      ['tree elm', () => false],
      ['oak elm', () => false],
      ['e', (n) => n % 3 === 0],
      ['elm tree4', (n) => n % 3 === 0 && numbers(n, 'tree4')],
      ['9', (n) => numbers(n, '9')],
      ['elm 8', (n) => n % 3 === 0 && numbers(n, '8')],
    ] as [string, (n: number) => boolean][]) {
      const wanted = matching(test)
      const { total, table } = await read({ q })
      expect([q, total, table.map(([name]) => name)]).toEqual([q, wanted.length, wanted.slice(0, 25).map(named)])
    }
    const elms = matching((n) => n % 3 === 0 && n % 1000 !== 7).toSorted((a, b) => ((b * 7919) % size) - ((a * 7919) % size))
    expect((await read({ q: 'elm', sort: '-c1', page: 3 })).table.map(([name]) => name)).toEqual(elms.slice(50, 75).map(named))
    expect((await read({ q: 'elm', sort: '-c1', page: Math.ceil(size / 3 / 25) })).table.at(-1)?.[1]).toBeNull()
    const common = await ctx.db.tx((tx) => tx.select().from(cityDatasetCommonWords).where(eq(cityDatasetCommonWords.datasetId, id)))
    expect(common.map(({ beginning, longest }) => `${beginning}→${longest}.`)).toEqual(
      expect.arrayContaining(['e→elm .', 'o→oak .', 't→tree.']),
    )
    const { chart } = await read({})
    expect(chart?.points.map(({ label }) => label)).toEqual(['Élm', 'Oak'])
    expect((await stored(id)).drawn).toMatchObject({ points: chart?.points })
    // Another chart of the same columns is summed when it is chosen, and stored.
    const change = { chart: { form: 'line', label: 'kind', values: 'height' } }
    await api.patch(
      `/city-datasets/${id}`,
      buildResourceDocument('city-datasets', change, { id, lockVersion: (await stored(id)).lockVersion }),
    )
    expect((await stored(id)).drawn).toMatchObject({ form: 'line', points: chart?.points })
    expect((await read({})).chart).toMatchObject({ form: 'line', points: chart?.points })
  })

  test.each([
    ['in seconds', () => '3600'],
    ['until an hour from now', () => new Date(Date.now() + 3_600_000).toUTCString()],
  ])('one that waits as long as the portal asks: %s', async (_, header) => {
    const id = await addDataset(await addConnector())
    answer = { status: 429, headers: { 'retry-after': header() }, body: '' }
    await synchroniseDue(runtime)
    const { dueAt, lastFault } = await stored(id)
    expect(lastFault).toMatchObject({ code: 'portal-busy' })
    expect(dueAt?.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
  })
})

describe('a copy in progress', () => {
  /** Number of the first permit; the portal has two and a half pages of them. */
  let first = 0
  let server: PortalServer
  const ROWS = 25_000
  const inTheMiddle = (path: string) => path.includes('offset=20000')
  const progress = async (id: string) => {
    const read = await api.get(`/city-synchronisations/${id}`)
    return (read.body?.data as { attributes: { state: string; rows: number } } | undefined)?.attributes
  }
  const copied = async () => {
    server ??= await serveSocrata(ROWS, { first: () => first })
    first = 0
    const connector = await addConnector('', { portalUrl: server.origin })
    const id = await addDataset(connector, { sourceId: 'abcd-1234' })
    await synchroniseDue(runtime)
    expect(await stored(id)).toMatchObject({ version: 1, rowCount: ROWS })
    // New data, whose copy stops half-way.
    first = 50_000
    server.hold(inTheMiddle)
    await api.post(
      '/city-synchronisations',
      buildResourceDocument('city-synchronisations', {}, { to: { dataset: { type: 'city-datasets', id } } }),
    )
    expect(await progress(id)).toMatchObject({ state: 'waiting' })
    return id
  }
  const inView = async (permit: string) => (await getDataset(ctx, { slug: 'building-permits', search: { q: permit } })).total
  const download = () =>
    serveDatasetFile({
      context: requestContext(ctx),
      params: { slug: 'building-permits' },
      request: new Request('http://x'),
    })
  afterEach(() => server.letGo())

  test('resumes where it stopped after a kill, and nobody sees it before it is complete', async () => {
    const id = await copied()
    const prepared = {
      databaseUrl: buildAppUrl(runtime.ownerUrl, runtime.secret, getAppRole('template_parley')),
      secret: runtime.secret,
      migrations: [],
    }
    const child = fork('app/cli/job-process.ts', ['copy-city-data'], {
      execArgv: [],
      env: { PATH: process.env['PATH'], OUTGOING_LOOPBACK: '1', DATA_DIR: runtime.env.DATA_DIR, PARLEY_PREPARED: JSON.stringify(prepared) },
    })
    await expect.poll(() => progress(id), { timeout: 30_000 }).toMatchObject({ state: 'running', rows: 20_000 })
    expect([await inView('P-000004'), await inView('P-050004')]).toEqual([1, 0])
    const begun = await download()
    child.kill('SIGKILL')
    await once(child, 'exit')
    // Nobody takes it over before its lease ends.
    expect(await synchroniseDue(runtime)).toBe(0)
    later(3)
    server.letGo()
    server.asked.length = 0
    expect(await synchroniseDue(runtime)).toBe(1)
    expect(server.asked.filter((path) => path.startsWith('/resource/')).map((path) => /offset=(\d+)/.exec(path)?.[1])).toEqual(['20000'])
    expect(await stored(id)).toMatchObject({ version: 2, rowCount: ROWS, run: null })
    expect([await inView('P-000004'), await inView('P-050004'), await inView('P-074999')]).toEqual([0, 1, 1])
    const rows = await ctx.db.tx((tx) => tx.select().from(cityDatasetRows).where(eq(cityDatasetRows.datasetId, id)))
    expect(rows).toHaveLength(ROWS)
    expect(new Set(rows.map((row) => (row.cells as string[])[0])).size).toBe(ROWS)
    // A download whose copy is replaced half-way fails instead of ending as if it were complete.
    await expect(begun.text()).rejects.toThrow('replaced')
    expect((await (await download()).text()).trim().split('\r\n')).toHaveLength(ROWS + 1)
  })

  test('stays with the process that waits for a slow portal, however long that takes', async () => {
    const id = await addDataset(await addConnector())
    portal.asked.length = 0
    portal.hold(() => true)
    const leaseMs = 3000
    const first = synchroniseDue(runtime, leaseMs)
    const tried = []
    for (let look = 0; look < 6; look++) {
      await wait(leaseMs / 4)
      tried.push(await countSitesDue(runtime))
    }
    const asked = portal.asked.length
    portal.letGo()
    await first
    expect(tried).toEqual([0, 0, 0, 0, 0, 0])
    expect(asked).toBe(1)
    expect(await stored(id)).toMatchObject({ version: 1, leaseUntil: null })
  }, 30_000)

  test('is cancelled by the administrator who asked for it, and the current one stays', async () => {
    const id = await copied()
    const copying = synchroniseDue(runtime)
    await expect.poll(() => progress(id), { timeout: 30_000 }).toMatchObject({ state: 'running', rows: 20_000 })
    expect((await api.delete(`/city-synchronisations/${id}`)).status).toBe(204)
    server.letGo()
    await copying
    expect((await api.get(`/city-synchronisations/${id}`)).status).toBe(404)
    expect(await stored(id)).toMatchObject({ version: 1, rowCount: ROWS, run: null, lastFault: null })
    expect([await inView('P-000004'), await inView('P-050004')]).toEqual([1, 0])
  })

  test('stops when its turn runs out, and the next turn resumes it', async () => {
    const id = await copied()
    const copying = synchroniseDue(runtime)
    await expect.poll(() => progress(id), { timeout: 30_000 }).toMatchObject({ rows: 20_000 })
    later(31)
    server.letGo()
    await copying
    expect(await stored(id)).toMatchObject({ version: 1, lastFault: { code: 'portal-too-slow' }, run: { rows: 20_000 } })
    later(60)
    await synchroniseDue(runtime)
    expect(await stored(id)).toMatchObject({ version: 2, rowCount: ROWS, lastFault: null })
  })

  test('is abandoned at the row limit, and the current one stays', async () => {
    const id = await copied()
    const copying = synchroniseDue(runtime)
    await expect.poll(() => progress(id), { timeout: 30_000 }).toMatchObject({ rows: 20_000 })
    later(31)
    server.letGo()
    await copying
    // Pretend that many rows were copied before: five thousand are left, and only half of them fit.
    const { run } = await stored(id)
    const nearly = { ...(run as object), rows: MAX_ROWS - 2500 }
    await ctx.db.tx((tx) => tx.update(cityDatasets).set({ run: nearly }).where(eq(cityDatasets.id, id)))
    later(60)
    await synchroniseDue(runtime)
    expect(await stored(id)).toMatchObject({ version: 1, rowCount: ROWS, run: null, lastFault: { code: 'portal-too-many-rows' } })
    expect([await inView('P-000004'), await inView('P-050004')]).toEqual([1, 0])
    expect((await api.get(`/city-synchronisations/${id}`)).status).toBe(404)
  })
})

describe('permissions', () => {
  test('only those who run the site add, see and change connectors, and nobody learns a token', async () => {
    const id = await addConnector('/arbres.csv', { token: 'very secret' })
    expect(portal.headers().authorization).toBe('Bearer very secret')
    const [row] = await ctx.db.tx((tx) => tx.select().from(cityConnectors))
    expect(row?.sealedToken).toMatch(/^v2\./)
    const read = await api.get(`/city-connectors/${id}`)
    expect(JSON.stringify(read.body)).not.toContain('very secret')
    expect(read.body?.data).toMatchObject({ attributes: { hasToken: true } })
    const hubAdmin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin' })).token)
    expect((await hubAdmin.get('/city-connectors')).status).toBe(403)
    expect((await hubAdmin.get(`/city-connectors/${id}`)).status).toBe(404)
    expect((await hubAdmin.post('/city-connectors', buildResourceDocument('city-connectors', { portalUrl: portal.origin }))).status).toBe(
      403,
    )
    expect((await createApiClient(runtime, site).get('/city-datasets')).status).toBe(401)
  })

  test('a token is only kept for a portal that is asked over https', async () => {
    const strict = await createTestRuntime()
    const own = await addSite(strict)
    const by = createApiClient(strict, own, (await addPerson(strict, own, { role: 'site_admin' })).token)
    const plain = { portalUrl: 'http://8.8.8.8/trees.csv', token: 'very secret' }
    const refused = await by.post('/city-connectors', buildResourceDocument('city-connectors', plain))
    expect([refused.status, refused.codes]).toEqual([422, ['not-encrypted']])
    const [id, now] = [createId(), new Date()]
    const known = {
      siteId: own.id,
      id,
      name: 'Trees',
      portalUrl: plain.portalUrl,
      kind: 'csv',
      language: 'en',
      everyMinutes: 1440,
    } as const
    await strict.database.site(own.id).tx((tx) => tx.insert(cityConnectors).values({ ...known, createdAt: now, updatedAt: now }))
    const { body } = await by.get(`/city-connectors/${id}`)
    const lockVersion = (body?.data as { meta?: { lockVersion?: number } } | undefined)?.meta?.lockVersion
    const changed = await by.patch(
      `/city-connectors/${id}`,
      buildResourceDocument('city-connectors', { token: 'very secret' }, { id, ...(lockVersion === undefined ? {} : { lockVersion }) }),
    )
    expect([changed.status, changed.codes]).toEqual([422, ['not-encrypted']])
    // A token that was stored before stays at home.
    expect(canCarrySecret(plain.portalUrl, { loopback: false })).toBe(false)
    expect(canCarrySecret('https://8.8.8.8/trees.csv', { loopback: false })).toBe(true)
  })

  test('those who may see its project see a dataset', async () => {
    const project = createId()
    await ctx.db.tx((tx) =>
      tx.insert(projects).values({
        siteId: site.id,
        id: project,
        slug: 'elm',
        title: { en: 'Elm' },
        status: 'published',
        visibility: 'members',
        publishedAt: new Date(),
      }),
    )
    const dataset = await addDataset(await addConnector(), {}, project)
    await synchroniseDue(runtime)
    await expect(getDataset(ctx, { slug: 'arbres', search: {} })).rejects.toMatchObject({ code: 'not-found' })
    await expect(readFiguresOfProject(ctx, { project: 'elm' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await readFigure(ctx, { id: dataset, form: 'table' })).toBeNull()
    expect(await listPublishedDatasets(ctx, { project: 'elm' })).toEqual([])
    expect(await listPublishedDatasets(ctx, { project: null })).toEqual([])
    expect((await getSiteFrame(ctx)).data).toBe(false)
    await ctx.db.tx((tx) => tx.update(projects).set({ visibility: 'public' }).where(eq(projects.id, project)))
    expect((await getDataset(ctx, { slug: 'arbres', search: {} })).project?.slug).toBe('elm')
    expect(await listPublishedDatasets(ctx, { project: 'elm' })).toHaveLength(1)
    expect(await listPublishedDatasets(ctx, { project: null })).toMatchObject([{ slug: 'arbres', project: { slug: 'elm' } }])
    expect((await getSiteFrame(ctx)).data).toBe(true)
    // Visible by its address, but not listed.
    await ctx.db.tx((tx) => tx.update(projects).set({ visibility: 'link' }).where(eq(projects.id, project)))
    expect((await getDataset(ctx, { slug: 'arbres', search: {} })).project?.slug).toBe('elm')
    expect(await listPublishedDatasets(ctx, { project: null })).toEqual([])
    expect(await readFigure(ctx, { id: dataset, form: 'map' })).toBeNull()
    expect((await readFiguresOfProject(ctx, { project: 'elm' })).figures).toHaveLength(1)
    expect((await getSiteFrame(ctx)).data).toBe(false)
  })

  test('an address without a portal is refused with the reason', async () => {
    const add = async (portalUrl: string) =>
      (await api.post('/city-connectors', buildResourceDocument('city-connectors', { portalUrl }))).codes
    expect(await add('http://169.254.169.254/latest/meta-data/')).toEqual(['portal-address-refused'])
    expect(await add('http://10.0.0.1/data.csv')).toEqual(['portal-address-refused'])
    answer = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Hello' }
    expect(await add(`${portal.origin}/hello`)).toEqual(['portal-unknown-kind'])
    answer = { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '' }
    expect(await add(`${portal.origin}/data.csv`)).toEqual(['portal-address-refused'])
  })
})
