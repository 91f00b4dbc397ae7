import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildCommonHeaders, buildContentPolicy, hashInlineScripts, hashInlineStyles } from './content-policy.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('base64')
const part = (policy: string, name: string) => policy.split('; ').find((directive) => directive.startsWith(`${name} `))

describe('the content policy', () => {
  test('lists the inline scripts that a browser would run, and no data', () => {
    const html = `<script>run()</script><script type="module">m()</script><script src="/a.js"></script>
      <script type="application/ld+json">{"@type":"Event"}</script><script nonce="x">run()</script>`
    expect(hashInlineScripts(html)).toEqual([hash('run()'), hash('m()')])
  })

  test('allows nothing that is not configured', () => {
    const policy = buildContentPolicy({}, { path: '/', hashes: ['abc'] })
    expect(policy).not.toMatch(/https?:\/\/|unsafe-eval/)
    expect(part(policy, 'script-src')).toBe("script-src 'self' 'sha256-abc'")
    expect(part(policy, 'frame-ancestors')).toBe("frame-ancestors 'none'")
  })

  test('allows only a page’s own style elements: by hash where it is kept, by nonce where it is for one person', () => {
    const html = '<style>a{}</style><style nonce="x">b{}</style><p>&lt;style>c{}&lt;/style></p><script>"<style>d{}</style>"</script>'
    expect(hashInlineStyles(html)).toEqual([hash('a{}'), hash('b{}')])
    const stored = buildContentPolicy({}, { path: '/', styleHashes: ['abc'] })
    expect(part(stored, 'style-src')).toBe("style-src 'self' 'sha256-abc'")
    expect(part(buildContentPolicy({}, { path: '/', nonce: 'n' }), 'style-src')).toBe("style-src 'self' 'nonce-n'")
    expect(part(stored, 'style-src-attr')).toBe("style-src-attr 'unsafe-inline'")
  })

  test('allows other style elements only with the chat widget, which adds its own', () => {
    const page = { path: '/admin', nonce: 'n' }
    expect(part(buildContentPolicy({ INTERCOM_APP_ID: 'i' }, page), 'style-src')).toBe("style-src 'self' 'unsafe-inline'")
    expect(part(buildContentPolicy({ INTERCOM_APP_ID: 'i' }, { path: '/', styleHashes: ['abc'] }), 'style-src')).not.toContain('unsafe')
  })

  test('frames whole https origins only, whatever a page says that it frames', () => {
    const frames =
      "https://videos.example http://plain.example https://x.example;script-src 'unsafe-inline' * javascript: https://a.example/path"
    expect(part(buildContentPolicy({}, { path: '/', frames }), 'frame-src')).toBe("frame-src 'self' https://videos.example")
  })

  test('says where browsers report what it kept from a page', () => {
    expect(part(buildContentPolicy({}, { path: '/' }), 'report-uri')).toBe('report-uri /policy-reports')
  })

  test('allows each configured third party, and the chat widget only on pages for one person', () => {
    const env = {
      SENTRY_DSN: 'https://key@sentry.example/1',
      SEGMENT_WRITE_KEY: 'w',
      INTERCOM_APP_ID: 'i',
      API_ENDPOINT: 'http://localhost:9999/api',
    }
    const everybody = buildContentPolicy(env, { path: '/', hashes: [] })
    expect(part(everybody, 'connect-src')).toBe(
      "connect-src 'self' http://localhost:9999 https://sentry.example https://cdn.segment.com https://api.segment.io",
    )
    expect(everybody).not.toContain('intercom')
    const person = buildContentPolicy(env, { path: '/admin', nonce: 'n' })
    expect(part(person, 'script-src')).toContain("'nonce-n' https://cdn.segment.com")
    expect(part(person, 'script-src')).toContain('https://*.intercomcdn.com')
    expect(
      part(buildContentPolicy({ SEGMENT_WRITE_KEY: 'w', SEGMENT_API_HOST: 'events.eu1.segmentapis.com' }, { path: '/' }), 'connect-src'),
    ).toContain('https://events.eu1.segmentapis.com')
    expect(part(buildContentPolicy({ ...env, SEGMENT_ENDPOINT: 'http://localhost:7000' }, { path: '/' }), 'connect-src')).toContain(
      'http://localhost:7000',
    )
  })
})

describe('the headers of every response', () => {
  test('keep browsers from guessing types, and tell other sites nothing but the origin', () => {
    expect(buildCommonHeaders({})).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  test('hold browsers to https for a year where the product is served so, and nowhere else', () => {
    expect(buildCommonHeaders({ PUBLIC_URL: 'https://consult.example' })['strict-transport-security']).toBe('max-age=31536000')
    expect(buildCommonHeaders({ PUBLIC_URL: 'http://consult.example' })).not.toHaveProperty('strict-transport-security')
  })

  test('hold them for all subdomains too where the operator says that the domain is the product’s own', () => {
    const settings = { PUBLIC_URL: 'https://consult.example', HSTS_SUBDOMAINS: true }
    expect(buildCommonHeaders(settings)['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    expect(buildCommonHeaders({ ...settings, PUBLIC_URL: 'http://consult.example' })).not.toHaveProperty('strict-transport-security')
  })
})
