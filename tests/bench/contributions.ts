import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { queryAsOwner } from '#tests/support/remote-api.ts'
import { takeSample } from './compare.ts'
import { describeLoadFaults, runLoad } from './load.ts'
import { type Figures, type Measurement, computeMedian, roundTo } from './measurement.ts'
import type { BenchSetup } from './setup.ts'

const CONTRIBUTIONS = 10_000
const ROUNDS = 3
const PROMISED = { p95Ms: 60, pageBytes: 60_000, reactionsPerSecond: 1000 }
/** Each answer is made anew: no two requests ask for the same box, and searches are not stored. */
const FILTERS = {
  box: 'bbox={box}',
  sorted: 'sort=supported&page=2&bbox={box}',
  category: 'category=water&bbox={box}',
  words: 'q=tree',
}

interface PlacesActivity {
  siteId: string
  id: string
  path: string
  /** Around all places; `{n}` makes each request's a different one. */
  box: string
}

async function findPlacesActivity(url: string): Promise<PlacesActivity> {
  const [found] = await queryAsOwner<{ site_id: string; id: string; path: string; box: string }>(
    url,
    `select a.site_id, a.id, '/projects/' || p.slug || '/' || a.slug as path,
       concat_ws(',', floor(min(lng)), floor(min(lat)), ceil(max(lng)), ceil(max(lat)) || '.{n}') as box
     from activities a join projects p on p.site_id = a.site_id and p.id = a.project_id
     join contributions c on c.site_id = a.site_id and c.activity_id = a.id
     where a.kind = 'places' and a.site_id = (select id from sites where slug = 'riverbend') group by 1, 2, 3`,
  )
  if (!found) throw new Error('The demo has no places')
  return { ...found, siteId: found.site_id }
}

/** Copies the demo's places, a little beside them, until there are that many. */
async function addPlaces(url: string, { siteId, id }: PlacesActivity, count: number): Promise<void> {
  await queryAsOwner(
    url,
    `with given as (
       select c.*, row_number() over (order by number) as n, count(*) over () as c from contributions c
       where site_id = $1 and activity_id = $2 and state = 'published'
     ), copies as (
       select i, given.*, 100000 + i as new_number, lng + (random() - 0.5) * 0.02 as new_lng, lat + (random() - 0.5) * 0.02 as new_lat
       from generate_series(1, $3::int - (select count(*)::int from given)) i join given on given.n = 1 + i % given.c
     )
     insert into contributions (site_id, id, activity_id, number, language, title, body, categories, place_text, area_id, geometry, lng, lat,
       state, status_id, supports, receipt_hash, submitted_at, published_at, search_title, search_text)
     select site_id, gen_random_uuid(), activity_id, new_number, language, title, body, categories, place_text, area_id,
       jsonb_build_object('type', 'Point', 'coordinates', jsonb_build_array(new_lng, new_lat)), new_lng, new_lat,
       'published', status_id, (i * 31) % 90, sha256(('bench' || i)::text::bytea), submitted_at - i * interval '1 minute',
       published_at - i * interval '1 minute', search_title, search_text
     from copies`,
    [siteId, id, count],
  )
  // As PostgreSQL does by itself, within a minute of so many new rows.
  await queryAsOwner(url, 'vacuum analyze contributions')
}

/** A list with its map as visitors filter it, with the demo's contributions and with ten thousand. */
export const contributionLists: Measurement = {
  name: 'contributions, list and map',
  run: async (ground) => {
    const activity = await findPlacesActivity(ground.databaseUrl)
    const few = await measureFilters(ground, activity, 1)
    await addPlaces(ground.databaseUrl, activity, CONTRIBUTIONS)
    const many = await measureFilters(ground, activity, 2)
    const faults = [...few.faults, ...many.faults]
    const bytes = await measurePage(ground, `${activity.path}?bbox=${activity.box.replace('.{n}', '')}`)
    if (bytes > PROMISED.pageBytes) faults.push(`the page with its map is ${bytes} bytes, more than the promised ${PROMISED.pageBytes}`)
    for (const [name, p95] of Object.entries(many.values)) {
      if (p95 > PROMISED.p95Ms) faults.push(`${name} with ${CONTRIBUTIONS}: 95 of 100 within ${p95} ms, not the promised ${PROMISED.p95Ms}`)
    }
    const compare = (name: string) => roundTo((many.values[name] ?? 0) / (few.values[name] ?? 1))
    return {
      summary: `A filtered list with its map, one visitor after the other, with ${CONTRIBUTIONS} contributions against those of the demo: 95 of 100 within (ms)`,
      ratios: Object.fromEntries(Object.keys(FILTERS).map((name) => [name, compare(name)])),
      values: { ...many.values, pageBytes: bytes },
      faults,
    }
  },
}

/** @param time tells the addresses of one time apart from those of another, whose pages are stored */
async function measureFilters(
  { product, short }: BenchSetup,
  { path, box }: PlacesActivity,
  time: number,
): Promise<Pick<Figures, 'values' | 'faults'>> {
  const values: Record<string, number> = {}
  const faults: string[] = []
  for (const [name, filter] of Object.entries(FILTERS)) {
    const plan = {
      port: product.port,
      clients: 1,
      seconds: 20,
      most: short ? 60 : 300,
      path: `${path}?${filter.replace('{box}', box.replace('{n}', `${time}{n}`))}`,
    }
    await runLoad({ ...plan, path: `${path}?q=bench{n}`, most: 30 })
    const load = await runLoad(plan)
    faults.push(...describeLoadFaults(name, load))
    values[name] = roundTo(load.p95, 1)
  }
  return { values, faults }
}

/** As sent to a browser, compressed. */
async function measurePage({ product }: BenchSetup, path: string): Promise<number> {
  const { status, body } = await takeSample(product.port, path, { 'accept-encoding': 'br' })
  if (status !== 200) throw new Error(`${path} was answered with ${status}`)
  return body.length
}

/** People support contributions, each once, with two web processes: many contributions, and then the same one. */
export const reactions: Measurement = {
  name: 'contributions, reactions',
  run: async (ground) => {
    ground.settings['WEB_PROCESSES'] = '2'
    await ground.restart()
    try {
      return await measureReactions(ground)
    } finally {
      delete ground.settings['WEB_PROCESSES']
      await ground.restart()
    }
  },
}

async function measureReactions({ product, databaseUrl, dataDir, short }: BenchSetup): Promise<Figures> {
  const activity = await findPlacesActivity(databaseUrl)
  const found = await queryAsOwner<{ id: string }>(
    databaseUrl,
    `select id from contributions where activity_id = $1 and state = 'published' order by number limit 200`,
    [activity.id],
  )
  const ids = found.map(({ id }) => id)
  const tokens = { secret: readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), siteId: activity.siteId }
  const faults: string[] = []
  const rates: Record<'many' | 'one', number[]> = { many: [], one: [] }
  const p95: number[] = []
  let acknowledged = 0
  const before = await countReactions(databaseUrl, activity)
  for (let count = 0; count < ROUNDS; count++) {
    for (const [name, chosen] of [
      ['many', ids],
      ['one', ids.slice(0, 1)],
    ] as const) {
      const load = await runLoad({
        port: product.port,
        clients: 100,
        seconds: short ? 3 : 10,
        most: 500_000,
        method: 'PUT',
        path: '/api/v2/reactions/{id}',
        headers: { accept: JSON_API, 'content-type': JSON_API },
        body: chosen.map(describeReaction),
        withIds: true,
        tokens,
      })
      faults.push(...describeLoadFaults(name, load))
      rates[name].push(load.perSecond)
      if (name === 'many') p95.push(load.p95)
      acknowledged += load.acknowledged.length
    }
  }
  const after = await countReactions(databaseUrl, activity)
  if (after.rows - before.rows !== acknowledged) faults.push(`${acknowledged} were acknowledged, ${after.rows - before.rows} are stored`)
  if (after.counted - before.counted !== acknowledged)
    faults.push(`${acknowledged} were acknowledged, ${after.counted - before.counted} counted`)
  const perSecond = roundTo(computeMedian(rates.many), 0)
  if (perSecond < PROMISED.reactionsPerSecond)
    faults.push(`${perSecond} reactions a second, fewer than the promised ${PROMISED.reactionsPerSecond}`)
  const perSecondOnOne = roundTo(computeMedian(rates.one), 0)
  return {
    summary: 'Reactions of 100 people at once to 200 contributions, with two web processes; all to one contribution against that',
    ratios: { one: roundTo(perSecondOnOne / perSecond) },
    values: { perSecond, perSecondOnOne, p95: roundTo(computeMedian(p95), 0), acknowledged },
    faults,
  }
}

const JSON_API = 'application/vnd.api+json'

/** Each id is another person’s. */
const describeReaction = (contributionId: string): string =>
  JSON.stringify({
    data: {
      type: 'reactions',
      id: '{id}',
      attributes: { value: 'support', browserToken: '{token}' },
      relationships: { contribution: { data: { type: 'contributions', id: contributionId } } },
    },
  })

/** Reactions in the table, and those that the contributions count. */
async function countReactions(url: string, { id }: PlacesActivity): Promise<{ rows: number; counted: number }> {
  const [found] = await queryAsOwner<{ rows: number; counted: number }>(
    url,
    `select (select count(*)::int from reactions r join contributions c on c.id = r.contribution_id where c.activity_id = $1) as rows,
       (select sum(supports)::int from contributions where activity_id = $1) as counted`,
    [id],
  )
  return found ?? { rows: 0, counted: 0 }
}
