import type { AnyShape, Operation } from '../../lib/api-client/resource-shape.ts'
import { fieldNames } from '../../lib/api-client/resource-shape.ts'
import type { Registry } from './create-registry.ts'
import type { AnyResource } from './implement.ts'
import { type Json, ref, SchemaCollector } from './openapi-schemas.ts'
import { BASE, DEEPEST_INCLUDE, MEDIA_TYPE } from './protocol.ts'

const described = new WeakMap<Registry, Json>()

/** The OpenAPI 3.1 description of all that a registry serves, made once. */
export function openApi(registry: Registry): Json {
  const known = described.get(registry) ?? describe(registry)
  described.set(registry, known)
  return known
}

function describe(registry: Registry): Json {
  const collector = new SchemaCollector()
  const paths: Record<string, Json> = { '/': { get: operation('root', [], 'Links to every resource', { 200: json({ type: 'object' }) }) } }
  for (const { shape } of registry.resources) collector.addResource(shape)
  for (const resource of registry.resources)
    Object.assign(paths, resource.shape.kind === 'singleton' ? singletonPaths(resource) : collectionPaths(resource, registry, collector))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: '2',
      description:
        'JSON:API 1.1. The site is the one of the host name. Errors carry a stable `code`, and a `title` in the language of the request. A collection’s `included` holds the resources that `include` asked for.',
    },
    servers: [{ url: BASE }],
    tags: registry.resources.map(({ shape }) => ({ name: shape.type, description: shape.summary })),
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'x-api-token', description: '`Bearer <token>`' } },
      parameters: PARAMETERS,
      responses: { Error: { description: 'What went wrong, each fault on its own', ...json(ref('Errors')) } },
      schemas: collector.schemas,
    },
  }
}

const PARAMETERS: Json = {
  language: { name: 'lng', in: 'query', schema: { type: 'string' }, description: 'Language of the answer, before Accept-Language.' },
  pageNumber: { name: 'page[number]', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
}
const parameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })
const json = (schema: Json): Json => ({ content: { [MEDIA_TYPE]: { schema } } })
const list = (names: Iterable<string>): Json => ({ type: 'array', items: { type: 'string', enum: [...names] } })
const inQuery = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: 'query',
  style: 'form',
  explode: false,
  schema,
  ...(description ? { description } : {}),
})

function operation(id: string, tags: string[], summary: string, responses: Record<string, Json>, more: Json = {}): Json {
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

const DESCRIPTIONS: Record<string, string> = { 200: 'As asked for', 201: 'Created', 204: 'Done; nothing to tell' }

/** `fields` and `include`, as every document of the type takes them. */
function documentParameters(shape: AnyShape): Json[] {
  const names = Object.keys(shape.relationships)
  const include = inQuery(
    'include',
    { type: 'array', items: { type: 'string' } },
    `${names.join(', ')}; paths of at most ${DEEPEST_INCLUDE} steps, joined by dots`,
  )
  return [inQuery(`fields[${shape.type}]`, list(fieldNames(shape))), ...(names.length > 0 ? [include] : []), parameter('language')]
}

function listParameters(shape: AnyShape, collector: SchemaCollector): Json[] {
  const filters = Object.entries(shape.filters)
  const sorts = shape.sorts.flatMap((name) => [name, `-${name}`])
  return [
    ...filters.map(([name, { schema }]) => inQuery(`filter[${name}]`, collector.convert(schema, `${shape.type}.filter.${name}`, 'output'))),
    ...(sorts.length > 0 ? [inQuery('sort', list(sorts), shape.defaultSort ? `${shape.defaultSort} by default` : undefined)] : []),
    ...pageParameters(shape),
  ]
}

const pageParameters = ({ page }: AnyShape): Json[] => [
  parameter('pageNumber'),
  inQuery('page[size]', { type: 'integer', minimum: 1, maximum: page.max, default: page.size }),
]

const withBody = (schema: Json): Json => ({ requestBody: { required: true, ...json(schema) } })
const idParameter = (shape: AnyShape): Json => ({
  name: 'id',
  in: 'path',
  required: true,
  schema: { $ref: `#/components/schemas/${shape.type}.identifier/properties/id` },
})

function singletonPaths({ shape }: AnyResource): Record<string, Json> {
  const { type } = shape
  const document = json(ref(`${type}.document`))
  const parameters = documentParameters(shape)
  return {
    [`/${type}`]: {
      parameters,
      get: operation(`get-${type}`, [type], shape.summary, { 200: document }),
      ...(shape.operations.includes('update')
        ? { patch: operation(`update-${type}`, [type], 'Change', { 200: document }, withBody(ref(`${type}.update`))) }
        : {}),
    },
  }
}

function collectionPaths(resource: AnyResource, registry: Registry, collector: SchemaCollector): Record<string, Json> {
  const { shape } = resource
  const { type } = shape
  const document = json(ref(`${type}.document`))
  const documented = { parameters: documentParameters(shape) }
  const create = withBody(ref(`${type}.create`))
  const operations: Record<Operation, () => Json> = {
    list: () =>
      operation(
        `list-${type}`,
        [type],
        'A page of the collection',
        { 200: json(ref(`${type}.collection`)) },
        {
          parameters: [...documentParameters(shape), ...listParameters(shape, collector)],
        },
      ),
    create: () => operation(`create-${type}`, [type], 'Create', { 201: document }, { ...documented, ...create }),
    get: () => operation(`get-${type}`, [type], 'One of them', { 200: document }, documented),
    update: () =>
      operation(`update-${type}`, [type], 'Change', { 200: document, 204: {} }, { ...documented, ...withBody(ref(`${type}.update`)) }),
    put: () =>
      operation(
        `put-${type}`,
        [type],
        'Make or replace under an id of the client’s',
        { 200: document, 201: document },
        { ...documented, ...create },
      ),
    remove: () => operation(`remove-${type}`, [type], 'Remove', { 204: {} }),
  }
  const offered = (methods: Partial<Record<Operation, string>>) =>
    Object.fromEntries(shape.operations.flatMap((name) => (methods[name] ? [[methods[name], operations[name]()]] : []))) as Json
  const item = offered({ get: 'get', update: 'patch', put: 'put', remove: 'delete' })
  return {
    ...withOperations(`/${type}`, offered({ list: 'get', create: 'post' })),
    ...withOperations(`/${type}/{id}`, item, shape),
    ...Object.assign({}, ...Object.keys(shape.relationships).map((name) => relationshipPaths(resource, name, registry, collector))),
  }
}

const withOperations = (path: string, operations: Json, shape?: AnyShape): Record<string, Json> =>
  Object.keys(operations).length > 0 ? { [path]: { ...(shape ? { parameters: [idParameter(shape)] } : {}), ...operations } } : {}

function relationshipPaths(resource: AnyResource, name: string, registry: Registry, collector: SchemaCollector): Record<string, Json> {
  const { shape } = resource
  const relationship = shape.relationships[name]
  const implementation = resource.implementation.relationships?.[name]
  const target = registry.find(relationship?.target ?? '')?.shape
  if (!relationship || !implementation || !target) return {}
  const tags = [shape.type]
  const id = `${shape.type}-${name}`
  const isMany = relationship.kind === 'to-many'
  const identifier = ref(`${target.type}.identifier`)
  const linkage = isMany ? { type: 'array', items: identifier } : { oneOf: [identifier, { type: 'null' }] }
  const links: Json = { type: 'object', properties: { links: ref('Links'), data: linkage }, required: ['data'] }
  const paged = isMany ? pageParameters(target) : []
  // A filter that follows from the row fixes parameters that only the row knows; the description leaves them all in.
  const listed = isMany && implementation.filter && target.operations.includes('list') ? listParameters(target, collector) : paged
  const related = isMany
    ? collector.collection(target.type)
    : { oneOf: [ref(`${target.type}.document`), { type: 'object', properties: { data: { type: 'null' } } }] }
  const creates = relationship.kind === 'to-many' && relationship.inverse !== undefined && target.operations.includes('create')
  const change = (verb: string, summary: string): Json => operation(`${verb}-${id}-links`, tags, summary, { 204: {} }, withBody(links))
  return {
    ...withOperations(
      `/${shape.type}/{id}/${name}`,
      {
        get: operation(
          `related-${id}`,
          tags,
          `Related ${target.type}`,
          { 200: json(related) },
          { parameters: [...documentParameters(target), ...listed] },
        ),
        ...(creates
          ? {
              post: operation(
                `create-${id}`,
                tags,
                `Create one of the ${target.type}`,
                { 201: json(ref(`${target.type}.document`)) },
                withBody(ref(`${target.type}.create`)),
              ),
            }
          : {}),
      },
      shape,
    ),
    ...withOperations(
      `/${shape.type}/{id}/relationships/${name}`,
      {
        get: operation(`links-${id}`, tags, 'Identifiers alone', { 200: json(links) }, { parameters: paged }),
        ...(implementation.replace ? { patch: change('replace', 'Replace') } : {}),
        ...(implementation.add ? { post: change('add', 'Add') } : {}),
        ...(implementation.remove ? { delete: change('remove', 'Remove') } : {}),
      },
      shape,
    ),
  }
}
