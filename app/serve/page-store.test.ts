import { describe, expect, test } from 'vitest'
import { MemoryBudget } from '../server/memory/memory-budget.ts'
import { selectBody, matchesEntityTag, type StoredPage, PageStore, type RenderedPage } from './page-store.ts'

const html = (text: string, headers: Record<string, string> = {}): RenderedPage => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: Buffer.from(text),
  shareable: true,
})
const textOf = (page: StoredPage | RenderedPage | undefined) =>
  page && 'bodies' in page ? selectBody(page, 'identity').body.toString() : page?.body.toString()

/** The site's content in a version. */
const at = (contentVersion: number) => ({ id: 'site', contentVersion })

function open({ maxBytes = 1_000_000, ttlMs = 60_000 }: { maxBytes?: number; ttlMs?: number } = {}) {
  let now = 0
  const store = new PageStore({ budget: new MemoryBudget(maxBytes), name: 'pages', ttlMs, now: () => now })
  return { store, pass: (ms: number) => (now += ms) }
}

describe('the page store', () => {
  test('renders a page once for all concurrent requests', async () => {
    const { store } = open()
    let renderings = 0
    const render = async () => {
      renderings += 1
      await new Promise((done) => setTimeout(done, 20))
      return html('hello')
    }
    const pages = await Promise.all(Array.from({ length: 50 }, () => store.obtain('key', at(1), render)))
    expect(renderings).toBe(1)
    expect(pages.map(textOf)).toEqual(Array.from({ length: 50 }, () => 'hello'))
    expect(textOf(store.get('key', at(1)))).toBe('hello')
  })

  test('serves every encoding of a text under one entity tag', async () => {
    const { store } = open()
    const page = (await store.obtain('key', at(1), async () => html('<p>ŵyneb</p>'.repeat(100)))) as StoredPage
    const [br, gzip, identity] = [selectBody(page, 'br'), selectBody(page, 'gzip'), selectBody(page, 'identity')]
    expect(br.body.length).toBeLessThan(identity.body.length / 10)
    expect(gzip.body.length).toBeLessThan(identity.body.length / 10)
    expect(identity.body.toString()).toBe('<p>ŵyneb</p>'.repeat(100))
    expect(matchesEntityTag(`"other", ${page.etag}`, page.etag)).toBe(true)
    expect(matchesEntityTag('"other"', page.etag)).toBe(false)
  })

  test('serves a page until it expires', async () => {
    const { store, pass } = open({ ttlMs: 1000 })
    await store.obtain('key', at(1), async () => html('closes in 9 days'))
    pass(999)
    expect(store.get('key', at(1))).toBeDefined()
    pass(1)
    expect(store.get('key', at(1))).toBeUndefined()
  })

  test('keeps a page for an hour past its expiry in case it cannot be rendered, then drops it', async () => {
    const { store, pass } = open({ ttlMs: 1000 })
    await store.obtain('key', at(1), async () => html('closes in 9 days'))
    pass(1000 + 60 * 60_000 - 1)
    expect(store.get('key', at(1))).toBeUndefined()
    expect(textOf(store.getLast('key'))).toBe('closes in 9 days')
    pass(1)
    expect(store.getLast('key')).toBeUndefined()
    expect(store.bytes).toBe(0)
  })

  test('has a page only in the present version of the content, and its last version in case that cannot be rendered', async () => {
    const { store } = open()
    await store.obtain('key', at(1), async () => html('before'))
    expect(store.get('key', at(2))).toBeUndefined()
    expect(textOf(store.getLast('key'))).toBe('before')
    await store.obtain('key', at(2), async () => html('after'))
    expect(textOf(store.get('key', at(2)))).toBe('after')
    expect(textOf(store.getLast('key'))).toBe('after')
    expect(store.size).toBe(1)
  })

  test('a rendering that took longer than a newer one does not replace it', async () => {
    const { store } = open()
    let finish: (page: RenderedPage) => void = () => {}
    const slow = store.obtain('key', at(1), () => new Promise((resolve) => (finish = resolve)))
    await store.obtain('key', at(2), async () => html('after'))
    finish(html('before'))
    expect(textOf(await slow)).toBe('before')
    expect(textOf(store.getLast('key'))).toBe('after')
  })

  test('stays within its byte limit by evicting the least recently used page', async () => {
    const { store } = open({ maxBytes: 40_000 })
    const noise = (seed: number) => Array.from({ length: 600 }, (_, i) => ((i * 7919 + seed * 104_729) % 9973).toString(36)).join('')
    for (let i = 0; i < 8; i++) {
      await store.obtain(`page ${i}`, at(1), async () => html(noise(i)))
      store.get('page 0', at(1))
    }
    for (let i = 8; i < 40; i++) {
      await store.obtain(`page ${i}`, at(1), async () => html(noise(i)))
      store.get('page 0', at(1))
      expect(store.bytes).toBeLessThanOrEqual(40_000)
    }
    expect(store.get('page 0', at(1))).toBeDefined()
    expect(store.get('page 1', at(1))).toBeUndefined()
    expect(store.get('page 39', at(1))).toBeDefined()
  })

  test('neither stores nor shares a page rendered for one request', async () => {
    const { store } = open()
    let count = 0
    const render = async () => ({ ...html(`yours alone ${(count += 1)}`), shareable: false })
    const [a, b] = await Promise.all([store.obtain('key', at(1), render), store.obtain('key', at(1), render)])
    expect([textOf(a), textOf(b)].sort()).toEqual(['yours alone 1', 'yours alone 2'])
    expect(store.get('key', at(1))).toBeUndefined()
  })

  test.each([
    ['a page that is not whole', { ...html('gone'), status: 410 }],
    ['a page that asks not to be kept', html('mine', { 'cache-control': 'no-store' })],
    ['a page that is private', html('mine', { 'cache-control': 'private, max-age=60' })],
  ])('does not store %s', async (_, rendered) => {
    const { store } = open()
    expect(textOf(await store.obtain('key', at(1), async () => rendered))).toBe(rendered.body.toString())
    expect(store.size).toBe(0)
  })

  test('a failed rendering fails for everyone who waited, and the next request retries', async () => {
    const { store } = open()
    const failing = () => Promise.reject(new Error('the database is away'))
    const both = await Promise.allSettled([store.obtain('key', at(1), failing), store.obtain('key', at(1), failing)])
    expect(both.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
    expect(textOf(await store.obtain('key', at(1), async () => html('back')))).toBe('back')
  })
})
