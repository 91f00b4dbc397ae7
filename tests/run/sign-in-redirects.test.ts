import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, PASSWORD } from '#tests/support/accounts.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const db = await createOwnDatabase()
let site: Site
let account: Account
let port = 0

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'riverbend' })
  account = await addAccount(db.runtime, site)
  port = (await db.start()).product.port
})

async function signIn(next: string) {
  const host = `${site.host}:${port}`
  const body = new URLSearchParams({ email: account.email, password: PASSWORD }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${host}` }
  return sendRequest(port, `/sign-in?next=${encodeURIComponent(next)}`, { host, accept: 'text/html', ...type }, 'POST', body)
}

/** Opens the sign-in page with a session. */
async function openSignInPage(next: string) {
  const [cookie = ''] = (await signIn('/account')).headers['set-cookie']?.filter((one) => one.startsWith('token=')) ?? []
  const headers = { host: `${site.host}:${port}`, accept: 'text/html', cookie: cookie.split(';')[0] }
  return sendRequest(port, `/sign-in?next=${encodeURIComponent(next)}`, headers)
}

/** Where a browser goes from there. */
function resolveLocation(location: string | undefined): URL {
  expect(location).toBeTruthy()
  return new URL(location ?? '', `http://${site.host}:${port}/sign-in`)
}

describe.each([
  ['signing in', signIn],
  ['the page for signing in, for somebody who is signed in', openSignInPage],
])('%s', (_, open) => {
  test('leads on to the page that was asked for', async () => {
    const { status, headers } = await open('/projects?q=bus')
    expect(status).toBe(303)
    expect(resolveLocation(headers.location).href).toBe(`http://${site.host}:${port}/projects?q=bus`)
  })

  test('leads nowhere but to this site, whatever the address says', async () => {
    const hostile = [
      'https://evil.example/account',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
      '@evil.example',
      `http://${site.host}@evil.example`,
    ]
    for (const next of hostile) {
      const { status, headers } = await open(next)
      const to = resolveLocation(headers.location)
      expect([next, status, to.origin]).toEqual([next, 303, `http://${site.host}:${port}`])
      expect(['/', '/account'], next).toContain(to.pathname)
    }
  })
})
