import fc from 'fast-check'
import { buildCallPayload, fillPath, type Json } from '#tests/support/every-endpoint.ts'
import type { ApiOperation, FuzzGround, FuzzSite } from './ground.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { mutateDocument, mutations } from './mutations.ts'
import { anyJson, anyText, SchemaValues } from './schema-values.ts'

export const ACTORS = ['visitor', 'participant', 'administrator', 'stranger'] as const
export type Actor = (typeof ACTORS)[number]

export interface FuzzRequest {
  kind: 'api' | 'page' | 'form' | 'call'
  /** The stranger is an administrator of the other site. */
  actor: Actor
  site: 'own' | 'other'
  method: string
  path: string
  /** Without the site's address and the actor's token, which belong to the moment of sending. */
  headers: Record<string, string>
  body: string
  /** What it asks of the API, if that is something the description names. */
  operation?: ApiOperation
}

const JSON_API = 'application/vnd.api+json'

/** What surrounds a request, whatever it asks. */
interface Circumstances {
  actor: Actor
  atHome: boolean
  address: string
  language: string
  odd: Record<string, string>
}

const headerText = anyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim())
const encodedText = anyText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 1500))
const pathPart = fc.oneof(encodedText, fc.constantFrom('%zz', '%00', '%c3%28', '..%2f', '%2e%2e', '%E2%80%A8', '%5c'))

const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  actor: fc.oneof(...([2, 3, 5, 2] as const).map((weight, at) => ({ weight, arbitrary: fc.constant<Actor>(ACTORS[at] ?? 'visitor') }))),
  atHome: fc.oneof({ weight: 7, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  address: fc.ipV4(),
  language: fc.constantFrom('en', 'fr-CA', 'cy', 'fr', 'de', '*', 'en;q=0, cy', ''),
  odd: fc.oneof(
    { weight: 5, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom('accept', 'accept-encoding', 'if-match', 'if-none-match', 'range', 'x-request-id', 'referer', 'x-forwarded-host'),
          headerText,
        )
        .map(([name, value]) => ({ [name]: value })),
    },
  ),
})

const junkQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'q',
        'page',
        'page[size]',
        'page[number]',
        'sort',
        'include',
        'filter[q]',
        'fields[x]',
        'lng',
        'filter',
        'token',
        'x',
      ),
      encodedText,
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`))

/** Any request over the API's description, the pages, their forms and the server functions. */
export function createRequests(ground: FuzzGround): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 11, arbitrary: createApiRequests(ground) },
    { weight: 5, arbitrary: createPageRequests(ground) },
    { weight: 3, arbitrary: createFormRequests(ground) },
    { weight: 1, arbitrary: createCalls(ground) },
  )
}

function createApiRequests(ground: FuzzGround): fc.Arbitrary<FuzzRequest> {
  const ids = (type: string) => createIds(ground.sites, type)
  const values = new SchemaValues(ground.description.components.schemas, ids)
  const operations = ground.operations.map((operation) => {
    const type = operation.path.split('/')[1] ?? ''
    const body = operation.body ? values.generateValues(operation.body) : fc.constant(undefined)
    return fc
      .record({
        around: circumstances,
        id: fc.oneof({ weight: 9, arbitrary: ids(type) }, { weight: 1, arbitrary: pathPart }),
        query: createQuery(operation, values),
        body,
        isOwnId: fc.boolean(),
        mutated: fc.oneof(fc.constant([]), mutations),
        method: fc.oneof(
          { weight: 30, arbitrary: fc.constant(operation.method) },
          { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE') },
        ),
        contentType: fc.oneof(
          { weight: 20, arbitrary: fc.constantFrom(JSON_API, 'application/json') },
          { weight: 1, arbitrary: fc.constantFrom('text/plain', `${JSON_API}; charset=utf-8`, 'multipart/form-data', 'junk') },
        ),
      })
      .map(({ around, id, query, body: document, isOwnId, mutated, method, contentType }): FuzzRequest => {
        const path = `/api/v2${fillPath(operation.path, id)}`
        const sent = document === undefined ? undefined : mutateDocument(isOwnId ? nameAddressed(document, id) : document, mutated)
        return {
          kind: 'api',
          ...chooseSite(around),
          method,
          path: query.length > 0 ? `${path}?${query.join('&')}` : path,
          headers: {
            accept: JSON_API,
            'x-forwarded-for': around.address,
            'accept-language': around.language,
            ...(sent === undefined ? {} : { 'content-type': contentType }),
            ...around.odd,
          },
          body: sent === undefined ? '' : (JSON.stringify(sent) ?? ''),
          ...(method === operation.method && !isFolded(id) ? { operation } : {}),
        }
      })
  })
  return fc.oneof(...operations)
}

/** An address without this part, or without the one before, is another one. */
const isFolded = (part: string) => /^(\.|%2e){0,2}$/i.test(part)

/** A change names the resource that its address names. */
function nameAddressed(document: unknown, id: string): unknown {
  const { data } = document as { data?: Json }
  return data && !Array.isArray(data) && 'id' in data ? { data: { ...data, id } } : document
}

/** Ids of a type: of this site, of the other one, of something else, or of nothing. */
function createIds({ own, other }: FuzzGround['sites'], type: string): fc.Arbitrary<string> {
  const choose = (site: FuzzSite) => fc.constantFrom(...(site.ids[type]?.length ? site.ids[type] : site.anyIds))
  return fc.oneof(
    { weight: 7, arbitrary: choose(own) },
    { weight: 2, arbitrary: choose(other) },
    { weight: 1, arbitrary: fc.constantFrom(...own.anyIds) },
    { weight: 1, arbitrary: fc.uuid() },
  )
}

function createQuery(operation: ApiOperation, values: SchemaValues): fc.Arbitrary<string[]> {
  const members = operation.parameters.map(({ name, schema, names }) => {
    const value = names?.length ? fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }) : values.generateValues(schema)
    const text = fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: anyText })
    return text.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one).toWellFormed()).slice(0, 1500)}`)
  })
  if (members.length === 0) return fc.oneof({ weight: 9, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: junkQuery })
  return fc.oneof({ weight: 6, arbitrary: fc.array(fc.oneof(...members), { maxLength: 3 }) }, { weight: 1, arbitrary: junkQuery })
}

/** The site that the actor's account belongs to. */
export const getHome = (actor: Actor): FuzzRequest['site'] => (actor === 'stranger' ? 'other' : 'own')

function chooseSite({ actor, atHome }: Circumstances): Pick<FuzzRequest, 'actor' | 'site'> {
  const home = getHome(actor)
  return { actor, site: atHome ? home : home === 'own' ? 'other' : 'own' }
}

const toPageHeaders = ({ address, language, odd }: Circumstances, cookie: string): Record<string, string> => ({
  accept: 'text/html',
  'x-forwarded-for': address,
  'accept-language': language,
  ...(cookie ? { cookie } : {}),
  ...odd,
})

const cookies = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('current_language', 'consent', 'token', 'x', '__proto__'), encodedText)
      .map(([name, value]) => `${name}=${value}`),
  },
)

function createPageRequests(ground: FuzzGround): fc.Arbitrary<FuzzRequest> {
  const { own, other } = ground.sites
  const filled = fc
    .tuple(fc.constantFrom(...ground.routes), fc.oneof(fc.constantFrom(...own.anyIds, ...other.anyIds), pathPart))
    .map(([route, part]) => fillPath(route, part))
  const path = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own.pages, ...other.pages) }, { weight: 2, arbitrary: filled })
  const prefix = fc.constantFrom('', '', '', '/fr-CA', '/cy', '/en')
  return fc
    .record({ around: circumstances, path, prefix, query: junkQuery, cookies, method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD') })
    .map(({ around, path: page, prefix: language, query, cookies: more, method }) => ({
      kind: 'page',
      ...chooseSite(around),
      method,
      path: `${language}${page}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: toPageHeaders(around, more),
      body: '',
    }))
}

function createFormRequests(ground: FuzzGround): fc.Arbitrary<FuzzRequest> {
  const { own, other } = ground.sites
  const form = fc.constantFrom(...own.forms, ...other.forms)
  const change = fc.tuple(fc.nat(60), fc.oneof(anyText, fc.constantFrom(...HOSTILE_TEXTS)))
  return fc
    .record({
      around: circumstances,
      form,
      changes: fc.array(change, { maxLength: 4 }),
      added: fc.array(fc.tuple(encodedText, encodedText), { maxLength: 1 }),
      cookies,
      isOwnOrigin: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    })
    .map(({ around, form: { path, fields }, changes, added, cookies: more, isOwnOrigin }) => {
      const sent = fields.map(([name, value]) => [name, value] as const)
      for (const [at, value] of changes) if (sent.length > 0) sent[at % sent.length] = [sent[at % sent.length]?.[0] ?? '', value]
      const pairs = sent.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`)
      return {
        kind: 'form',
        ...chooseSite(around),
        method: 'POST',
        path,
        headers: {
          ...toPageHeaders(around, more),
          'content-type': 'application/x-www-form-urlencoded',
          ...(isOwnOrigin ? {} : { origin: 'https://attacker.example' }),
        },
        body: [...pairs, ...added.map(([name, value]) => `${name}=${value}`)].join('&'),
      }
    })
}

const CALL_MEMBERS = [
  'slug',
  'token',
  'id',
  'page',
  'project',
  'search',
  'survey',
  'hub',
  'host',
  'q',
  'answers',
  'type',
  'email',
  'version',
]

function createCalls(ground: FuzzGround): fc.Arbitrary<FuzzRequest> {
  const value = fc.oneof(anyJson, fc.constantFrom(...ground.sites.own.anyIds, ...ground.sites.other.anyIds))
  const data = fc.dictionary(fc.constantFrom(...CALL_MEMBERS), value, { maxKeys: 5 })
  return fc
    .record({ around: circumstances, id: fc.constantFrom(...ground.functions), data, isPost: fc.boolean(), cookies })
    .map(({ around, id, data: given, isPost, cookies: more }) => {
      const payload = buildCallPayload(given)
      return {
        kind: 'call',
        ...chooseSite(around),
        method: isPost ? 'POST' : 'GET',
        path: isPost ? `/_serverFn/${id}` : `/_serverFn/${id}?payload=${encodeURIComponent(payload.toWellFormed())}`,
        headers: {
          ...toPageHeaders(around, more),
          'x-tsr-serverfn': 'true',
          ...(isPost ? { 'content-type': 'application/json' } : {}),
        },
        body: isPost ? payload : '',
      }
    })
}
