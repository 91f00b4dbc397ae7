import { signInForToken } from '#tests/support/remote-api.ts'
import { withBareHttp } from './bare-http.ts'
import { takeSample } from './compare.ts'
import { GOALS } from './goals.ts'
import { chooseAddress, findMissing, isScreen, listTargets, type Target } from './list-pages.ts'
import { computeMedian, type Figures, type Measurement, roundTo } from './measurement.ts'
import { type Cost, CostMeter, sendRequest } from './request-cost.ts'

const HOST = 'riverbend.localhost'
const SURVEY = '/projects/$slug/surveys/$survey'
const HOME = { role: 'visitor', route: '/', path: '/', isApi: false } satisfies Target

/** How often everything is asked for, twice, to find the worst of each kind. */
const SCANS = 3
/** How many of each kind are measured again. */
const WORST = 4
const ROUNDS = 3
/** Processor time that a round takes. */
const ROUND_MS = 200
const REQUESTS = { least: 12, most: 300 }

interface Measured {
  target: Target
  cost: Cost
}

/**
 * Processor time of the web process and the database for one request, for everything that can be asked for in the demo, by kind of work.
 * Needs Linux.
 */
export const pages: Measurement = {
  name: 'pages',
  run: async ({ product, participant, administrator, short }) => {
    const host = `${HOST}:${product.port}`
    const platform = await signInForToken(product, 'platform@parley.example')
    const tokens = { visitor: undefined, participant, administrator, platform }
    const place = { port: product.port, host, tokens }
    const meter = new CostMeter(product.process.pid ?? 0)
    const ask = (target: Target, number: number) => sendAs(product.port, host, tokens[target.role], target, number)
    const scanned: Measured[] = []
    const broken: string[] = []
    for (const target of await listTargets(place)) {
      const answer = await ask(target, 0)
      if (answer.status >= 500) broken.push(`${target.path} answers ${answer.status} (${target.role})`)
      if (!isAnswer(target, answer)) continue
      await ask(target, 1)
      const scan = () => measure(meter, SCANS, (number) => ask(target, number))
      const [first, second] = [await scan(), await scan()]
      // Not the one in which garbage of earlier pages was collected.
      scanned.push({ target, cost: total(first) < total(second) ? first : second })
    }
    const bare = await measureBareHttp(product.port, host)
    const kinds: Record<string, Figures> = {}
    for (const [kind, members] of Map.groupBy(scanned, ({ target }) => findKind(target))) {
      const worst = members.toSorted((a, b) => total(b.cost) - total(a.cost)).slice(0, WORST)
      const exact = await measureExactly(meter, worst, ask, short ? 1 : ROUNDS)
      kinds[kind] = describeKind(kind, members, exact, bare)
    }
    const missing = await findMissing(
      place,
      scanned.map(({ target }) => target),
    )
    return {
      summary: `Processor time of web and database for a request, of ${scanned.length} addresses; bare node:http takes ${roundTo(bare, 3)} ms`,
      ratios: {},
      values: { bareHttpMilliseconds: roundTo(bare, 3), addresses: scanned.length },
      faults: [...broken, ...missing.map((route) => `${route} has no page in the demo`)],
      kinds: Object.fromEntries(Object.entries(kinds).toSorted(([a], [b]) => a.localeCompare(b))),
    }
  },
}

const total = ({ web, database }: Cost): number => web + database

/** Also an error page counts, such as that of an address with an expired token. What is refused or sent elsewhere is no page of this role. */
const isAnswer = ({ path }: Target, { status, type }: { status: number; type: string }): boolean =>
  status === 200 || (status >= 400 && status !== 403 && status < 500 && type.startsWith('text/html') && !isScreen(path))

function findKind({ role, route, isApi }: Target): string {
  if (isApi) return 'pages: lists of the API'
  if (/\.\w+\}?$/.test(route)) return 'pages: files and feeds'
  if (isScreen(route)) return 'pages: administration'
  if (route === '/search') return 'pages: search'
  if (route.startsWith('/account')) return 'pages: account'
  if (role === 'administrator' || role === 'platform') return 'pages: people with a role'
  if (route === SURVEY) return 'pages: surveys'
  return role === 'visitor' ? 'pages: visitors' : 'pages: participants'
}

const sendAs = (port: number, host: string, token: string | undefined, { path, isApi }: Target, number: number) =>
  sendRequest(port, path.replace('{n}', String(number + 1 + Math.floor(Math.random() * 1e6))), {
    host,
    'x-forwarded-for': chooseAddress(),
    ...(isApi ? { accept: 'application/vnd.api+json' } : { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' }),
    ...(token ? (isApi ? { 'x-api-token': `Bearer ${token}` } : { cookie: `token=${token}` }) : {}),
  })

/** Milliseconds for one of some requests, one after the other. */
async function measure(meter: CostMeter, times: number, send: (number: number) => Promise<unknown>): Promise<Cost> {
  const before = meter.read()
  for (let number = 0; number < times; number++) await send(number)
  const after = meter.read()
  return { web: (after.web - before.web) / times, database: (after.database - before.database) / times }
}

/** The medians of several rounds that measure all of them in turn, the worst first. */
async function measureExactly(
  meter: CostMeter,
  members: readonly Measured[],
  ask: (target: Target, number: number) => Promise<unknown>,
  rounds: number,
): Promise<Measured[]> {
  const taken = new Map<Target, Cost[]>(members.map(({ target }) => [target, []]))
  for (let round = 0; round < rounds; round++)
    for (const { target, cost } of members) {
      const times = Math.min(REQUESTS.most, Math.max(REQUESTS.least, Math.round(ROUND_MS / Math.max(total(cost), 0.01))))
      taken.get(target)?.push(await measure(meter, times, (number) => ask(target, number)))
    }
  return [...taken]
    .map(([target, costs]) => ({
      target,
      cost: { web: computeMedian(costs.map(({ web }) => web)), database: computeMedian(costs.map(({ database }) => database)) },
    }))
    .toSorted((a, b) => total(b.cost) - total(a.cost))
}

/** What the home page would cost if Node only sent its bytes. */
async function measureBareHttp(port: number, host: string): Promise<number> {
  const { body, headers } = await takeSample(port, '/', { host, accept: 'text/html', 'accept-encoding': 'br' })
  return withBareHttp(body, headers, async (bare, pid) => {
    const meter = new CostMeter(pid)
    const send = (number: number) => sendAs(bare, host, undefined, HOME, number)
    await measure(meter, REQUESTS.most, send)
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(total(await measure(meter, REQUESTS.most, send)))
    return computeMedian(rounds)
  })
}

const name = ({ role, path, isApi }: Target): string =>
  `${decodeURIComponent(path)}${isApi && role === 'administrator' ? '' : ` (${role})`}`

function describeKind(kind: string, all: readonly Measured[], [worst, ...others]: readonly Measured[], bare: number): Figures {
  const cost = worst?.cost ?? { web: 0, database: 0 }
  const milliseconds = roundTo(total(cost))
  const goal = GOALS[kind]?.withinMs
  const next = others.map((other) => `${name(other.target)} ${roundTo(total(other.cost))}`).join(', ')
  return {
    summary: `${goal === undefined ? '' : milliseconds > goal ? `MORE than ${goal} ms: ` : `within ${goal} ms: `}${worst ? name(worst.target) : ''}; then ${next}`,
    ratios: { bareHttp: roundTo(total(cost) / bare, 1) },
    values: {
      milliseconds,
      webMilliseconds: roundTo(cost.web),
      bareHttpMilliseconds: roundTo(bare, 3),
      databaseMilliseconds: roundTo(cost.database),
      medianMilliseconds: roundTo(computeMedian(all.map((one) => total(one.cost)))),
      addresses: all.length,
    },
    faults: [],
    members: Object.fromEntries(
      all
        .toSorted((a, b) => total(b.cost) - total(a.cost))
        .map((one) => [name(one.target), [roundTo(one.cost.web), roundTo(one.cost.database)]]),
    ),
  }
}
