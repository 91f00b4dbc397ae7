import type { OutgoingHttpHeaders } from 'node:http'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inviteToSurvey } from '#app/features/surveys/responses/access/survey-invitations.server.ts'
import { createCtx } from '#app/server/context.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount, type Account, PASSWORD } from '#tests/support/accounts.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const HOST = 'consult.example.org'
const DAY_MS = 24 * 3_600_000
const db = await createOwnDatabase()
let site: Site
let account: Account
let port = 0
let invited: { id: string; code: string }
let open: { id: string }

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'riverbend', consentRequired: true })
  await db.asOwner(`update site_domains set host = '${HOST}' where site_id = '${site.id}'`)
  account = await addAccount(db.runtime, site)
  const project = await addProject(db.runtime, site, { slug: 'fern' })
  const definition = {
    schema: 1 as const,
    pages: [{ id: 'p', questions: [{ id: 'name', type: 'short_text' as const, title: inAllLanguages('Which street?') }] }],
  }
  const add = (slug: string, access: 'anyone_once' | 'invited' | 'anyone') =>
    addSurvey(db.runtime, site, { projectId: project.id, slug, definition, access })
  await add('once', 'anyone_once')
  open = await add('open', 'anyone')
  const { id } = await add('invited', 'invited')
  const viewer = await addPerson(db.runtime, site, { roles: [{ role: 'site_admin' }] })
  const { told } = await inviteToSurvey(createCtx(db.runtime, site, { viewer }), id, { kind: 'codes', count: 1 })
  invited = { id, code: told?.codes?.[0] ?? '' }
  port = (await db.start({ PUBLIC_URL: `https://${HOST}`, TRUSTED_PROXIES: '1' })).product.port
})

/** A browser at the end of a proxy that speaks https. It drops cookies as browsers do. */
function openBrowser(cookies: Record<string, string> = {}) {
  const jar = new Map(Object.entries(cookies))
  const set: string[] = []
  const ask = async (path: string, fields?: Record<string, string>) => {
    const headers: OutgoingHttpHeaders = {
      host: HOST,
      accept: 'text/html',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '198.51.100.7',
    }
    headers['cookie'] = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    if (fields) Object.assign(headers, { origin: `https://${HOST}`, 'content-type': 'application/x-www-form-urlencoded' })
    const body = fields ? new URLSearchParams(fields).toString() : ''
    const answer = await sendRequest(port, path, headers, fields ? 'POST' : 'GET', body)
    for (const header of answer.headers['set-cookie'] ?? []) {
      set.push(header)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (name.startsWith('__Host-') && !(/; Secure/.test(header) && /; Path=\/(;|$)/.test(header) && !/; Domain=/i.test(header))) continue
      if (header.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  /** Sends a page's first form that has a button of this name, as a browser would. */
  const send = async (path: string, fields: Record<string, string>) => {
    const { text } = await ask(path)
    const [form = ''] = text.match(/<form\b[\s\S]*?<\/form>/g)?.filter((one) => one.includes('name="sendKey"')) ?? []
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    return ask(path, { ...Object.fromEntries(hidden), ...fields })
  }
  return { jar, set, ask, send }
}

const survey = (slug: string) => `/projects/fern/surveys/${slug}`

async function saveDraft(browser = openBrowser()): Promise<string> {
  expect((await browser.send(survey('open'), { 'q.name': 'Elm Street', go: 'later' })).status).toBeLessThan(400)
  return browser.jar.get(`__Host-draft_${open.id}`) ?? ''
}

const setFormerUntil = async (until: Date | null) => {
  await db.database.global.update(sites).set({ formerCookiesUntil: until }).where(eq(sites.id, site.id))
  // Processes remember a site for a second.
  await expect
    .poll(
      async () =>
        (await openBrowser({ receipt: 'x' }).ask('/projects')).headers['set-cookie']?.some((one) => one.startsWith('receipt=')) ?? false,
    )
    .toBe(until !== null && until > new Date())
}

/** Does what makes the product set each of its cookies. */
async function collectEveryCookie() {
  const browser = openBrowser()
  await browser.ask('/projects')
  await browser.ask('/cookies', { consent: 'denied' })
  await saveDraft(browser)
  // The first press gives the browser its token, the second one sends.
  await browser.send(survey('once'), { 'q.name': 'Oak' })
  await browser.send(survey('once'), { 'q.name': 'Oak' })
  await browser.ask(survey('invited'), { form: 'invitation', invitation: invited.code })
  expect((await browser.ask('/sign-in', { email: account.email, password: PASSWORD })).status).toBe(303)
  return browser
}

test('every cookie is bound to its host, except those that the client’s specification names', async () => {
  const browser = await collectEveryCookie()
  expect([...browser.jar.keys()].toSorted()).toEqual(
    [
      'current_language',
      'token',
      '__Host-answers_browser',
      '__Host-consent',
      `__Host-draft_${open.id}`,
      `__Host-invitation_${invited.id}`,
      '__Host-known_device',
      '__Host-receipt',
    ].toSorted(),
  )
  expect(browser.set.filter((header) => !/; Secure/.test(header))).toEqual([])
})

test('no cookie goes along with what another site sends, and scripts read only the choices of language and consent', async () => {
  const { set } = await collectEveryCookie()
  const names = (headers: string[]) => [...new Set(headers.map((header) => header.split('=')[0] ?? ''))].toSorted()
  expect(names(set).length).toBeGreaterThanOrEqual(8)
  expect(names(set.filter((header) => !/; SameSite=(Lax|Strict)(;|$)/.test(header)))).toEqual([])
  expect(names(set.filter((header) => !/; HttpOnly(;|$)/.test(header)))).toEqual(['__Host-consent', 'current_language'])
})

describe('a draft begun before the upgrade', () => {
  test('goes on under the name of today while there may be such drafts', async () => {
    const draft = await saveDraft()
    await setFormerUntil(new Date(Date.now() + DAY_MS))
    const browser = openBrowser({ [`draft_${open.id}`]: draft })
    expect((await browser.ask(survey('open'))).text).toContain('Elm Street')
    expect(Object.fromEntries(browser.jar)).toMatchObject({ [`__Host-draft_${open.id}`]: draft })
    expect(browser.jar.has(`draft_${open.id}`)).toBe(false)
    expect((await browser.ask(survey('open'))).text).toContain('Elm Street')
  })

  test('leaves nothing behind once it is sent', async () => {
    const draft = await saveDraft()
    await setFormerUntil(new Date(Date.now() + DAY_MS))
    const browser = openBrowser({ [`draft_${open.id}`]: draft })
    const { text } = await openBrowser({ [`__Host-draft_${open.id}`]: draft }).ask(survey('open'))
    const [form = ''] = text.match(/<form\b[\s\S]*?<\/form>/g)?.filter((one) => one.includes('name="sendKey"')) ?? []
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    await browser.ask(survey('open'), { ...Object.fromEntries(hidden), 'q.name': 'Elm Street' })
    expect([...browser.jar.keys()].filter((name) => name.includes('draft_'))).toEqual([])
  })

  test.each([
    ['that time is over', () => new Date(Date.now() - DAY_MS)],
    ['the site began with the names of today', () => null],
  ])('counts for nothing if %s: another host of the domain may have planted it', async (_, until) => {
    const draft = await saveDraft()
    await setFormerUntil(until())
    const browser = openBrowser({ [`draft_${open.id}`]: draft })
    expect((await browser.ask(survey('open'))).text).not.toContain('Elm Street')
    expect(browser.jar.get(`__Host-draft_${open.id}`)).not.toBe(draft)
  })
})

test('people who declined before the upgrade are not asked again', async () => {
  await setFormerUntil(new Date(Date.now() + DAY_MS))
  const browser = openBrowser({ consent: 'denied', current_language: 'en' })
  await browser.ask('/projects')
  expect(browser.jar.get('__Host-consent')).toBe('denied')
  expect(browser.set.find((header) => header.startsWith('__Host-consent'))).not.toContain('HttpOnly')
})
