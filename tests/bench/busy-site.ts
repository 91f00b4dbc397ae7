import { Agent, request } from 'node:http'
import { queryAsOwner } from '#tests/support/remote-api.ts'
import { type Figures, type Measurement, roundTo } from './measurement.ts'
import { readProcessorTime } from './processor-time.ts'
import type { BenchSetup } from './setup.ts'

const HOST = 'riverbend.localhost'
const CHANGES_A_SECOND = [0, 1, 5]
const SECONDS = 10
/** Spread over the site map. A process remembers about 750 pages of the demo: read in turn, more of them would end each other, without any change. */
const MAX_PAGES = 250

/** Pages for visitors, in turn from the site map, while contributions to the site are published. */
export const busySite: Measurement = {
  name: 'busy site',
  run: async (ground): Promise<Figures> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const faults: string[] = []
    const paths = await listPaths(ground, agent)
    for (const path of paths) await get(ground, agent, path)
    const values: Record<string, number> = {}
    for (const changes of CHANGES_A_SECOND) {
      const { milliseconds, pages, published, failed } = await visitWhileChanging(ground, agent, paths, changes)
      values[`milliseconds at ${changes} changes a second`] = roundTo(milliseconds, 3)
      values[`pages at ${changes}`] = pages
      if (failed > 0) faults.push(`${failed} pages failed`)
      if (published < changes * SECONDS * 0.8) faults.push(`only ${published} contributions were published`)
    }
    agent.destroy()
    return { summary: `Processor time of web and database for each of ${paths.length} pages`, ratios: {}, values, faults }
  },
}

async function visitWhileChanging(ground: BenchSetup, agent: Agent, paths: readonly string[], changes: number) {
  let published = 0
  let publishing = Promise.resolve()
  const publish = () => {
    publishing = publishing.then(async () => void (published += await publishOne(ground.databaseUrl, published)))
  }
  const before = readProcessorTime([ground.product.process.pid ?? 0])
  const timer = changes > 0 ? setInterval(publish, 1000 / changes) : undefined
  const until = performance.now() + SECONDS * 1000
  let pages = 0
  let failed = 0
  while (performance.now() < until) {
    const { status } = await get(ground, agent, paths[pages % paths.length] ?? '/')
    pages += 1
    if (status !== 200) failed += 1
  }
  clearInterval(timer)
  await publishing
  const used = readProcessorTime([ground.product.process.pid ?? 0]) - before
  return { milliseconds: (used * 1000) / pages, pages, published, failed }
}

/** Publishes another contribution like one of the demo's, in its activities in turn. */
async function publishOne(url: string, number: number): Promise<number> {
  const rows = await queryAsOwner(
    url,
    `insert into contributions (site_id, id, activity_id, number, language, title, body, categories, place_text, area_id, geometry, lng, lat,
       state, status_id, receipt_hash, submitted_at, published_at, search_title, search_text)
     select site_id, gen_random_uuid(), activity_id, (select max(number) + 1 from contributions n where n.activity_id = c.activity_id), language, title,
       body, categories, place_text, area_id, geometry, lng, lat, 'published', status_id, sha256(gen_random_uuid()::text::bytea), now(), now(),
       search_title, search_text
     from (
       select distinct on (activity_id) c.*, dense_rank() over (order by activity_id) as turn from contributions c
       where c.site_id = (select id from sites where slug = 'riverbend') and c.state = 'published' order by activity_id, number
     ) c
     where turn = 1 + $1 % (select count(distinct activity_id) from contributions n where n.site_id = c.site_id and n.state = 'published')
     returning id`,
    [number],
  )
  return rows.length
}

async function listPaths(ground: BenchSetup, agent: Agent): Promise<string[]> {
  const { body } = await get(ground, agent, '/sitemap.xml')
  const paths = [...body.matchAll(/<loc>[^<]*?:\d+([^<]*)<\/loc>/g)].map(([, path]) => path || '/')
  const every = Math.max(1, Math.ceil(paths.length / MAX_PAGES))
  return paths.filter((_, at) => at % every === 0)
}

function get({ product }: BenchSetup, agent: Agent, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: product.port, agent, path, headers: { host: `${HOST}:${product.port}` } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}
