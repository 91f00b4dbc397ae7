import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './product.ts'

export interface ServerFunction {
  id: string
  name: string
}

/** Every server function of the built product, from its manifest. */
export function listServerFunctions(): ServerFunction[] {
  const dir = join(ROOT, 'dist/server')
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  return files
    .flatMap((file) => [
      ...readFileSync(join(dir, file), 'utf8').matchAll(/"([\da-f]{64})": \{\s*functionName: "(\w+)_createServerFn_handler"/g),
    ])
    .map(([, id = '', name = '']) => ({ id, name }))
}

/** Every route path, with parameters as `$name`. */
export function listRoutePaths(): string[] {
  const tree = readFileSync(join(ROOT, 'app/routeTree.gen.ts'), 'utf8')
  const [, union = ''] = /fullPaths:\n((?: +\| '[^']+'\n)+)/.exec(tree) ?? []
  return [...union.matchAll(/'([^']+)'/g)].map(([, path = '']) => path)
}

/** @param value replaces each parameter, already encoded */
export const fillPath = (path: string, value: string): string =>
  path.replaceAll(/\{\$\w+\}|\$\w+|\{id\}/g, () => value).replace(/\$$/, () => value)

interface OpenApiDocument {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Json }> } } | undefined>>
  components: { schemas: Record<string, Json> }
}
export type Json = { [key: string]: unknown }

export interface Operation {
  method: string
  /** Below `/api/v2`, with parameters as `{id}`. */
  path: string
  body: Json | undefined
}

const METHODS = new Set(['get', 'post', 'patch', 'put', 'delete'])

export function listOperations(openApi: unknown): Operation[] {
  const { paths } = openApi as OpenApiDocument
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        body: Object.values(operation?.requestBody?.content ?? {})[0]?.schema,
      })),
  )
}

/** A value that matches a schema of the API description; `text` supplies every free text. */
export function buildExample(schema: Json, openApi: unknown, text: () => string, depth = 0): unknown {
  const known = (openApi as OpenApiDocument).components.schemas
  const again = (inner: unknown) => buildExample((inner ?? {}) as Json, openApi, text, depth + 1)
  const reference = schema['$ref']
  if (typeof reference === 'string') return depth > 30 ? null : again(known[reference.split('/').at(-1) ?? ''])
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const [first] = (schema[name] as Json[] | undefined) ?? []
    if (first) return again(first)
  }
  switch ([schema['type']].flat()[0]) {
    case 'string':
      return schema['format'] === 'uuid' ? crypto.randomUUID() : text()
    case 'number':
    case 'integer':
      return schema['minimum'] ?? 1
    case 'boolean':
      return true
    case 'array':
      return ((schema['prefixItems'] as unknown[] | undefined) ?? [schema['items']]).map(again)
    case 'object':
      return Object.fromEntries(Object.entries((schema['properties'] ?? {}) as Json).map(([name, inner]) => [name, again(inner)]))
    default:
      return text()
  }
}

/** The payload of a server function call, as the framework's client serialises it. */
export function buildCallPayload(data: unknown): string {
  let made = 0
  const node = (value: unknown): Json => {
    if (value === null) return { t: 2, s: 0 }
    if (typeof value === 'string') return { t: 1, s: value }
    if (typeof value === 'number') return { t: 0, s: value }
    if (typeof value === 'boolean') return { t: 2, s: value ? 2 : 3 }
    if (typeof value !== 'object') return { t: 2, s: 1 }
    const i = ++made
    if (Array.isArray(value)) return { t: 9, i, a: value.map(node), o: 0 }
    return { t: 10, i, p: { k: Object.keys(value), v: Object.values(value).map(node) }, o: 0 }
  }
  return JSON.stringify({ t: { t: 10, i: 0, p: { k: ['data'], v: [node(data)] }, o: 0 }, f: 127, m: [] })
}
