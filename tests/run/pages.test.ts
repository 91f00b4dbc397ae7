import { randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { sendRequest as askAt } from '#tests/support/send-request.ts'
import { type Product, ROOT, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite, openSession, queryOnce } from '#tests/support/running-product.ts'

const dir = temporaryFolder('pages')
const DATA_DIR = join(dir, 'data')
const HOST = 'mill.localhost'
let product: Product

beforeAll(async () => {
  const settings = { DATA_DIR, NO_DEMO: '1', WEB_PROCESSES: '2' }
  product = await startProduct(settings)
  await createSite({ ...settings, PORT: String(product.port) }, HOST, 'Mill Town')
  await createSite({ ...settings, PORT: String(product.port) }, 'ferry.localhost', 'Ferry Town')
})
afterAll(async () => {
  await product.stop()
  rmSync(dir, { recursive: true, force: true })
})

const ask = (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
  askAt(product.port, path, { host: `${HOST}:${product.port}`, ...headers }, method)

/** Renames the site like publishing does: the change and its version in one commit. */
const rename = (name: string, notify: boolean) =>
  queryOnce(
    DATA_DIR,
    `with changed as (update sites set name = $1, content_version = content_version + 1 where id = (select site_id from site_domains where host = $2) returning id)
     select ${notify ? `pg_notify('parley_content', id::text)` : 'id'} from changed`,
    [name, HOST],
  )

const anotherName = () => `Town ${randomBytes(4).toString('hex')}`

describe('a page for everybody', () => {
  test.each([
    ['with a notification', true],
    ['without one, where the engine has none', false],
  ])('shows what was published at once in every process, %s', async (_, notify) => {
    for (let i = 0; i < 8; i++) await ask('/')
    const name = anotherName()
    await rename(name, notify)
    const begun = performance.now()
    await expect
      .poll(async () => (await Promise.all(Array.from({ length: 8 }, () => ask('/')))).every(({ text }) => text.includes(name)), {
        interval: 20,
        timeout: 5000,
      })
      .toBe(true)
    console.log(
      `published ${notify ? 'with' : 'without'} a notification: seen by every process after ${Math.round(performance.now() - begun)} ms`,
    )
  })

  test('is 304 if the client has it, until it changes', async () => {
    const first = await ask('/')
    expect(first.status).toBe(200)
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('no-cache')
    let unchanged = first
    const askAgain = async () => {
      unchanged = await ask('/', { 'if-none-match': etag, cookie: 'current_language=en' })
      return unchanged.status
    }
    await expect.poll(askAgain).toBe(304)
    expect(unchanged.body).toHaveLength(0)
    await rename(anotherName(), true)
    await expect.poll(async () => (await ask('/', { 'if-none-match': etag })).status).toBe(200)
  })

  test('is sent as brotli, gzip or plain, with the same text', async () => {
    const fresh = await ask('/', { 'accept-encoding': 'br' })
    const etag = String(fresh.headers.etag)
    for (const encoding of ['br', 'gzip', undefined]) {
      // From the process that rendered the same bytes.
      let answer = await ask('/', encoding ? { 'accept-encoding': encoding } : {})
      for (let i = 0; i < 20 && answer.headers.etag !== etag; i++) answer = await ask('/', encoding ? { 'accept-encoding': encoding } : {})
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.text).toBe(fresh.text)
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
    }
    expect((await ask('/', { 'accept-encoding': 'br;q=0, gzip' })).headers['content-encoding']).toBe('gzip')
  })

  test('responds to HEAD with its headers only', async () => {
    const head = await ask('/', {}, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1000)
    expect(head.body).toHaveLength(0)
  })

  test('allows only its own scripts, by hash; every response has its security headers', async () => {
    const { headers, text } = await ask('/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/script-src 'self' 'sha256-[^;]*;/)
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-inline'|nonce-|https?:/)
    expect(text).not.toMatch(/<script[^>]*nonce/)
    for (const path of ['/', '/nowhere', '/robots.txt', '/api/v2/projects', '/%zz', '/locales/en/common.json']) {
      const answer = await ask(path)
      expect(answer.headers['x-content-type-options'], path).toBe('nosniff')
      expect(answer.headers['referrer-policy'], path).toBe('strict-origin-when-cross-origin')
      expect(answer.headers['x-request-id'], path).toMatch(/^[\w-]{12}$/)
    }
  })

  test('contains nothing of the visitor who requested it first', async () => {
    await rename(anotherName(), true)
    const traces = {
      'user-agent': 'trace-of-a-browser',
      referer: 'https://trace-of-a-referrer.example/',
      'x-forwarded-for': '198.51.100.77',
      'x-forwarded-host': 'trace-of-a-host.example',
      'accept-language': 'trace-of-a-language',
      cookie: 'current_language=en; _ga=trace-of-analytics',
    }
    const first = await ask('/?utm_source=trace-of-a-mail', traces)
    expect(first.status).toBe(200)
    expect(first.text).not.toMatch(/trace-of|198\.51\.100\.77/)
    expect(first.headers.etag).toBeDefined()
  })

  test('is stored once for each choice that changes it, and not for unknown parameters', async () => {
    expect((await ask('/projects?status=open')).headers.etag).toBeDefined()
    const strange = await ask('/projects?anything=%3Cscript%3Ealert(1)%3C/script%3E')
    expect(strange.headers.etag).toBeDefined()
    expect(strange.text).not.toContain('alert(1)')
    const searched = await ask('/projects?q=bus')
    expect(searched.headers.etag).toBeUndefined()
    expect(searched.headers['cache-control']).toBe('private, no-cache')
    expect((await ask('/projects')).text).not.toContain('alert(1)')
  })

  test('is stored separately for each language', async () => {
    const [english, french, welsh] = await Promise.all([ask('/'), ask('/', { cookie: 'current_language=fr-CA' }), ask('/cy')])
    expect([english.text, french.text, welsh.text].map((text) => /<html lang="([^"]+)"/.exec(text)?.[1])).toEqual(['en', 'fr-CA', 'cy'])
    expect(english.headers.vary).toContain('Cookie')
    expect(english.headers['set-cookie']?.[0]).toMatch(/^current_language=en;/)
    expect(french.headers['set-cookie']).toBeUndefined()
  })

  test('offers a first visitor the language of their browser, stored once for all whom it is offered', async () => {
    const first = (languages: string, headers: OutgoingHttpHeaders = {}) => ask('/', { 'accept-language': languages, ...headers })
    const offered = /<aside class="language-offer" lang="([^"]+)"/
    const [plain, french] = [await ask('/'), await first('fr-FR,fr;q=0.9')]
    expect(offered.exec(french.text)?.[1]).toBe('fr-CA')
    expect(french.text).toContain('<html lang="en"')
    // Each process renders a page of its own.
    await expect.poll(async () => (await first('fr-CA')).text).toBe(french.text)
    for (const languages of ['en-GB', 'de', 'tlh']) await expect.poll(async () => (await first(languages)).text).toBe(plain.text)
    expect((await first('fr-CA', { cookie: 'current_language=en' })).text).not.toMatch(offered)
    const searched = await ask('/search?q=bus', { 'accept-language': 'fr-CA' })
    expect(searched.text).toContain('href="/fr-CA/search?q=bus">Lire en français')
  })

  test('belongs to the site of the host name, however that is written, and never to another', async () => {
    await rename('Mill Town', true)
    const title = async (host: string) =>
      /<title>([^<]*)/.exec((await ask('/', { host, 'x-forwarded-host': 'ferry.localhost' })).text)?.[1] ?? ''
    await expect.poll(() => title(HOST)).toContain('Mill Town')
    for (const host of ['MILL.localhost', `mill.localhost:${product.port}`, 'mill.localhost.:1'])
      expect(await title(host), host).toContain('Mill Town')
    expect(await title('ferry.localhost')).toContain('Ferry Town')
    const unknown = await ask('/', { host: 'mill.localhost.attacker.example', 'accept-language': 'fr' })
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('<html lang="fr-CA">')
    expect(unknown.text).not.toMatch(/Mill Town|Ferry Town/)
  })
})

describe('a page for one person', () => {
  test('is rendered for that person each time, stored nowhere, and leaves no trace in other people’s pages', async () => {
    const token = await openSession(DATA_DIR, HOST, 'Wilhelmina Pepperell')
    const own = await ask('/', { cookie: `current_language=en; token=${token}`, 'accept-encoding': 'br' })
    expect(own.status).toBe(200)
    expect(own.headers['cache-control']).toBe('private, no-store')
    expect(own.headers.etag).toBeUndefined()
    expect(own.headers['content-encoding'], 'a compressed secret tells of itself by its length').toBeUndefined()
    expect(own.text).toContain('Wilhelmina Pepperell')
    const nonce = /'nonce-([^']+)'/.exec(String(own.headers['content-security-policy']))?.[1]
    expect(nonce).toBeTruthy()
    const inline = [...own.text.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(([, attributes]) => attributes ?? '')
    expect(inline.filter((attributes) => !attributes.includes(`nonce="${nonce}"`) && !attributes.includes('ld+json'))).toEqual([])
    for (let i = 0; i < 6; i++) {
      const other = await ask('/', { cookie: 'current_language=en' })
      expect(other.text).not.toContain('Wilhelmina')
      expect(other.text).not.toContain(token)
    }
  })

  test('is rendered anew for anyone with a cookie that is not known to be harmless', async () => {
    const answer = await ask('/', { cookie: 'something=else' })
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).toBeUndefined()
    expect(answer.headers['cache-control']).toBe('private, no-cache')
  })
})

describe('files', () => {
  test('of the build are cached forever and sent compressed', async () => {
    const script = readdirSync(join(ROOT, 'dist/client/assets')).find((name) => name.endsWith('.js'))
    const plain = await ask(`/assets/${script}`)
    const squeezed = await ask(`/assets/${script}`, { 'accept-encoding': 'gzip, br' })
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(squeezed.headers['content-encoding']).toBe('br')
    expect(squeezed.text).toBe(plain.text)
    expect((await ask(`/assets/${script}`, { 'if-none-match': String(plain.headers.etag) })).status).toBe(304)
    expect((await ask(`/assets/${script}`, {}, 'HEAD')).body).toHaveLength(0)
  })

  test('of every page come in the best encoding, which the build made and nobody can ask for by its name', async () => {
    const names = readdirSync(join(ROOT, 'dist/client/assets'))
    for (const pattern of [/^framework-.*\.js$/, /^app-.*\.css$/]) {
      const name = names.find((file) => pattern.test(file))
      const answer = await ask(`/assets/${name}`, { 'accept-encoding': 'gzip, deflate, br' })
      expect(answer.headers['content-encoding']).toBe('br')
      expect(Number(answer.headers['content-length'])).toBe(statSync(join(ROOT, `dist/client/assets/${name}.br`)).size)
      expect(answer.text).toBe(readFileSync(join(ROOT, `dist/client/assets/${name}`), 'utf8'))
      expect((await ask(`/assets/${name}.br`)).status).toBe(404)
    }
  })

  test('of the texts are served at their documented address', async () => {
    const texts = await ask('/locales/fr-CA/common.json')
    expect(texts.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(texts.text)).toHaveProperty('home')
  })

  test('outside of the public folders are not served', async () => {
    const paths = [
      '/../package.json',
      '/assets/../../../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/locales/../app/server.ts',
      '/.data/secret.key',
      '/..%5c..%5cpackage.json',
      '/package.json',
      '/server/server.js',
    ]
    for (const path of paths) {
      const answer = await ask(path)
      expect([400, 404], path).toContain(answer.status)
      expect(answer.text, path).not.toMatch(/"name": "parley"|import /)
    }
  })

  test('that do not exist get a plain 404, without rendering a page', async () => {
    for (const path of ['/assets/gone-abc123.js', '/locales/xx/common.json']) {
      const answer = await ask(path)
      expect(answer.status).toBe(404)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.text).toBe('Not found')
    }
  })
})

test('the log has requests without their query, secrets or sender', async () => {
  const secret = randomBytes(32).toString('base64url')
  await ask(`/receipt/${secret}?email=someone@people.example`, { 'user-agent': 'a-browser', 'x-forwarded-for': '198.51.100.78' })
  await expect.poll(() => product.output()).toMatch(/"path":"\/receipt\/…"/)
  expect(product.output()).not.toContain(secret)
  expect(product.output()).not.toMatch(/someone@|198\.51\.100\.78|a-browser/)
})

test("an old address redirects permanently, in each language, to the page's current one", async () => {
  const [site] = (await queryOnce(DATA_DIR, 'select site_id as id from site_domains where host = $1', [HOST])).rows as { id: string }[]
  const things = { hubs: createId(), pages: createId() }
  await queryOnce(DATA_DIR, `insert into hubs (site_id, id, slug, title) values ($1, $2, 'parks', '{"en": "Parks"}')`, [
    site?.id,
    things.hubs,
  ])
  await queryOnce(
    DATA_DIR,
    `insert into pages (site_id, id, slug, title, body, published_at) values ($1, $2, 'privacy', '{"en": "Privacy"}', '{"en": ""}', now())`,
    [site?.id, things.pages],
  )
  for (const [kind, id] of Object.entries(things)) {
    await queryOnce(DATA_DIR, `insert into old_addresses (site_id, kind, slug, target_id) values ($1, $2, 'before', $3)`, [
      site?.id,
      kind,
      id,
    ])
  }
  for (const [before, now] of [
    ['/hubs/before', '/hubs/parks'],
    ['/cy/hubs/before', '/cy/hubs/parks'],
    ['/pages/before', '/pages/privacy'],
  ] as const) {
    const answer = await ask(before, { cookie: 'current_language=en' })
    expect([before, answer.status, answer.headers.location]).toEqual([before, 301, now])
    expect((await ask(now)).status).toBe(200)
  }
})
