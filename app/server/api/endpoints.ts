import { AppError } from '../../lib/app-error.ts'
import type { Operation } from '../../lib/api-client/resource-shape.ts'
import type { ApiAnswer, ApiCall } from './api-call.ts'
import { parseCallQuery } from './api-call.ts'
import type { Registry } from './create-registry.ts'
import type { AnyResource } from './implement.ts'
import { normaliseId } from './parse-input.ts'
import { changeLinks, type LinkChange, readLinks } from './change-links.ts'
import { getOpenApi } from './openapi.ts'
import { OPERATIONS, runOperations } from './operations/run-operations.ts'
import { API_BASE, ATOMIC_EXTENSION, JSONAPI } from './protocol.ts'
import { readCollection, readItem, readRelated, readSingleton } from './read-resources.ts'
import { createItem, createRelated, putItem, removeItem, updateItem, updateSingleton } from './write-resources.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Run = (call: ApiCall) => Promise<ApiAnswer>

export interface Endpoint {
  readonly methods: Partial<Record<Method, Run>>
  /** Methods that work even with an expired or invalid token. */
  readonly tokenless: readonly Method[]
  /** Methods by which people send something, not only administrators: many may at the same moment. */
  readonly sending?: readonly Method[]
  /** What visitors read here may be remembered for all visitors. */
  readonly remembered?: boolean
  /** URIs of the JSON:API extensions that it supports. */
  readonly extensions?: readonly string[]
  /** Always answers plain JSON, whatever the client accepts. */
  readonly plain?: boolean
}

const METHOD_OF: Record<Operation, Method> = { list: 'GET', get: 'GET', create: 'POST', update: 'PATCH', put: 'PUT', remove: 'DELETE' }

/** The endpoint at a path below the base, or undefined if it has no methods. */
export function findEndpoint(path: string, registry: Registry): Endpoint | undefined {
  const endpoint = resolveEndpoint(path, registry)
  return endpoint && Object.keys(endpoint.methods).length > 0 ? endpoint : undefined
}

function resolveEndpoint(path: string, registry: Registry): Endpoint | undefined {
  const segments = decodeSegments(path.replace(/^\/|\/$/g, ''))
  if (!segments) return undefined
  const [type, id, name, relationship] = segments
  if (type === undefined) return { methods: { GET: (call) => readRoot(call) }, tokenless: ['GET'] }
  if (type === 'openapi.json' && segments.length === 1)
    return { methods: { GET: (call) => readDescription(call) }, tokenless: ['GET'], plain: true }
  if (type === OPERATIONS && segments.length === 1)
    return { methods: { POST: (call) => runOperations(call) }, tokenless: [], extensions: [ATOMIC_EXTENSION] }
  const resource = registry.find(type)
  if (!resource) return undefined
  if (id === undefined) return resource.shape.kind === 'singleton' ? buildSingletonEndpoint(resource) : buildCollectionEndpoint(resource)
  if (resource.shape.kind === 'singleton') return undefined
  const normal = normaliseId(id)
  if (name === undefined) return buildItemEndpoint(resource, normal)
  if (segments.length === 3) return buildRelatedEndpoint(resource, normal, name, registry)
  if (segments.length === 4 && name === 'relationships' && relationship !== undefined)
    return buildLinksEndpoint(resource, normal, relationship)
  return undefined
}

function decodeSegments(path: string): string[] | undefined {
  if (path === '') return []
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Includes only the operations that the shape declares. */
function buildEndpoint(resource: AnyResource, runs: Partial<Record<Operation, Run>>): Endpoint {
  const methods: Endpoint['methods'] = {}
  const tokenless: Method[] = []
  for (const operation of resource.shape.operations) {
    const run = runs[operation]
    if (!run) continue
    methods[METHOD_OF[operation]] = run
    if (resource.shape.tokenless.includes(operation)) tokenless.push(METHOD_OF[operation])
  }
  const { creators = 'administrators', changers = 'administrators' } = resource.implementation
  const sending: Method[] = [
    ...(creators === 'administrators' ? [] : (['POST'] as const)),
    ...(changers === 'administrators' ? [] : (['PUT'] as const)),
  ]
  return { methods, tokenless, sending, remembered: resource.shape.rememberedForVisitors }
}

const buildCollectionEndpoint = (resource: AnyResource): Endpoint =>
  buildEndpoint(resource, { list: (call) => readCollection(call, resource), create: (call) => createItem(call, resource) })

const buildSingletonEndpoint = (resource: AnyResource): Endpoint =>
  buildEndpoint(resource, { get: (call) => readSingleton(call, resource), update: (call) => updateSingleton(call, resource) })

const buildItemEndpoint = (resource: AnyResource, id: string): Endpoint =>
  buildEndpoint(resource, {
    get: (call) => readItem(call, resource, id),
    update: (call) => updateItem(call, resource, id),
    put: (call) => putItem(call, resource, id),
    remove: (call) => removeItem(call, resource, id),
  })

function buildRelatedEndpoint(resource: AnyResource, id: string, name: string, registry: Registry): Endpoint | undefined {
  const relationship = Object.hasOwn(resource.shape.relationships, name) ? resource.shape.relationships[name] : undefined
  if (!relationship) return undefined
  const creates =
    relationship.kind === 'to-many' &&
    relationship.inverse !== undefined &&
    registry.find(relationship.target)?.shape.operations.includes('create')
  return {
    methods: {
      GET: (call) => readRelated(call, resource, id, name),
      ...(creates ? { POST: (call: ApiCall) => createRelated(call, resource, id, name) } : {}),
    },
    tokenless: [],
  }
}

function buildLinksEndpoint(resource: AnyResource, id: string, name: string): Endpoint | undefined {
  const implementation = Object.hasOwn(resource.shape.relationships, name) ? resource.implementation.relationships?.[name] : undefined
  if (!implementation) return undefined
  const isMany = resource.shape.relationships[name]?.kind === 'to-many'
  const runLinkChange =
    (kind: LinkChange): Run =>
    (call) =>
      changeLinks(call, resource, id, name, kind)
  return {
    methods: {
      GET: (call) => readLinks(call, resource, id, name),
      PATCH: runLinkChange('replace'),
      ...(isMany ? { POST: runLinkChange('add'), DELETE: runLinkChange('remove') } : {}),
    },
    tokenless: [],
  }
}

const NO_PARAMETERS = { shape: undefined, include: false, filtered: false, paged: false }

async function readRoot(call: ApiCall): Promise<ApiAnswer> {
  parseCallQuery(call, NO_PARAMETERS)
  const readable = call.registry.resources.filter(
    ({ shape }) => shape.kind === 'singleton' || shape.operations.includes('list') || shape.operations.includes('create'),
  )
  const links = Object.fromEntries(readable.map(({ shape }) => [shape.type, `${API_BASE}/${shape.type}`]))
  return {
    status: 200,
    document: {
      jsonapi: JSONAPI,
      meta: { site: call.ctx.site.name },
      links: { self: API_BASE, describedby: `${API_BASE}/openapi.json`, ...links },
    },
  }
}

async function readDescription(call: ApiCall): Promise<ApiAnswer> {
  parseCallQuery(call, NO_PARAMETERS)
  return { status: 200, document: getOpenApi(call.registry), contentType: 'application/json' }
}

export const normaliseMethod = ({ method }: Request): Method => (method === 'HEAD' ? 'GET' : method) as Method

/** @throws {AppError} `not-found` or `method-not-allowed` */
export function requireRunner(endpoint: Endpoint | undefined, request: Request): Run {
  if (!endpoint) throw new AppError('not-found')
  const run = endpoint.methods[normaliseMethod(request)]
  if (!run)
    throw new AppError('method-not-allowed', { detail: { key: 'allowed-methods', values: { methods: listAllowedMethods(endpoint) } } })
  return run
}

export function listAllowedMethods(endpoint: Endpoint): string {
  const methods = Object.keys(endpoint.methods)
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}
