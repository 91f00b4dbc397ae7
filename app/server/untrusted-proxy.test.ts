import { describe, expect, test } from 'vitest'
import { createLogger } from './log.ts'
import { createProxyWatch, findProxyFault } from './untrusted-proxy.ts'

describe('an untrusted proxy', () => {
  test.each([
    ['https, which Parley does not speak itself', 'https://talk.example', 0, true],
    ['another port', 'http://talk.example', 0, true],
    ['the port it listens on', 'http://talk.example:3000', 0, false],
    ['a proxy that is trusted', 'https://talk.example', 1, false],
    ['no address', undefined, 0, false],
  ])('is detected from the settings: %s', (_, PUBLIC_URL, TRUSTED_PROXIES, seen) => {
    const found = findProxyFault({ PORT: 3000, PUBLIC_URL, TRUSTED_PROXIES })
    if (seen) expect(found).toContain('Set TRUSTED_PROXIES')
    else expect(found).toBeUndefined()
  })

  test.each(['x-forwarded-for', 'x-forwarded-proto', 'forwarded'])('is reported once, at the first request with %s', (name) => {
    const lines: string[] = []
    const watch = createProxyWatch(
      { PORT: 3000, PUBLIC_URL: undefined, TRUSTED_PROXIES: 0 },
      createLogger('warn', (line) => lines.push(line)),
    )
    watch({ host: 'talk.example' })
    expect(lines).toEqual([])
    watch({ [name]: '192.0.2.7' })
    watch({ [name]: '192.0.2.8' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('TRUSTED_PROXIES')
    expect(lines[0]).not.toContain('192.0.2')
  })

  test('is not reported if it is trusted', () => {
    const lines: string[] = []
    const watch = createProxyWatch(
      { PORT: 3000, PUBLIC_URL: undefined, TRUSTED_PROXIES: 1 },
      createLogger('warn', (line) => lines.push(line)),
    )
    watch({ 'x-forwarded-for': '192.0.2.7' })
    expect(lines).toEqual([])
  })
})
