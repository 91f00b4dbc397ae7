import { expect, test } from 'vitest'
import { readEnv } from './env.ts'
import type { Ctx } from './context.ts'
import { isHttps, buildSiteUrl } from './site-url.ts'

const at = (host: string, primaryHost: string, env: Record<string, string>) =>
  ({ site: { host, primaryHost }, runtime: { env: readEnv(env) } }) as unknown as Pick<Ctx, 'site' | 'runtime'>

test('on this machine an address has the listening port and the requested host name', () => {
  expect(buildSiteUrl(at('localhost', 'riverbend.localhost', { PORT: '4160' }), '/account')).toBe('http://localhost:4160/account')
  expect(buildSiteUrl(at('dyffryn.localhost', 'dyffryn.localhost', { PORT: '4160' }), '/cy')).toBe('http://dyffryn.localhost:4160/cy')
})

test("elsewhere an address uses the site's primary domain, over https unless PUBLIC_URL says otherwise", () => {
  const plain = at('www.riverbend.ca', 'riverbend.ca', {})
  expect(buildSiteUrl(plain, '/reset-password?token=a')).toBe('https://riverbend.ca/reset-password?token=a')
  expect(isHttps(plain)).toBe(true)
  const behind = at('www.riverbend.ca', 'riverbend.ca', { PUBLIC_URL: 'http://parley.example:8080/' })
  expect(buildSiteUrl(behind, '/')).toBe('http://riverbend.ca:8080/')
  expect(isHttps(behind)).toBe(false)
})
