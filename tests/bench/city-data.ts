import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { callApi } from '#tests/support/remote-api.ts'
import { takeSample } from './compare.ts'
import type { BenchSetup } from './setup.ts'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'

const ROWS = 1_000_000
/** Still enough to count as a large table. */
const ROWS_IN_SHORT = 150_000
const WITHIN_MS = 15 * 60_000
const MAX_MB = 300
const ROUNDS = 15
type ItemDocument<Attributes> = { data: { id: string; attributes: Attributes } }

/**
 * A table of a million rows copied from a portal: the memory of the copying process and the growth of the web process meanwhile, progress
 * as an administrator sees it, cancelling half-way; then its pages, plain, searched and sorted, against the list of projects.
 */
export const cityData: Measurement = {
  name: 'city data',
  run: async (ground) => {
    const size = ground.short ? ROWS_IN_SHORT : ROWS
    const portal = await serveRows(size)
    try {
      const { seconds, peakMb, servingMb, grownMb, pageMs, steps, faults, slug } = await copyOnce(
        ground,
        `${portal.origin}/trees.csv`,
        size,
      )
      const ask = async (path: string) => {
        const took: number[] = []
        for (let count = 0; count < ROUNDS; count++) {
          const from = performance.now()
          // Signed in, so that nothing is cached between requests.
          const { status } = await takeSample(ground.product.port, path, { cookie: `token=${ground.participant}` })
          if (status !== 200) faults.push(`${path} was answered with ${status}`)
          took.push(performance.now() - from)
        }
        return computeMedian(took)
      }
      const projects = await ask('/projects')
      const pages = {
        first: await ask(`/data/${slug}`),
        last: await ask(`/data/${slug}?page=${size / 25}`),
        sorted: await ask(`/data/${slug}?sort=-c1&page=3000`),
        searched: await ask(`/data/${slug}?q=row+77777`),
        // Common words: on their own, combined so that the few matches are far apart, and sorted.
        searchedOften: await ask(`/data/${slug}?q=elm`),
        searchedApart: await ask(`/data/${slug}?q=elm+2013`),
        searchedSorted: await ask(`/data/${slug}?q=maple+2013&sort=-c1`),
      }
      if (peakMb > MAX_MB) faults.push(`${peakMb} MB while copying`)
      return {
        summary: `${size} rows copied from a portal, then pages of them for somebody signed in, each against the list of projects`,
        ratios: Object.fromEntries(Object.entries(pages).map(([name, took]) => [name, roundTo(took / projects)])),
        values: {
          rowsPerSecond: roundTo(size / seconds, 0),
          peakMb,
          servingMb,
          grownMb,
          pageWhileCopyingMs: roundTo(pageMs),
          progressSteps: steps,
          projectsMs: roundTo(projects),
          ...Object.fromEntries(Object.entries(pages).map(([name, took]) => [`${name}Ms`, roundTo(took)])),
        },
        faults,
      }
    } finally {
      portal.close()
    }
  },
}

/** Copies the whole table, then starts another copy and cancels it. */
async function copyOnce({ product, administrator, participant }: BenchSetup, portalUrl: string, size: number) {
  const post = <T>(type: string, attributes: object, to: Record<string, object> = {}) => {
    const relationships = Object.fromEntries(Object.entries(to).map(([name, data]) => [name, { data }]))
    return callApi<T>(product, 'POST', `/${type}`, administrator, { data: { type, attributes, relationships } })
  }
  const faults: string[] = []
  const servingMb = readMemoryMb(product.process.pid)
  const connector = await post<ItemDocument<object>>('city-connectors', { portalUrl })
  const { data } = await post<ItemDocument<{ slug: string }>>(
    'city-datasets',
    { sourceId: portalUrl, published: true, chart: { form: 'bar', label: 'species', values: 'height' } },
    { connector: { type: 'city-connectors', id: connector.data.id } },
  )
  const path = `/city-datasets/${data.id}?include=synchronisation`
  type State = ItemDocument<{ synchronisedAt: string | null; rows: number; lastFault: { code: string } | null }> & {
    included?: { attributes: { rows: number } }[]
  }
  const read = () => callApi<State>(product, 'GET', path, administrator)
  const from = performance.now()
  const seen = new Set<number>()
  let peakMb = 0
  let serving = servingMb
  const pages: number[] = []
  let state = await read()
  while (!state.data.attributes.synchronisedAt && performance.now() - from < WITHIN_MS) {
    if (state.data.attributes.lastFault) throw new Error(`It could not be copied: ${state.data.attributes.lastFault.code}`)
    for (let count = 0; count < 5; count++) {
      await wait(100)
      serving = Math.max(serving, readMemoryMb(product.process.pid))
      peakMb = Math.max(peakMb, ...findChildren(product.process.pid, 'copy-city-data').map(readMemoryMb))
    }
    const asked = performance.now()
    await takeSample(product.port, '/projects', { cookie: `token=${participant}` })
    pages.push(performance.now() - asked)
    state = await read()
    seen.add(state.included?.[0]?.attributes.rows ?? 0)
  }
  const seconds = (performance.now() - from) / 1000
  if (state.data.attributes.rows !== size) faults.push(`${state.data.attributes.rows} rows were copied`)
  await post('city-synchronisations', {}, { dataset: { type: 'city-datasets', id: data.id } })
  let copied = 0
  while (copied === 0) {
    await wait(200)
    copied = (await read()).included?.[0]?.attributes.rows ?? 0
  }
  const gaveUp = await fetch(`${product.origin}/api/v2/city-synchronisations/${data.id}`, {
    method: 'DELETE',
    headers: { accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${administrator}` },
  })
  const after = await read()
  if (!gaveUp.ok || after.included?.length) faults.push('the second copy was not given up')
  if (after.data.attributes.rows !== size) faults.push('the first copy is gone')
  if (peakMb === 0) faults.push('no process of its own copied')
  return {
    seconds,
    peakMb,
    servingMb,
    grownMb: serving - servingMb,
    pageMs: computeMedian(pages),
    steps: seen.size,
    faults,
    slug: data.attributes.slug,
  }
}

/** Resident memory of the process, in MB. */
export const readMemoryMb = (pid: number | string | undefined): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readProcFile(pid, 'status'))?.[1] ?? 0) / 1024)

/** Child processes of a process whose command contains a text. */
export const findChildren = (pid: number | undefined, command: string): string[] =>
  readdirSync('/proc').filter(
    (id) =>
      /^\d+$/.test(id) &&
      readProcFile(id, 'stat').split(') ')[1]?.split(' ')[1] === String(pid) &&
      readProcFile(id, 'cmdline').includes(command),
  )

/** A file of a process below /proc; empty if the process has ended. */
function readProcFile(pid: number | string | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** A portal that generates its table while it is being read. */
async function serveRows(size: number) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
    Readable.from(generateLines(size)).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const SPECIES = ['Oak', 'Lime', 'Elm', 'Maple', 'Birch']

function* generateLines(size: number): Generator<string> {
  yield 'name,height,species,planted,lat,lon\n'
  for (let from = 0; from < size; from += 1000) {
    yield Array.from({ length: 1000 }, (_, at) => {
      const n = from + at
      const planted = `20${String(10 + (n % 15))}-0${1 + (n % 9)}-1${n % 9}`
      return `row ${n},${(n * 7919) % size},${SPECIES[n % 5]},${planted},${45 + (n % 1000) / 1e4},${-75 - (n % 777) / 1e4}\n`
    }).join('')
  }
}
