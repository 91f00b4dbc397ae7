import { describe, expect, test } from 'vitest'
import { buildCookieLine, readSiteCookies, renameFormerCookies } from './site-cookies.ts'

const read = (header: string, facts: Partial<Parameters<typeof readSiteCookies>[1]> = {}) =>
  readSiteCookies(header, { https: true, takesFormerNames: false, ...facts })

const rename = (header: string, own: string[] = []) => {
  const headers = new Headers(own.map((value): [string, string] => ['set-cookie', value]))
  renameFormerCookies(headers, read(header, { takesFormerNames: true }).former)
  return headers.getSetCookie()
}

describe('over https', () => {
  test('a cookie counts under the name that no other host of the domain can set', () => {
    expect(buildCookieLine(read('draft_7=planted; __Host-draft_7=own; receipt=planted'))).toBe('draft_7=own')
    expect(buildCookieLine(read('__Host-draft_7=own; draft_7=planted'))).toBe('draft_7=own')
  })

  test('names of the client’s specification and of others stay', () => {
    const sent = 'token=a; current_language=en; _ga=b'
    expect(buildCookieLine(read(sent))).toBe(sent)
    expect(read('__Host-token=a').values.has('token')).toBe(false)
  })

  test('a cookie from before the upgrade counts for a while if there is none with the prefix', () => {
    expect(buildCookieLine(read('draft_7=before; known_device=d', { takesFormerNames: true }))).toBe('draft_7=before; known_device=d')
    expect(buildCookieLine(read('draft_7=before; __Host-draft_7=own', { takesFormerNames: true }))).toBe('draft_7=own')
  })
})

describe('a cookie from before the upgrade', () => {
  test('gets its present name', () => {
    expect(rename('draft_7=a.b')).toEqual([
      '__Host-draft_7=a.b; Max-Age=5184000; Path=/; HttpOnly; Secure; SameSite=Lax',
      'draft_7=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    expect(rename('consent=denied')[0]).toBe('__Host-consent=denied; Max-Age=15811200; Path=/; Secure; SameSite=Lax')
    expect(rename('known_device=d')[0]).toContain('SameSite=Strict')
  })

  test('does not come back if the response deletes it', () => {
    const deleted = '__Host-draft_7=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'
    expect(rename('draft_7=a.b', [deleted])).toEqual([deleted, 'draft_7=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'])
  })

  test('is left alone if its name or value could write more than a value', () => {
    for (const odd of ['draft_7, x=a', 'draft_7=a,b', 'draft_7="a"', 'draft_ü=a', 'draft_7=a\\b']) expect(rename(odd)).toEqual([])
  })
})

test('over plain http names are as they always were', () => {
  const sent = 'draft_7=a; consent=denied; token=b'
  expect(read(sent, { https: false, takesFormerNames: true })).toEqual({
    values: new Map([
      ['draft_7', 'a'],
      ['consent', 'denied'],
      ['token', 'b'],
    ]),
    former: [],
  })
})
