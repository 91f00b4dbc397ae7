import fc from 'fast-check'
import type { Json } from '#tests/support/every-endpoint.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

/** Deeper than any schema needs, and shallow enough to end: outlines, conditions and groups of questions hold themselves. */
const DEEPEST = 14

export const anyText = fc.oneof(
  fc.constantFrom('Fern Street', 'mill', 'en', 'fr-CA', 'a@b.example', '2027-01-02T10:00:00Z', '2027-01-02', '7'),
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [null], { __proto__: null }),
  fc.jsonValue({ maxDepth: 2 }),
)

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.constantFrom('a@b.example', 'who+tag@sub.example.org', 'é@b.example', 'a@localhost'),
  uri: fc.constantFrom('https://example.org/', 'https://example.org/a?b=c#d', 'http://127.0.0.1/', 'javascript:zq7()', 'ftp://x'),
  date: fc.constantFrom('2026-11-24', '2024-02-29', '0001-01-01', '9999-12-31'),
  'date-time': fc.constantFrom(
    '2027-01-02T10:00:00Z',
    '2020-02-29T23:59:59.999Z',
    '2026-06-01T00:00:00+14:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ),
}

/** Builds values that follow a schema of the API description. */
export class SchemaValues {
  readonly #schemas: Record<string, Json>
  readonly #idsOf: (type: string) => fc.Arbitrary<string>
  readonly #known = new Map<string, fc.Arbitrary<unknown>>()

  /** @param idsOf ids to link to, by type of resource */
  constructor(schemas: Record<string, Json>, idsOf: (type: string) => fc.Arbitrary<string>) {
    this.#schemas = schemas
    this.#idsOf = idsOf
  }

  generateValues(schema: Json, depth = 0): fc.Arbitrary<unknown> {
    const reference = schema['$ref']
    if (typeof reference === 'string') return this.#followReference(reference, depth)
    if ('const' in schema) return fc.constant(schema['const'])
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
    for (const name of ['anyOf', 'oneOf']) {
      const choices = schema[name] as Json[] | undefined
      if (choices) return fc.oneof(...choices.map((one) => this.generateValues(one, depth + 1)))
    }
    const types = [schema['type'] ?? []].flat() as string[]
    return types.length > 0 ? fc.oneof(...types.map((type) => this.#generateType(type, schema, depth))) : anyJson
  }

  #followReference(reference: string, depth: number): fc.Arbitrary<unknown> {
    if (depth > DEEPEST) return fc.constant(null)
    const key = `${depth} ${reference}`
    const known = this.#known.get(key)
    if (known) return known
    const [, , , name = '', ...rest] = reference.split('/')
    const schema = rest.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], this.#schemas[name]) as Json | undefined
    const values = this.generateValues(schema ?? {}, depth + 1)
    this.#known.set(key, values)
    return values
  }

  #generateType(type: string, schema: Json, depth: number): fc.Arbitrary<unknown> {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'integer' || type === 'number') return generateNumbers(schema, type === 'integer')
    if (type === 'array') return this.#generateLists(schema, depth)
    return type === 'object' ? this.#generateObjects(schema, depth) : generateTexts(schema)
  }

  #generateLists(schema: Json, depth: number): fc.Arbitrary<unknown> {
    const places = schema['prefixItems'] as Json[] | undefined
    if (places) return fc.tuple(...places.map((place) => this.generateValues(place, depth + 1)))
    if (depth > DEEPEST) return fc.constant([])
    const minLength = Number(schema['minItems'] ?? 0)
    const maxLength = Math.max(minLength, Math.min(3, Number(schema['maxItems'] ?? 3)))
    return fc.array(this.generateValues((schema['items'] ?? {}) as Json, depth + 1), { minLength, maxLength })
  }

  #generateObjects(schema: Json, depth: number): fc.Arbitrary<unknown> {
    const properties = (schema['properties'] ?? {}) as Record<string, Json>
    const type = properties['type']?.['const']
    const names = Object.keys(properties)
    if (typeof type === 'string' && names.length === 2 && names.includes('id'))
      return fc.record({ type: fc.constant(type), id: this.#idsOf(type) })
    const additional = schema['additionalProperties']
    if (names.length === 0)
      return depth > DEEPEST || typeof additional !== 'object' || additional === null
        ? fc.constant({})
        : fc.dictionary(this.#generateKeys(schema), this.generateValues(additional as Json, depth + 1), { maxKeys: 3 })
    const required = (schema['required'] ?? []) as string[]
    const kept = depth > DEEPEST ? names.filter((name) => required.includes(name)) : names
    return fc.record(Object.fromEntries(kept.map((name) => [name, this.generateValues(properties[name] ?? {}, depth + 1)])), {
      requiredKeys: required.filter((name) => kept.includes(name)),
    })
  }

  #generateKeys(schema: Json): fc.Arbitrary<string> {
    const names = schema['propertyNames'] as Json | undefined
    return names ? this.generateValues({ type: 'string', ...names }).map(String) : fc.string({ minLength: 1, maxLength: 8 })
  }
}

function generateNumbers(schema: Json, whole: boolean): fc.Arbitrary<number> {
  const min = Number(schema['minimum'] ?? -1_000_000)
  const max = Math.max(min, Number(schema['maximum'] ?? 1_000_000))
  return whole ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) }) : fc.double({ min, max, noNaN: true })
}

function generateTexts(schema: Json): fc.Arbitrary<string> {
  const format = FORMATS[String(schema['format'])]
  if (format) return format
  if (typeof schema['pattern'] === 'string')
    return fc.oneof({ weight: 4, arbitrary: generateMatching(schema['pattern']) }, { weight: 1, arbitrary: anyText })
  const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 4000)]
  return anyText.map((text) => text.padEnd(least, 'x').slice(0, most))
}

/** Texts of a pattern; of any kind, if the pattern holds what cannot be generated. */
function generateMatching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 40 })
  } catch {
    return anyText
  }
}
