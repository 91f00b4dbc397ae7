import { beforeAll, describe, expect, it } from 'vitest'
import type { Registry } from '#app/server/api/create-registry.ts'
import { getOpenApi } from '#app/server/api/openapi.ts'
import { apiResources as product } from '#app/root/api-resources.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addProject, fixtureApi } from './engine-fixture.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  enum?: unknown[]
  const?: unknown
}
interface Described {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, unknown>>
  components: {
    schemas: Record<string, Schema>
    parameters: object
    responses: object
    securitySchemes: Record<string, { name: string; in: string }>
  }
}
interface Operation {
  operationId: string
  responses: Record<string, { $ref?: string; description?: string; content?: unknown }>
  parameters?: ({ $ref: string } | { name: string; in: string })[]
  requestBody?: unknown
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const fixture = fixtureApi()
const described = (registry: Registry) => getOpenApi(registry) as unknown as Described

function operationsOf(description: Described): { path: string; method: string; operation: Operation }[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ path, method, operation: item[method] as Operation })),
  )
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner)))
}

function resolve(description: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce(
      (at: unknown, step) => (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      description,
    )
}

describe.each([
  ['the product', product],
  ['small resources', fixture.registry],
])('the OpenAPI description of %s', (_name, registry) => {
  const description = described(registry)

  it('has only patterns that are regular expressions in Unicode mode, as JSON Schema reads them', () => {
    const found: string[] = []
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      const { pattern } = value as { pattern?: unknown }
      if (typeof pattern === 'string') found.push(pattern)
      Object.values(value).forEach(collect)
    }
    collect(description)
    const isReadable = (pattern: string) => {
      try {
        return new RegExp(pattern, 'u') instanceof RegExp
      } catch {
        return false
      }
    }
    expect(found.filter((pattern) => !isReadable(pattern))).toEqual([])
  })

  it('requires no version of a change', () => {
    const updates = Object.entries(description.components.schemas).filter(([name]) => name.endsWith('.update'))
    expect(updates.filter(([, schema]) => schema.properties?.['data']?.required?.includes('meta'))).toEqual([])
  })

  it('is version 3.1, under the base path, with the token’s header', () => {
    expect(description.openapi).toBe('3.1.0')
    expect(description.servers).toEqual([{ url: '/api/v2' }])
    expect(description.components.securitySchemes['token']).toMatchObject({ in: 'header', name: 'x-api-token' })
  })

  it('has no dangling references', () => {
    const refs = refsIn(description)
    expect(refs.length).toBeGreaterThan(20)
    for (const ref of refs) expect(resolve(description, ref), ref).toBeDefined()
  })

  it('describes every registered resource with its operations', () => {
    for (const { shape } of registry.resources) {
      expect(description.components.schemas[shape.type], shape.type).toBeDefined()
      const methods = operationsOf(description).filter(({ path }) => path === `/${shape.type}` || path === `/${shape.type}/{id}`)
      expect(methods, shape.type).toHaveLength(shape.operations.length)
      for (const name of Object.keys(shape.relationships)) expect(description.paths[`/${shape.type}/{id}/${name}`], name).toBeDefined()
    }
  })

  it('gives each operation a unique id, a success response and the errors', () => {
    const ids = operationsOf(description).map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, method, operation } of operationsOf(description)) {
      const statuses = Object.keys(operation.responses)
      expect(
        statuses.some((status) => status.startsWith('2')),
        `${method} ${path}`,
      ).toBe(true)
      expect(statuses).toContain('default')
      for (const response of Object.values(operation.responses))
        expect(response.$ref ?? response.description, `${method} ${path}`).toBeTruthy()
      expect(operation.requestBody !== undefined, `${method} ${path}`).toBe(
        ['post', 'put', 'patch'].includes(method) || (method === 'delete' && path.includes('/relationships/')),
      )
    }
  })

  it('declares the parameters of each path, without duplicates', () => {
    for (const { path, operation } of operationsOf(description)) {
      const shared = (description.paths[path]?.['parameters'] ?? []) as Operation['parameters']
      const names = [...(shared ?? []), ...(operation.parameters ?? [])].map((one) => ('$ref' in one ? one.$ref : `${one.in} ${one.name}`))
      expect(new Set(names).size, path).toBe(names.length)
      expect(
        names.filter((name) => name.startsWith('path ')),
        path,
      ).toEqual(path.includes('{id}') ? ['path id'] : [])
    }
  })
})

describe('the description', () => {
  let runtime: TestRuntime
  const get = async (path: string) =>
    (await (await fixture.handle(new Request(`http://riverbend.localhost/api/v2${path}`), runtime, { address: null })).json()) as Record<
      string,
      unknown
    >

  beforeAll(async () => {
    runtime = await createTestRuntime()
    await addProject(runtime, await addSite(runtime, { slug: 'riverbend' }), { slug: 'a' })
  })

  it('is served as JSON, even to clients that accept only JSON:API', async () => {
    const response = await fixture.handle(
      new Request('http://riverbend.localhost/api/v2/openapi.json', { headers: { accept: 'application/vnd.api+json' } }),
      runtime,
      { address: null },
    )
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(described(fixture.registry))))
  })

  it('matches the actual documents', async () => {
    const { data } = (await get('/projects')) as { data: { attributes: Record<string, unknown>; relationships: object; meta: object }[] }
    const schemas = described(fixture.registry).components.schemas
    const attributes = schemas['projects.attributes'] as Required<Schema>
    expect(Object.keys(data[0]?.attributes ?? {}).sort()).toEqual([...attributes.required].sort())
    expect(Object.keys(attributes.properties)).toContain('titleTranslations')
    expect(attributes.properties).not.toHaveProperty('note')
    expect(attributes.properties['status']?.enum).toEqual(['draft', 'published'])
    expect(Object.keys(schemas['projects']?.properties?.['relationships']?.properties ?? {})).toEqual(
      Object.keys(data[0]?.relationships ?? {}),
    )
  })

  it('describes the input for create and update', () => {
    const schemas = described(fixture.registry).components.schemas
    const create = schemas['projects.create']?.properties?.['data']?.properties?.['attributes'] as Required<Schema>
    expect([...create.required].sort()).toEqual(['slug', 'titleTranslations'])
    expect(Object.keys(create.properties).sort()).toEqual(['note', 'opensAt', 'slug', 'titleTranslations'])
    expect(create.additionalProperties).toBe(false)
    const update = schemas['projects.update']?.properties?.['data'] as Required<Schema>
    expect([...update.required].sort()).toEqual(['id', 'type'])
  })
})
