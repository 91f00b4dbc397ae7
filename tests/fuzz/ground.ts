import { Agent } from 'node:http'
import { createId } from '#app/lib/uuid.ts'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'
import { type Json, listOperations, listRoutePaths, listServerFunctions } from '#tests/support/every-endpoint.ts'
import { queryAsOwner } from '#tests/support/remote-api.ts'
import type { Actor } from './requests.ts'
import { type Answer, sendOver } from './send-over.ts'

export interface ApiOperation {
  method: string
  /** Below `/api/v2`, with its id as `{id}`. */
  path: string
  body: Json | undefined
  /** `names` lists what a list parameter may hold. */
  parameters: { name: string; schema: Json; names?: string[] }[]
}

interface Description {
  paths: Record<string, Record<string, { parameters?: Json[]; responses: Record<string, { content?: Json }> }> & { parameters?: Json[] }>
  components: { schemas: Record<string, Json>; parameters: Record<string, Json> }
}

export interface FuzzSite {
  id: string
  host: string
  /** Ids by type of resource, and ids of anything. */
  ids: Record<string, string[]>
  anyIds: string[]
  /** Everything that belongs to this site and no other. */
  allIds: ReadonlySet<string>
  /** Addresses that are pages of it. */
  pages: string[]
  forms: { path: string; fields: [name: string, value: string][] }[]
}

/** A running product with two sites, and what is needed to ask it anything. */
export interface FuzzGround {
  port: number
  agent: Agent
  sites: { own: FuzzSite; other: FuzzSite }
  tokens: Record<Actor, string | undefined>
  /** A session of another account, for an actor whose own has ended. */
  openSession: (actor: Actor) => Promise<string | undefined>
  description: Description
  operations: ApiOperation[]
  routes: string[]
  functions: string[]
}

/**
 * Reads what the demo's sites hold, with people of its own. Called again for each round: what earlier requests deleted or ended is then
 * not asked for any more.
 * @param ownerUrl connects as the database's owner, who sees the rows of every site
 */
export async function prepareGround(port: number, ownerUrl: string): Promise<FuzzGround> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const sites = await queryAsOwner<{ id: string; slug: string; language: string }>(
    ownerUrl,
    'select id, slug, locale as language from sites',
  )
  const find = (slug: string) => {
    const site = sites.find((one) => one.slug === slug)
    if (!site) throw new Error(`There is no site ${slug}`)
    return { ...site, host: `${slug}.localhost` }
  }
  const [own, other] = [find('riverbend'), find('harbour')]
  const openSession = async (actor: Actor) =>
    actor === 'visitor'
      ? undefined
      : addAccount(ownerUrl, actor === 'stranger' ? other.id : own.id, actor === 'participant' ? undefined : 'site_admin')
  const [administrator = '', stranger = ''] = [await openSession('administrator'), await openSession('stranger')]
  const tokens = { visitor: undefined, participant: await openSession('participant'), administrator, stranger }
  const ask = (host: string, path: string, headers: Record<string, string> = {}) =>
    sendOver(agent, port, {
      method: 'GET',
      path,
      headers: { host: `${host}:${port}`, 'x-forwarded-for': '198.51.100.7', ...headers },
      body: '',
    })
  const description = JSON.parse((await ask(own.host, '/api/v2/openapi.json')).text) as Description
  const operations = readOperations(description)
  const load = async ({ id, host }: { id: string; host: string }, token: string) => {
    const api = (path: string) => ask(host, path, { 'x-api-token': `Bearer ${token}`, accept: 'application/vnd.api+json' })
    return {
      id,
      host,
      ...(await loadIds(ownerUrl, id, operations, api)),
      ...(await loadPages(host, (path) => ask(host, path), token, ask)),
    }
  }
  return {
    port,
    agent,
    tokens,
    openSession,
    description,
    operations,
    sites: { own: await load(own, tokens.administrator), other: await load(other, tokens.stranger) },
    routes: listRoutePaths(),
    functions: listServerFunctions().map(({ id }) => id),
  }
}

async function addAccount(ownerUrl: string, siteId: string, role?: 'site_admin'): Promise<string> {
  const [token, user] = [createToken(), createId()]
  await queryAsOwner(
    ownerUrl,
    `insert into users (site_id, id, email, login, type, email_confirmed_at) values ($1, $2, $3, 'Fuzz', $4, now())`,
    [siteId, user, `${user}@people.example`, role ? 'administrator' : 'participant'],
  )
  await queryAsOwner(
    ownerUrl,
    `insert into sessions (site_id, id, user_id, token_hash, expires_at, confirmed_at, last_used_at)
     values ($1, $2, $3, $4, now() + interval '1 hour', now(), now())`,
    [siteId, createId(), user, hashToken(token)],
  )
  if (role)
    await queryAsOwner(ownerUrl, 'insert into memberships (site_id, id, user_id, role) values ($1, $2, $3, $4)', [
      siteId,
      createId(),
      user,
      role,
    ])
  return token
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete']

function readOperations(description: Description): ApiOperation[] {
  const bodies = new Map(listOperations(description).map(({ method, path, body }) => [`${method} ${path}`, body]))
  return Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      method: method.toUpperCase(),
      path,
      body: bodies.get(`${method.toUpperCase()} ${path}`),
      parameters: [...(item.parameters ?? []), ...(item[method]?.parameters ?? [])].flatMap((one) => readParameter(one, description)),
    })),
  )
}

function readParameter(given: Json, { components }: Description): ApiOperation['parameters'] {
  const reference = given['$ref']
  const parameter = typeof reference === 'string' ? (components.parameters[reference.split('/').at(-1) ?? ''] ?? {}) : given
  if (parameter['in'] !== 'query') return []
  const [name, schema] = [String(parameter['name']), parameter['schema'] as Json]
  const listed =
    name === 'include' ? String(parameter['description']).split(';')[0]?.split(', ') : (schema['items'] as Json | undefined)?.['enum']
  return [{ name, schema, ...(Array.isArray(listed) ? { names: listed as string[] } : {}) }]
}

type Ask = (path: string) => Promise<Answer>

async function loadIds(ownerUrl: string, siteId: string, operations: ApiOperation[], ask: Ask) {
  const tables = await queryAsOwner<{ name: string }>(
    ownerUrl,
    `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('site_id', 'id') and data_type = 'uuid'
     group by table_name having count(*) = 2`,
  )
  const union = tables.map(({ name }) => `(select id, '${name}' as "table" from ${name} where site_id = $1)`).join(' union all ')
  const rows = await queryAsOwner<{ id: string; table: string }>(ownerUrl, union, [siteId])
  const ids: Record<string, string[]> = {}
  for (const [table, all] of Map.groupBy(rows, (row) => row.table)) ids[table.replaceAll('_', '-')] = all.slice(0, 12).map(({ id }) => id)
  const lists = operations.filter(({ method, path }) => method === 'GET' && /^\/[\w-]+$/.test(path))
  await mapInParallel(lists, async ({ path }) => {
    const { status, text } = await ask(`/api/v2${path}?page[size]=12`)
    const { data } = (status === 200 ? JSON.parse(text) : {}) as { data?: { id: string }[] | { id: string } }
    if (Array.isArray(data) && data.length > 0) ids[path.slice(1)] = data.map(({ id }) => id)
  })
  return { ids, anyIds: [...new Set(Object.values(ids).flatMap((some) => some.slice(0, 3)))], allIds: new Set(rows.map(({ id }) => id)) }
}

async function loadPages(
  host: string,
  ask: Ask,
  token: string,
  askAs: (host: string, path: string, headers?: Record<string, string>) => Promise<Answer>,
): Promise<Pick<FuzzSite, 'pages' | 'forms'>> {
  const listed = [...(await ask('/sitemap.xml')).text.matchAll(/<loc>https?:\/\/[^/]+(\/[^<]*)?<\/loc>/g)].map(([, path = '/']) => path)
  const fixed = listRoutePaths().filter((path) => !path.includes('$'))
  const pages = [...new Set([...listed, ...fixed])]
  const shown = [...fixed.filter((path) => !isScreen(path)), ...pickEvenly(listed.filter((path) => !/^\/(fr-CA|cy)\b/.test(path)))]
  const read = shown.flatMap((page) => ['', `token=${token}`].map((cookie) => ({ page, cookie })))
  const found = await mapInParallel(read, async ({ page, cookie }) => {
    const { status, text } = await askAs(host, page, { accept: 'text/html', ...(cookie ? { cookie } : {}) })
    return status === 200 ? readForms(page, text) : []
  })
  const forms = new Map(found.flat().map((form) => [JSON.stringify(form), form]))
  return { pages, forms: [...forms.values()] }
}

/** Screens of administrators and previews send no forms. */
const isScreen = (path: string) => /^\/(admin|live-preview)/.test(path)

/** Enough of many pages to meet each kind of page. */
const PICKED = 30
const pickEvenly = (all: readonly string[]) => all.filter((_, at) => at % Math.ceil(all.length / PICKED) === 0)

async function mapInParallel<T, R>(all: readonly T[], map: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = all.entries()
  const work = async () => {
    for (const [at, one] of left) results[at] = await map(one)
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return results
}

const decodeEntities = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

function readForms(page: string, html: string): FuzzSite['forms'] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, attributes = '', inner = '']) => {
    if (!/method="post"/i.test(attributes)) return []
    const path = decodeEntities(/action="([^"]*)"/.exec(attributes)?.[1] ?? page)
    const fields = [...inner.matchAll(/<(?:input|textarea|select|button)\b([^>]*)>/g)].flatMap(([, field = '']): [string, string][] => {
      const name = /\bname="([^"]*)"/.exec(field)?.[1]
      return name ? [[decodeEntities(name), decodeEntities(/\bvalue="([^"]*)"/.exec(field)?.[1] ?? 'Fern Street')]] : []
    })
    return path.startsWith('/') ? [{ path, fields }] : []
  })
}
