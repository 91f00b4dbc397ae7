import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ReachCounter } from '#app/features/reach/reach.counter.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { followLink } from './follow-link.server.ts'
import { countClicks } from './link-clicks.server.ts'
import { createLinkCollector, findLinkTarget, replaceLinks, shortenTexts } from './message-links.server.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PROJECT = 'https://city.example/projects/bus?utm_source=parley'
let runtime: TestRuntime
let site: Site
let ctx: Ctx

const codeOf = (url: string) => /\/l\/([a-z2-7]{10})$/.exec(url)?.[1] ?? ''
const open = (code: string) => followLink({ context: { ctx } as never, params: { code } })

async function addCampaign(channel: 'email' | 'sms' = 'email'): Promise<string> {
  const id = createId()
  const now = ctx.now()
  await ctx.db.tx((tx) =>
    tx.insert(campaigns).values({ siteId: site.id, id, name: 'May', channel, status: 'done', createdAt: now, updatedAt: now }),
  )
  return id
}

async function addLink(campaign: string, url = PROJECT): Promise<string> {
  const links = createLinkCollector(ctx)
  const short = links.shorten(url)
  await ctx.db.tx((tx) => links.store(tx, campaign, 'en'))
  return codeOf(short)
}

const click = (counter: ReachCounter, code: string, more: { userAgent?: string; address?: string | null; refuses?: boolean } = {}) =>
  counter.countClick({ site, code, address: '203.0.113.5', userAgent: BROWSER, refuses: false, ...more })
const totalOf = async (campaign: string) => (await ctx.db.read((tx) => countClicks(ctx, tx, [campaign]))).get(campaign) ?? 0

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  ctx = createCtx(runtime, site)
})

describe('a short address', () => {
  test('leads only to a link of a message, and is not kept by browsers', async () => {
    const answer = await open(await addLink(await addCampaign()))
    expect([answer.status, answer.headers.get('location')]).toEqual([302, PROJECT])
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect((await open('aaaaaaaaaa')).status).toBe(404)
    expect((await open('https://evil.example')).status).toBe(404)
    const elsewhere = createCtx(runtime, await addSite(runtime, { slug: 'harbour' }))
    expect(await findLinkTarget(elsewhere, await addLink(await addCampaign()))).toBeUndefined()
  })

  test('is given to web addresses only, and the same one for the same address', () => {
    const { shorten } = createLinkCollector(ctx)
    for (const to of ['mailto:clerk@city.example', 'tel:+16135550199', '#top', '{{leave}}']) expect(shorten(to)).toBe(to)
    expect(shorten(PROJECT)).toBe(shorten(PROJECT))
    expect(shorten(PROJECT)).not.toBe(shorten(`${PROJECT}&x`))
  })

  test('leaves what is around it in a text', () => {
    const found: string[] = []
    const text = replaceLinks('See https://a.example/x. Or (https://b.example/), or https://c.example/?q=1!', (url) => {
      found.push(url)
      return 'L'
    })
    expect(text).toBe('See L. Or (L), or L!')
    expect(found).toEqual(['https://a.example/x', 'https://b.example/', 'https://c.example/?q=1'])
  })

  test('is one for all texts of a campaign in a language, however many batches there are', async () => {
    const id = await addCampaign('sms')
    const batch = (language: 'en' | 'cy') =>
      ctx.db.tx((tx) =>
        shortenTexts(ctx, tx, id, [
          { body: `Vote: ${PROJECT}`, language },
          { body: 'No link', language },
        ]),
      )
    const [first, second, welsh] = [await batch('en'), await batch('en'), await batch('cy')]
    expect(first).toEqual(second)
    expect(first[1]?.body).toBe('No link')
    expect(welsh[0]?.body).not.toBe(first[0]?.body)
    expect(await findLinkTarget(ctx, codeOf(first[0]?.body ?? ''))).toBe(PROJECT)
  })
})

describe('clicks', () => {
  test('are all counted, from several processes at once', async () => {
    const id = await addCampaign()
    const codes = [await addLink(id), await addLink(id, 'https://b.example/')]
    const counters = [new ReachCounter(runtime), new ReachCounter(runtime), new ReachCounter(runtime)]
    for (let round = 0; round < 5; round++) {
      for (const counter of counters) for (let count = 0; count < 100; count++) click(counter, codes[count % 2] ?? '')
      await Promise.all(counters.map((counter) => counter.flush()))
    }
    expect(await totalOf(id)).toBe(1500)
  })

  test('that could not be stored are stored with the next ones', async () => {
    const id = await addCampaign()
    const code = await addLink(id)
    const counter = new ReachCounter(runtime)
    click(counter, code)
    const away = vi.spyOn(runtime.database, 'site').mockImplementation(() => {
      throw new Error('away')
    })
    await counter.flush()
    away.mockRestore()
    click(counter, code)
    await counter.stop()
    expect(await totalOf(id)).toBe(2)
  })

  test('of programs, of unknown senders and of browsers that ask not to be tracked do not count', async () => {
    const id = await addCampaign()
    const code = await addLink(id)
    const counter = new ReachCounter(runtime)
    click(counter, code, { userAgent: 'Googlebot/2.1' })
    click(counter, code, { userAgent: `${BROWSER} Barracuda` })
    click(counter, code, { refuses: true })
    click(counter, code, { address: null })
    click(counter, code)
    await counter.flush()
    expect(await totalOf(id)).toBe(1)
  })

  test('are listed by link, those opened most first, for those who may send the campaign', async () => {
    const id = await addCampaign()
    await addLink(id, 'https://a.example/')
    const code = await addLink(id)
    const counter = new ReachCounter(runtime)
    for (let count = 0; count < 3; count++) click(counter, code)
    await counter.flush()
    const admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
    const list = (await admin.get(`/link-clicks?filter[campaign]=${id}`)).body
    expect((list?.data as { attributes: object }[] | undefined)?.map(({ attributes }) => attributes)).toMatchObject([
      { url: PROJECT, language: 'en', clicks: 3 },
      { url: 'https://a.example/', clicks: 0, lastDay: null },
    ])
    const stranger = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    expect((await stranger.get(`/link-clicks?filter[campaign]=${id}`)).status).toBe(404)
    expect((await admin.get('/link-clicks')).status).toBe(400)
  })
})
