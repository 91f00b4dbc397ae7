import { describe, expect, it } from 'vitest'
import { isAppError } from '../app-error.ts'
import { toAppError, flattenDocument, findLinked } from './documents.ts'
import { toQueryString } from './query-string.ts'
import { keepToken, findToken, type TokenPlaces } from './token.ts'
import { createTransport } from './transport.ts'

const pageWith = (
  attribute: string | null,
  kept: string | null,
  blocked = false,
): TokenPlaces & { kept: () => string | null; attribute: () => string | null } => {
  const storage = { getItem: () => kept, setItem: (_key: string, value: string) => (kept = value), removeItem: () => (kept = null) }
  return {
    body: { getAttribute: () => attribute, setAttribute: (_name, value) => (attribute = value), removeAttribute: () => (attribute = null) },
    storage: () => {
      if (blocked) throw new DOMException('Storage is blocked', 'SecurityError')
      return storage
    },
    kept: () => kept,
    attribute: () => attribute,
  }
}

describe('the token', () => {
  it('comes from the page, else from session storage', () => {
    expect(findToken(pageWith('page', 'kept'))).toBe('page')
    expect(findToken(pageWith(null, 'kept'))).toBe('kept')
    expect(findToken(pageWith('', 'kept'))).toBe('kept')
    expect(findToken(pageWith(null, null))).toBeUndefined()
  })

  it('is kept for the tab and can be forgotten everywhere', () => {
    const page = pageWith('old', null)
    keepToken(page, 'new')
    expect([page.attribute(), page.kept()]).toEqual(['new', 'new'])
    keepToken(page, undefined)
    expect([page.attribute(), page.kept()]).toEqual([null, null])
    expect(findToken(page)).toBeUndefined()
  })

  it('is optional if storage is blocked', () => {
    const page = pageWith(null, 'kept', true)
    expect(findToken(page)).toBeUndefined()
    expect(() => keepToken(page, 'new')).not.toThrow()
  })
})

describe('requests', () => {
  it('go to /api/v2 of the origin, or of an endpoint that already includes it', async () => {
    const sent: string[] = []
    const send = async (request: Request) => {
      sent.push(request.url)
      return new Response()
    }
    for (const origin of ['https://city.example', 'https://city.example/', 'https://dev.example/api/v2', 'https://dev.example/parley/']) {
      await createTransport({ origin, send })({ method: 'GET', path: '/projects' })
    }
    expect(sent).toEqual([
      'https://city.example/api/v2/projects',
      'https://city.example/api/v2/projects',
      'https://dev.example/api/v2/projects',
      'https://dev.example/parley/api/v2/projects',
    ])
  })

  it('have no token header without a token', async () => {
    const send = async (request: Request) => Response.json({ token: request.headers.get('x-api-token') })
    const answer = async (token: string | undefined) =>
      (await createTransport({ origin: 'http://x', token: () => token, send })({ method: 'GET', path: '/' })).json()
    expect(await answer('abc')).toEqual({ token: 'Bearer abc' })
    expect(await answer(undefined)).toEqual({ token: null })
  })

  it('leave undefined values out of the query', () => {
    expect(toQueryString({})).toBe('')
    expect(toQueryString({ filter: { a: undefined, b: [1, 2], c: false }, fields: { x: undefined } })).toBe(
      '?filter%5Bb%5D=1%2C2&filter%5Bc%5D=false',
    )
    expect(toQueryString({ include: [], fields: { x: [] } })).toBe('?include=&fields%5Bx%5D=')
  })
})

describe('documents', () => {
  const document = flattenDocument({
    data: [
      {
        type: 'projects',
        id: '1',
        attributes: { slug: 'a' },
        relationships: { hub: { data: { type: 'hubs', id: '9' } }, topics: {} },
        meta: { can: {} },
      },
    ],
    included: [{ type: 'hubs', id: '9', attributes: { slug: 'h' } }],
  })

  it('become flat resources', () => {
    expect(document.data).toEqual([
      { type: 'projects', id: '1', slug: 'a', relationships: { hub: { type: 'hubs', id: '9' } }, meta: { can: {} } },
    ])
  })

  it('resolve the target of a relationship', () => {
    expect(findLinked(document, { type: 'hubs', id: '9' })).toMatchObject({ slug: 'h' })
    expect(findLinked(document, { type: 'projects', id: '1' })).toMatchObject({ slug: 'a' })
    expect(findLinked(document, { type: 'hubs', id: '8' })).toBeUndefined()
    expect(findLinked(document, null)).toBeUndefined()
    expect(
      findLinked(document, [
        { type: 'hubs', id: '9' },
        { type: 'hubs', id: '8' },
      ]),
    ).toHaveLength(1)
  })
})

describe('errors', () => {
  it('keep codes, pointers, parameters, values and meta', () => {
    const error = toAppError(422, {
      errors: [
        {
          status: '422',
          code: 'too-long',
          detail: 'No more than 5.',
          source: { pointer: '/data/attributes/slug' },
          meta: { values: { max: 5 }, retryAfter: 3 },
        },
        { status: '400', code: 'unknown-parameter', source: { parameter: 'x' } },
      ],
    })
    expect(isAppError(error, 'invalid')).toBe(true)
    expect(error.faults).toEqual([
      { code: 'too-long', detail: 'No more than 5.', pointer: '/data/attributes/slug', values: { max: 5 } },
      { code: 'unknown-parameter', parameter: 'x' },
    ])
    expect(error.meta).toEqual({ retryAfter: 3 })
  })

  it('with an unknown code or status map to the nearest known one', () => {
    expect(toAppError(404, { errors: [{ status: '404', code: 'brand-new' }] }).code).toBe('not-found')
    expect(toAppError(404, undefined).code).toBe('not-found')
    expect(toAppError(507, undefined).code).toBe('internal')
    expect(toAppError(418, undefined).code).toBe('bad-request')
  })
})
