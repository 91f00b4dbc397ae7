import { fillPath, listRoutePaths } from '#tests/support/every-endpoint.ts'
import { takeSample } from './compare.ts'

export type Role = 'visitor' | 'participant' | 'administrator' | 'platform'

/** Something to ask for, as a browser or program of this role does. */
export interface Target {
  role: Role
  /** The route or collection that answers, e.g. `/projects/$slug`. */
  route: string
  /** `{n}` becomes a number that differs each time. */
  path: string
  isApi: boolean
}

export interface Place {
  port: number
  host: string
  tokens: Record<Role, string | undefined>
}

/** Screens of administrators get their rows by script, so crawling finds no address of a row: the collection that has its id. */
const COLLECTIONS: Record<string, string> = {
  '/admin/campaigns/$id': 'sms-campaigns',
  '/admin/city-data/$id': 'city-connectors',
  '/admin/city-data/datasets/$id': 'city-datasets',
  '/admin/contributions/$id': 'contributions',
  '/admin/contributions/activities/$activity': 'activities',
  '/admin/hubs/$id': 'hubs',
  '/admin/marketplace/$id': 'integrations',
  '/admin/media/$id': 'media-assets',
  '/admin/newsletters/$id': 'newsletters',
  '/admin/pages/$id': 'pages',
  '/admin/people/$id': 'users',
  '/admin/projects/$id': 'projects',
  '/admin/sign-in/$id': 'identity-providers',
  '/admin/sites/$site': 'sites',
  '/admin/surveys/$survey': 'surveys',
  '/admin/updates/$id': 'project-updates',
  '/embed/surveys/$id': 'surveys',
  '/live-preview/activities/$id': 'activities',
  '/live-preview/surveys/$id': 'surveys',
  '/account/answers/$id': 'responses',
}
/** Addresses that no page links to and no collection lists. */
const KNOWN: Record<string, readonly string[]> = {
  '/$': ['/nothing-here'],
  '/search': ['/search?q=tree', '/search?q=tree{n}', '/search?q=street{n}', '/search?q=parc{n}'],
  '/projects': ['/projects?q=street{n}'],
  '/admin/features/$name': ['/admin/features/show_revised_survey'],
  '/admin/help/$screen': ['/admin/help/projects'],
  '/admin/privacy/$assessment': ['/admin/privacy/uk-gdpr', '/admin/privacy/quebec-law-25'],
}
/** What browsers never ask for by GET, what only links in mails lead to, and what the demo does not have. */
const OTHERWISE = [
  /^\/hooks\//,
  /^\/sign-in\/(\$provider|staff)/,
  /^\/appeals\//,
  /^\/media\/(\$|documents|uploads|photos)/,
  /^\/answer-files\//,
  /^\/calendar\//,
  /^\/admin\/(sign-in|outbox|media)\/\$id/,
  /^\/admin\/sites\/\$site\/export/,
  /\/(exports|download|import-report)\b/,
  /^\/api\/v2\/(groups|activity-revisions|project-revisions)\/\{id\}\//,
]
/** Enough of each route to find its worst page. The sitemap’s are all taken. */
const MOST_OF_ROUTE = 6
const FETCHED_OF_ROUTE = 3

/**
 * Everything to measure: addresses of the sitemap, of the links of its pages and of all routes, for each role, and the lists of `openapi.json`.
 * Not every role may see every address.
 */
export async function listTargets(place: Place): Promise<Target[]> {
  const lists = await listCollections(place)
  const ids = await loadIds(place, lists)
  const pages = await listPages(place, ['administrator', 'participant'], ids)
  return [
    ...(Object.keys(place.tokens) as Role[]).flatMap((role) =>
      [...pages].flatMap(([route, paths]) =>
        // All of the sitemap for visitors, some of each route for the others.
        [...paths].slice(0, role === 'visitor' ? Infinity : MOST_OF_ROUTE).map((path) => ({ role, route, path, isApi: false })),
      ),
    ),
    ...(await fillLists(place, lists, ids)),
  ]
}

/** Routes and lists of which nothing was measured. */
export async function findMissing(place: Place, measured: readonly Target[]): Promise<string[]> {
  const found = new Set(measured.map(({ route }) => route))
  const wanted = [...readRoutes(), ...(await listCollections(place)).map(({ route }) => `/api/v2${route}`)]
  return wanted.filter((route) => !found.has(route) && !OTHERWISE.some((other) => other.test(route)))
}

const readRoutes = (): string[] => [...new Set(listRoutePaths().map((path) => path.replace(/(.)\/$/, '$1')))]

const ask = ({ port, host, tokens }: Place, role: Role, path: string) =>
  takeSample(port, path.replace('{n}', '0'), {
    host,
    accept: 'text/html',
    'x-forwarded-for': chooseAddress(),
    ...(tokens[role] ? { cookie: `token=${tokens[role]}` } : {}),
  })

let asked = 0
/** Another address for each request, or there would be unusually many from one place. */
export function chooseAddress(): string {
  asked += 1
  return `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`
}

async function askApi(
  { tokens, port, host }: Place,
  path: string,
  role: Role = 'administrator',
): Promise<{ status: number; answer: unknown }> {
  const headers = { host, accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${tokens[role]}`, 'x-forwarded-for': chooseAddress() }
  const { status, body } = await takeSample(port, `/api/v2${path}`, headers)
  return { status, answer: JSON.parse(body.toString()) }
}

interface ApiList {
  /** Below `/api/v2`. */
  route: string
  /** Largest page. */
  most: number
}

/** All lists of `openapi.json`. */
async function listCollections(place: Place): Promise<ApiList[]> {
  type Parameters = { parameters?: { name?: string; schema?: { maximum?: number } }[] }
  const { status, answer } = await askApi(place, '/openapi.json')
  if (status !== 200) throw new Error(`openapi.json answers ${status}: ${JSON.stringify(answer)}`)
  return Object.entries((answer as { paths: Record<string, { get?: Parameters }> }).paths).flatMap(([route, { get }]) => {
    const size = get?.parameters?.find(({ name }) => name === 'page[size]')
    return size && !route.includes('/relationships/') ? [{ route, most: size.schema?.maximum ?? 100 }] : []
  })
}

/** Some ids and slugs of each collection. */
async function loadIds(place: Place, lists: readonly ApiList[]): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>()
  for (const { route } of lists.filter((list) => !list.route.includes('{'))) {
    for (const role of ['administrator', 'platform'] as const) {
      const { status, answer } = await askApi(place, `${route}?page%5Bsize%5D=${MOST_OF_ROUTE}`, role)
      if (status !== 200) continue
      const { data } = answer as { data: { id: string }[] }
      ids.set(
        route.slice(1),
        data.map(({ id }) => id),
      )
      break
    }
  }
  type Responses = { data: { id: string; relationships: { survey: { data: { id: string } } } }[] }
  const { answer } = await askApi(place, `/responses?page%5Bsize%5D=${MOST_OF_ROUTE}`)
  const responses = (answer as Responses).data.map(
    ({ id, relationships }) => `/admin/surveys/${relationships.survey.data.id}/responses/${id}`,
  )
  ids.set('response addresses', responses)
  type Activities = { data: { id: string; relationships: { project: { data: { id: string } } } }[] }
  const { answer: found } = await askApi(place, `/activities?page%5Bsize%5D=${MOST_OF_ROUTE}`)
  const activities = (found as Activities).data.map(
    ({ id, relationships }) => `/admin/projects/${relationships.project.data.id}/activities/${id}`,
  )
  ids.set('activity addresses', activities)
  return ids
}

/** Each list of 25, with the filters that it demands, for the first of those who may see it. */
async function fillLists(place: Place, lists: readonly ApiList[], ids: ReadonlyMap<string, string[]>): Promise<Target[]> {
  const filters = await loadFilters(place, ids)
  const filled: Target[] = []
  for (const { route, most } of lists) {
    const [id] = ids.get(route.split('/')[1] ?? '') ?? []
    if (route.includes('{') && !id) continue
    for (const role of ['administrator', 'platform'] as const) {
      const campaign = ids.get(route.startsWith('/sms') ? 'sms-campaigns' : 'newsletters')?.[0] ?? ''
      const start = `${fillPath(route, id ?? '')}?page%5Bsize%5D=${Math.min(25, most)}`
      const path = await findFilters(place, role, start, { ...filters, campaign })
      if (path) filled.push({ role, route: `/api/v2${route}`, path: `/api/v2${path}`, isApi: true })
      if (path) break
    }
  }
  return filled
}

async function findFilters(place: Place, role: Role, start: string, filters: Record<string, string>): Promise<string | undefined> {
  for (let path = start; ;) {
    const { status, answer } = await askApi(place, path, role)
    if (status === 200) return path
    const { errors } = answer as { errors?: { source?: { parameter?: string } }[] }
    const name = /^filter\[(\w+)\]$/.exec(errors?.[0]?.source?.parameter ?? '')?.[1] ?? ''
    if (!filters[name] || path.includes(`%5B${name}%5D`)) return undefined
    path += `&filter%5B${name}%5D=${filters[name]}`
  }
}

/** A value for each filter that some list demands. The survey has questions of every kind that these lists are about. */
async function loadFilters(place: Place, ids: ReadonlyMap<string, string[]>): Promise<Record<string, string>> {
  const found: Record<string, string> = {
    contribution: ids.get('contributions')?.[0] ?? '',
    activity: ids.get('activities')?.[0] ?? '',
    project: ids.get('projects')?.[0] ?? '',
  }
  for (const survey of ids.get('surveys') ?? []) {
    type Survey = { data: { attributes: { definition?: { pages: { questions: { id: string; type: string }[] }[] } } } }
    const { answer } = await askApi(place, `/surveys/${survey}`)
    const questions = (answer as Survey).data.attributes.definition?.pages.flatMap((page) => page.questions) ?? []
    const [rows, columns] = questions.filter(({ type }) => /choice|rating/.test(type))
    const text = questions.find(({ type }) => /text/.test(type))
    if (rows && columns && text) return { ...found, survey, question: text.id, rows: rows.id, columns: columns.id }
  }
  return found
}

/** Addresses by route: the sitemap’s, those that pages of these roles link to, and those of all routes. */
async function listPages(place: Place, roles: readonly Role[], ids: ReadonlyMap<string, string[]>): Promise<Map<string, Set<string>>> {
  const routes = readRoutes()
    .filter((route) => route !== '/$')
    .map((route) => ({ route, pattern: buildPattern(route), parameters: route.split('$').length }))
    .toSorted((a, b) => a.parameters - b.parameters || b.route.length - a.route.length)
  const findRoute = (path: string) => routes.find(({ pattern }) => pattern.test(path.split('?')[0] ?? ''))?.route
  const found = new Map<string, Set<string>>()
  const waiting: string[] = []
  const fetched = new Map<string, number>()
  const add = (path: string, most = MOST_OF_ROUTE, route = findRoute(path)) => {
    if (!route) return
    const known = found.get(route) ?? new Set()
    if (known.has(path) || known.size >= most) return
    found.set(route, known.add(path))
    waiting.push(path)
  }
  const crawl = async () => {
    for (let path = waiting.shift(); path; path = waiting.shift()) {
      const route = findRoute(path) ?? ''
      const times = fetched.get(route) ?? 0
      if (times >= FETCHED_OF_ROUTE) continue
      fetched.set(route, times + 1)
      for (const role of roles) for (const link of readLinks((await ask(place, role, path)).body.toString(), place.host)) add(link)
    }
  }
  const sitemap = await ask(place, 'visitor', '/sitemap.xml')
  for (const path of readSitemap(sitemap.body.toString(), place.host)) add(path, Infinity)
  for (const { route } of routes) if (!route.includes('$')) add(route)
  for (const [route, paths] of Object.entries(KNOWN)) for (const path of paths) add(path, Infinity, route)
  await crawl()
  for (const { route } of routes) for (const path of fillRoute(route, found, ids)) add(path)
  await crawl()
  return found
}

export const isScreen = (path: string): boolean => /^\/(admin|live-preview)\b/.test(path)

/** Addresses of a route by ids, or by an address of another route that it continues. */
function fillRoute(route: string, found: ReadonlyMap<string, Set<string>>, ids: ReadonlyMap<string, string[]>): string[] {
  // The same data in another format.
  if (route.endsWith('.csv')) {
    const others = [...(found.get(route.replace(/csv$/, 'json')) ?? [])]
    if (others.length > 0) return others.map((path) => path.replace(/json$/, 'csv'))
  }
  if (route === '/admin/surveys/$survey/responses/$response') return ids.get('response addresses') ?? []
  if (route === '/admin/projects/$id/activities/$activity') return ids.get('activity addresses') ?? []
  const own = COLLECTIONS[route]
  if (own) return (ids.get(own) ?? []).map((id) => fillPath(route, id))
  const known = route.replace(/^\/(embed|live-preview)(?=\/)/, '')
  const [base = ''] = [...found.keys(), ...Object.keys(COLLECTIONS)]
    .filter((other) => other !== route && other.includes('$') && (known === other || known.startsWith(`${other}/`)))
    .toSorted((a, b) => b.length - a.length)
  const rest = known.slice(base.length)
  if (!base || rest.includes('$')) return []
  const paths = found.get(base) ?? (ids.get(COLLECTIONS[base] ?? '') ?? []).map((id) => fillPath(base, id))
  const prefix = route.slice(0, route.length - known.length)
  return [...paths].filter((path) => !path.includes('?')).map((path) => `${prefix}${path}${rest}`)
}

function buildPattern(route: string): RegExp {
  const segments = route.split('/').map((segment) =>
    segment === '$'
      ? '.+'
      : segment
          .replaceAll('.', String.raw`\.`)
          .replaceAll(/\{\$\w+\}/g, '[^/]+')
          .replaceAll(/\$\w+/g, '[^/]+'),
  )
  return new RegExp(`^${segments.join('/')}$`)
}

/** In the site's first language only: the others are the same pages in other words. */
const readSitemap = (text: string, host: string): string[] =>
  [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].flatMap(([, address = '']) => takePath(address, host))

const readLinks = (text: string, host: string): string[] =>
  [...text.matchAll(/(?:href|src|action|content)="([^"]+)"/g)].flatMap(([, address = '']) =>
    takePath(address.replaceAll('&amp;', '&'), host),
  )

function takePath(address: string, host: string): string[] {
  const path = address.replace(`http://${host}`, '').replace(/#.*$/, '') || (address === `http://${host}` ? '/' : '')
  return path.startsWith('/') && !/^\/(fr-CA|cy|assets|demo|api)\b/.test(path) ? [path] : []
}
