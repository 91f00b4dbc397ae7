import type { AnyShape, Operation } from '../../lib/api-client/resource-shape.ts'
import { listFieldNames } from '../../lib/api-client/resource-shape.ts'
import type { Registry } from './create-registry.ts'
import type { AnyResource } from './implement.ts'
import { type Json, toSchemaRef, SchemaCollector } from './openapi-schemas.ts'
import { ATOMIC_TYPES } from './operations/atomic-types.ts'
import { MAX_OPERATIONS } from './operations/parse-operations.ts'
import { API_BASE, ATOMIC_MEDIA_TYPE, DEEPEST_INCLUDE, MEDIA_TYPE } from './protocol.ts'

const documentCache = new WeakMap<Registry, Json>()

/** The OpenAPI 3.1 description of a registry, built once. */
export function getOpenApi(registry: Registry): Json {
  const known = documentCache.get(registry) ?? buildOpenApi(registry)
  documentCache.set(registry, known)
  return known
}

function buildOpenApi(registry: Registry): Json {
  const collector = new SchemaCollector()
  const paths: Record<string, Json> = {
    '/': { get: buildOperation('root', [], 'Links to every resource', { 200: toJsonContent({ type: 'object' }) }) },
    '/operations': { post: buildAtomicOperation() },
  }
  for (const { shape } of registry.resources) collector.addResource(shape)
  for (const resource of registry.resources)
    Object.assign(
      paths,
      resource.shape.kind === 'singleton' ? buildSingletonPaths(resource) : buildCollectionPaths(resource, registry, collector),
    )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '2',
      description:
        'JSON:API 1.1. The site is the one of the host name. Errors carry a stable `code`, and a `title` in the language of the request. A collection’s `included` holds the resources that `include` asked for. A change may name the version it is based on, by `meta.lockVersion` (409 if it is stale) or by `If-Match` with the `etag` that was read (412); without either, the last save wins. A site’s administrators make tokens for programs, each with scopes and an end.',
    },
    servers: [{ url: API_BASE }],
    tags: registry.resources.map(({ shape }) => ({ name: shape.type, description: shape.summary })),
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'x-api-token', description: '`Bearer <token>`' } },
      parameters: PARAMETERS,
      responses: { Error: { description: 'What went wrong, with one entry for each fault', ...toJsonContent(toSchemaRef('Errors')) } },
      schemas: collector.schemas,
    },
  }
}

const PARAMETERS: Json = {
  language: {
    name: 'lng',
    in: 'query',
    schema: { type: 'string' },
    description: 'Language of the response; takes precedence over Accept-Language.',
  },
  pageNumber: { name: 'page[number]', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
}
const toParameterRef = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })
const toJsonContent = (schema: Json, mediaType = MEDIA_TYPE): Json => ({ content: { [mediaType]: { schema } } })
const toListSchema = (names: Iterable<string>): Json => ({ type: 'array', items: { type: 'string', enum: [...names] } })
const buildQueryParameter = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: 'query',
  style: 'form',
  explode: false,
  schema,
  ...(description ? { description } : {}),
})

function buildOperation(id: string, tags: string[], summary: string, responses: Record<string, Json>, more: Json = {}): Json {
  const described = Object.entries(responses).map(([status, response]) => [
    status,
    { description: DESCRIPTIONS[status] ?? '', ...response },
  ])
  return {
    operationId: id,
    tags,
    summary,
    ...more,
    responses: { ...(Object.fromEntries(described) as Json), default: { $ref: '#/components/responses/Error' } },
  }
}

/** JSON:API atomic operations: https://jsonapi.org/ext/atomic/ */
function buildAtomicOperation(): Json {
  const identity: Json = { type: { enum: [...ATOMIC_TYPES] }, id: { type: 'string' }, lid: { type: 'string' } }
  const target: Json = { type: 'object', properties: { ...identity, relationship: { type: 'string' } }, required: ['type'] }
  const resource: Json = {
    type: 'object',
    properties: { ...identity, attributes: { type: 'object' }, relationships: { type: 'object' }, meta: { type: 'object' } },
    required: ['type'],
  }
  const identifier: Json = {
    type: 'object',
    properties: { type: { type: 'string' }, id: { type: 'string' }, lid: { type: 'string' } },
    required: ['type'],
  }
  const data: Json = { oneOf: [resource, { type: 'array', items: identifier }, { type: 'null' }] }
  const operation: Json = {
    type: 'object',
    properties: { op: { enum: ['add', 'update', 'remove'] }, ref: target, href: { type: 'string' }, data, meta: { type: 'object' } },
    required: ['op'],
  }
  const results: Json = { type: 'array', items: { type: 'object', properties: { data: {} } } }
  return buildOperation(
    'run-operations',
    [],
    'Several changes, all of them or none: JSON:API atomic operations',
    {
      200: toJsonContent(
        {
          type: 'object',
          properties: { jsonapi: { type: 'object' }, 'atomic:results': results },
          required: ['atomic:results'],
        },
        ATOMIC_MEDIA_TYPE,
      ),
    },
    {
      description:
        'Runs in the given order, in one transaction. Each operation needs the same rights as its own request and fails with the same errors, whose pointers begin with `/atomic:operations/{index}`. `ref` or `href` names what changes; a `lid` names what an earlier operation creates. `meta.lockVersion` of an operation names the version that it is based on (409 if it is stale); `If-Match` is refused here (412).',
      ...withRequestBody(
        {
          type: 'object',
          properties: { 'atomic:operations': { type: 'array', items: operation, minItems: 1, maxItems: MAX_OPERATIONS } },
          required: ['atomic:operations'],
        },
        ATOMIC_MEDIA_TYPE,
      ),
    },
  )
}

const DESCRIPTIONS: Record<string, string> = { 200: 'As asked for', 201: 'Created', 204: 'Done; nothing to tell' }

/** The `fields` and `include` parameters of every document of the type. */
function buildDocumentParameters(shape: AnyShape): Json[] {
  const names = Object.keys(shape.relationships)
  const include = buildQueryParameter(
    'include',
    { type: 'array', items: { type: 'string' } },
    `${names.join(', ')}; paths of at most ${DEEPEST_INCLUDE} steps, joined by dots`,
  )
  return [
    buildQueryParameter(`fields[${shape.type}]`, toListSchema(listFieldNames(shape))),
    ...(names.length > 0 ? [include] : []),
    toParameterRef('language'),
  ]
}

function buildListParameters(shape: AnyShape, collector: SchemaCollector): Json[] {
  const filters = Object.entries(shape.filters)
  const sorts = shape.sorts.flatMap((name) => [name, `-${name}`])
  return [
    ...filters.map(([name, { schema }]) =>
      buildQueryParameter(`filter[${name}]`, collector.convert(schema, `${shape.type}.filter.${name}`, 'output')),
    ),
    ...(sorts.length > 0
      ? [buildQueryParameter('sort', toListSchema(sorts), shape.defaultSort ? `${shape.defaultSort} by default` : undefined)]
      : []),
    ...buildPageParameters(shape),
  ]
}

const buildPageParameters = ({ page }: AnyShape): Json[] => [
  toParameterRef('pageNumber'),
  buildQueryParameter('page[size]', { type: 'integer', minimum: 1, maximum: page.max, default: page.size }),
]

const withRequestBody = (schema: Json, mediaType?: string): Json => ({
  requestBody: { required: true, ...toJsonContent(schema, mediaType) },
})
const buildIdParameter = (shape: AnyShape): Json => ({
  name: 'id',
  in: 'path',
  required: true,
  schema: { $ref: `#/components/schemas/${shape.type}.identifier/properties/id` },
})

function buildSingletonPaths({ shape }: AnyResource): Record<string, Json> {
  const { type } = shape
  const document = toJsonContent(toSchemaRef(`${type}.document`))
  const parameters = buildDocumentParameters(shape)
  return {
    [`/${type}`]: {
      parameters,
      get: buildOperation(`get-${type}`, [type], shape.summary, { 200: document }),
      ...(shape.operations.includes('update')
        ? { patch: buildOperation(`update-${type}`, [type], 'Change', { 200: document }, withRequestBody(toSchemaRef(`${type}.update`))) }
        : {}),
    },
  }
}

function buildCollectionPaths(resource: AnyResource, registry: Registry, collector: SchemaCollector): Record<string, Json> {
  const { shape } = resource
  const { type } = shape
  const document = toJsonContent(toSchemaRef(`${type}.document`))
  const documented = { parameters: buildDocumentParameters(shape) }
  const create = withRequestBody(toSchemaRef(`${type}.create`))
  const operations: Record<Operation, () => Json> = {
    list: () =>
      buildOperation(
        `list-${type}`,
        [type],
        'A page of the collection',
        { 200: toJsonContent(toSchemaRef(`${type}.collection`)) },
        {
          parameters: [...buildDocumentParameters(shape), ...buildListParameters(shape, collector)],
        },
      ),
    create: () => buildOperation(`create-${type}`, [type], 'Create', { 201: document }, { ...documented, ...create }),
    get: () => buildOperation(`get-${type}`, [type], 'One of them', { 200: document }, documented),
    update: () =>
      buildOperation(
        `update-${type}`,
        [type],
        'Change',
        { 200: document, 204: {} },
        { ...documented, ...withRequestBody(toSchemaRef(`${type}.update`)) },
      ),
    put: () =>
      buildOperation(
        `put-${type}`,
        [type],
        'Make or replace under an id of the client’s',
        { 200: document, 201: document },
        { ...documented, ...create },
      ),
    remove: () => buildOperation(`remove-${type}`, [type], 'Remove', { 204: {} }),
  }
  const pickOperations = (methods: Partial<Record<Operation, string>>) =>
    Object.fromEntries(shape.operations.flatMap((name) => (methods[name] ? [[methods[name], operations[name]()]] : []))) as Json
  const item = pickOperations({ get: 'get', update: 'patch', put: 'put', remove: 'delete' })
  return {
    ...buildPathItem(`/${type}`, pickOperations({ list: 'get', create: 'post' })),
    ...buildPathItem(`/${type}/{id}`, item, shape),
    ...Object.assign({}, ...Object.keys(shape.relationships).map((name) => buildRelationshipPaths(resource, name, registry, collector))),
  }
}

const buildPathItem = (path: string, operations: Json, shape?: AnyShape): Record<string, Json> =>
  Object.keys(operations).length > 0 ? { [path]: { ...(shape ? { parameters: [buildIdParameter(shape)] } : {}), ...operations } } : {}

function buildRelationshipPaths(resource: AnyResource, name: string, registry: Registry, collector: SchemaCollector): Record<string, Json> {
  const { shape } = resource
  const relationship = shape.relationships[name]
  const implementation = resource.implementation.relationships?.[name]
  const target = registry.find(relationship?.target ?? '')?.shape
  if (!relationship || !implementation || !target) return {}
  const tags = [shape.type]
  const id = `${shape.type}-${name}`
  const isMany = relationship.kind === 'to-many'
  const identifier = toSchemaRef(`${target.type}.identifier`)
  const linkage = isMany ? { type: 'array', items: identifier } : { oneOf: [identifier, { type: 'null' }] }
  const links: Json = { type: 'object', properties: { links: toSchemaRef('Links'), data: linkage }, required: ['data'] }
  const paged = isMany ? buildPageParameters(target) : []
  // Such a filter fixes some parameters, but which ones only the row knows; so the description lists them all.
  const listed = isMany && implementation.filter && target.operations.includes('list') ? buildListParameters(target, collector) : paged
  const related = isMany
    ? collector.buildCollection(target.type)
    : { oneOf: [toSchemaRef(`${target.type}.document`), { type: 'object', properties: { data: { type: 'null' } } }] }
  const creates = relationship.kind === 'to-many' && relationship.inverse !== undefined && target.operations.includes('create')
  const buildLinkChange = (verb: string, summary: string): Json =>
    buildOperation(`${verb}-${id}-links`, tags, summary, { 204: {} }, withRequestBody(links))
  return {
    ...buildPathItem(
      `/${shape.type}/{id}/${name}`,
      {
        get: buildOperation(
          `related-${id}`,
          tags,
          `Related ${target.type}`,
          { 200: toJsonContent(related) },
          { parameters: [...buildDocumentParameters(target), ...listed] },
        ),
        ...(creates
          ? {
              post: buildOperation(
                `create-${id}`,
                tags,
                `Create one of the ${target.type}`,
                { 201: toJsonContent(toSchemaRef(`${target.type}.document`)) },
                withRequestBody(toSchemaRef(`${target.type}.create`)),
              ),
            }
          : {}),
      },
      shape,
    ),
    ...buildPathItem(
      `/${shape.type}/{id}/relationships/${name}`,
      {
        get: buildOperation(`links-${id}`, tags, 'Identifiers alone', { 200: toJsonContent(links) }, { parameters: paged }),
        ...(implementation.replace ? { patch: buildLinkChange('replace', 'Replace') } : {}),
        ...(implementation.add ? { post: buildLinkChange('add', 'Add') } : {}),
        ...(implementation.remove ? { delete: buildLinkChange('remove', 'Remove') } : {}),
      },
      shape,
    ),
  }
}
