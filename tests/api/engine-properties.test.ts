import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toQueryString } from '#app/lib/api-client/query-string.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { parseInput } from '#app/server/api/parse-input.ts'
import { findPreferredLanguage } from '#app/server/accept-language.ts'
import { acceptsJsonApi, checkContentType } from '#app/server/api/negotiation.ts'
import { parseQuery, type IncludeTree } from '#app/server/api/parse-query.ts'
import { fixtureApi, hubShape, projectShape } from './engine-fixture.ts'

const { registry } = fixtureApi()
const COLLECTION = { shape: projectShape, include: true, filtered: true, paged: true }
const read = (text: string) => parseQuery(new URLSearchParams(text), COLLECTION, registry)

/** Returns the thrown error; fails unless it is an AppError with a client error status. */
function refusal(work: () => unknown) {
  try {
    work()
    return undefined
  } catch (error) {
    if (!isAppError(error)) throw error
    expect(error.status).toBeGreaterThanOrEqual(400)
    expect(error.status).toBeLessThan(500)
    return error
  }
}

const paths = (tree: IncludeTree, before = ''): string[] =>
  Object.entries(tree).flatMap(([name, branch]) => [before + name, ...paths(branch, `${before}${name}.`)])

describe('the query parser', () => {
  const name = fc.oneof(
    fc.constantFrom('filter', 'fields', 'page', 'sort', 'include', 'lng', '__proto__', 'toString'),
    fc.string({ unit: 'grapheme' }),
  )
  const member = fc.oneof(
    fc.constantFrom('status', 'hub', 'projects', 'hubs', 'size', 'number', '__proto__', 'constructor', ''),
    fc.string({ unit: 'binary' }),
  )
  const parameter = fc.oneof(
    name,
    fc.tuple(name, member).map(([a, b]) => `${a}[${b}]`),
  )
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('hub', 'hub.projects', 'slug,-slug', '__proto__', '1', '-1', 'NaN', '1e9', 'true', ',', '.', '\0'),
  )

  it('parses any query or refuses it naming the parameter, and never crashes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(parameter, value), { maxLength: 8 }), (pairs) => {
        const error = refusal(() => parseQuery(new URLSearchParams(pairs), COLLECTION, registry))
        for (const fault of error?.faults ?? []) {
          expect(['unknown-parameter', 'invalid-parameter']).toContain(fault.code)
          expect(fault.parameter).toBeDefined()
        }
      }),
      { numRuns: 500 },
    )
  })

  it('parses what the client writes', () => {
    const options = fc.record({
      filter: fc.record(
        {
          status: fc.subarray(['draft', 'published'], { minLength: 1 }),
          slug: fc.stringMatching(/^[a-z&=%+ é\]]{1,20}$/).map((text) => text.trim()),
          busy: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      sort: fc
        .shuffledSubarray(['slug', 'participants'], { minLength: 1 })
        .chain((keys) => fc.tuple(...keys.map((key) => fc.constantFrom(key, `-${key}`)))),
      include: fc.subarray(['hub', 'topic', 'hub.projects', 'topic.projects.hub']),
      fields: fc.record({ projects: fc.subarray(['slug', 'title', 'hub']), hubs: fc.subarray(['slug']) }, { requiredKeys: [] }),
      page: fc.record({ size: fc.integer({ min: 1, max: 5 }), number: fc.integer({ min: 1, max: 1000 }) }),
    })
    fc.assert(
      fc.property(options, (given) => {
        const query = read(toQueryString(given))
        expect(query.list.filter).toEqual(given.filter)
        expect(query.list.sort.map(({ by, descending }) => (descending ? `-${by}` : by))).toEqual(given.sort)
        expect(new Set(paths(query.include))).toEqual(
          new Set(given.include.flatMap((path) => path.split('.').map((_, i, steps) => steps.slice(0, i + 1).join('.')))),
        )
        for (const [type, names] of Object.entries(given.fields)) expect([...(query.fields.get(type) ?? [])]).toEqual(names)
        expect(query.list.page).toMatchObject({ ...given.page, limit: given.page.size, offset: (given.page.number - 1) * given.page.size })
      }),
    )
  })
})

describe('content negotiation', () => {
  const parameters = fc.array(
    fc.tuple(
      fc.constantFrom('q', 'ext', 'profile', 'charset', 'v'),
      fc.constantFrom('0', '1', '0.5', '""', '"a, b; c"', 'utf-8', 'x', '"\\""'),
    ),
    { maxLength: 3 },
  )
  const range = fc
    .tuple(fc.constantFrom('application/vnd.api+json', 'application/json', 'text/html', '*/*', 'application/*', ''), parameters)
    .map(([type, given]) => [type, ...given.map(([key, text]) => `${key}=${text}`)].join(';'))

  it('decides about any header and never crashes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(range).map((all) => all.join(',')),
        ),
        (header) => {
          expect(typeof acceptsJsonApi(header)).toBe('boolean')
          const error = refusal(() => checkContentType(header))
          expect([undefined, 'unsupported-media-type']).toContain(error?.code)
          expect([undefined, ...LANGUAGES]).toContain(findPreferredLanguage(header, LANGUAGES))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('accepts JSON:API if at least one of several ranges has no unknown parameters', () => {
    fc.assert(
      fc.property(fc.array(range), fc.nat(), (ranges, at) => {
        const header = ranges.toSpliced(at % (ranges.length + 1), 0, 'application/vnd.api+json').join(', ')
        expect(acceptsJsonApi(header)).toBe(true)
      }),
    )
  })
})

describe('the document parser', () => {
  const attributes = fc.dictionary(
    fc.oneof(fc.constantFrom('slug', 'titleTranslations', 'opensAt', 'note', 'status', 'id'), fc.string()),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const data = fc.record(
    {
      type: fc.oneof(fc.constant('projects'), fc.jsonValue({ maxDepth: 1 })),
      id: fc.oneof(fc.uuid(), fc.jsonValue({ maxDepth: 1 })),
      attributes: fc.oneof(attributes, fc.jsonValue({ maxDepth: 1 })),
      relationships: fc.dictionary(
        fc.constantFrom('hub', 'topic', 'x'),
        fc.oneof(fc.record({ data: fc.jsonValue({ maxDepth: 2 }) }), fc.jsonValue({ maxDepth: 1 })),
      ),
      meta: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  )

  it('returns only declared fields or refuses with pointers into the document, for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.record({ data }), fc.jsonValue()),
        fc.constantFrom('create', 'update', 'put' as const),
        fc.uuid(),
        (body, writing, id) => {
          for (const shape of [projectShape, hubShape]) {
            const error = refusal(() => {
              const { input } = parseInput(body, shape, writing, writing === 'create' ? undefined : id)
              expect(['slug', 'titleTranslations', 'opensAt', 'note', 'participants', 'hub', 'id']).toEqual(
                expect.arrayContaining(Object.keys(input)),
              )
            })
            for (const fault of error?.faults ?? []) expect(fault.pointer).toMatch(/^($|\/data)/)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
