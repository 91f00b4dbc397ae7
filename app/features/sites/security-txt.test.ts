import { beforeAll, describe, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { serveSecurityTxt } from './security-txt.server.ts'

let site: Site
let runtime: TestRuntime

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = { ...(await addSite(runtime)), contactEmail: 'ask@city.example' }
})

async function read(on = site, contact?: string): Promise<{ status: number; fields: Map<string, string> }> {
  const ctx = createCtx({ ...runtime, env: { ...runtime.env, SECURITY_CONTACT: contact } }, on)
  const answer = serveSecurityTxt({ context: requestContext(ctx) })
  const lines = (await answer.text()).split('\n').filter(Boolean)
  return { status: answer.status, fields: new Map(lines.map((line) => line.split(/: (.*)/, 2) as [string, string])) }
}

describe('security.txt (RFC 9116)', () => {
  test('names the site’s contact, its languages and its own address', async () => {
    const { fields } = await read()
    expect(fields.get('Contact')).toBe('mailto:ask@city.example')
    expect(fields.get('Preferred-Languages')?.split(', ')).toEqual([...site.languages])
    expect(fields.get('Canonical')).toMatch(/^https?:\/\/[^/]+\/\.well-known\/security\.txt$/)
  })

  test('expires in the future, within a year, whenever it is read', async () => {
    for (const now of ['2026-03-02T12:00:00Z', '2031-12-31T23:59:59Z']) {
      runtime.setNow(new Date(now))
      const days = (Date.parse((await read()).fields.get('Expires') ?? '') - Date.parse(now)) / 86_400_000
      expect(days).toBeGreaterThan(30)
      expect(days).toBeLessThan(365)
    }
  })

  test('names the operator’s contact instead, if there is one', async () => {
    expect((await read(site, 'https://city.example/report')).fields.get('Contact')).toBe('https://city.example/report')
    expect((await read(site, 'security@city.example')).fields.get('Contact')).toBe('mailto:security@city.example')
  })

  test('does not exist where nobody is named: the standard requires a contact', async () => {
    expect((await read({ ...site, contactEmail: null })).status).toBe(404)
  })
})
