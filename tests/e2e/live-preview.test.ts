import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { AnyField, Fields } from '#app/features/homepage/block-fields.ts'
import { BLOCK_TYPES, BLOCKS } from '#app/features/homepage/homepage.schema.ts'
import { DEMO_PASSWORD } from '#app/cli/demo/demo-accounts.ts'
import { getConsoleErrors, expectAccessible, openPage, pasteMarkup, signIn, getSiteOrigin } from '#tests/support/browser.ts'
import { alterToken } from '#tests/support/alter-token.ts'

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>[x](javascript:window.hacked=1)'

interface Document {
  data: { id: string }
  errors?: unknown
}

/** A call of the API as the page itself makes it. */
const api = <Answer = Document>(page: Page, method: string, path: string, data?: object): Promise<Answer> =>
  page.evaluate(
    async ({ method, path, data }) => {
      const type = 'application/vnd.api+json'
      const token = document.body.getAttribute('data-api-token') ?? sessionStorage.getItem('api-token') ?? ''
      const answer = await fetch(`/api/v2/${path}`, {
        method,
        headers: { accept: type, 'content-type': type, 'x-api-token': `Bearer ${token}` },
        ...(data ? { body: JSON.stringify({ data }) } : {}),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
      return (text ? JSON.parse(text) : undefined) as never
    },
    { method, path, data },
  )

/** Every kind of block, each of its texts `said`. */
async function everyKind(page: Page, said: (field: string, type: string) => string): Promise<object[]> {
  const first = async (type: string) => (await api<{ data: { id: string }[] }>(page, 'GET', `${type}?page[size]=1`)).data[0]?.id ?? null
  const [project, survey, dataset] = [await first('projects'), await first('surveys'), await first('city-datasets')]
  const fill = (type: string, fields: Fields): object =>
    Object.fromEntries(
      Object.entries(fields as Record<string, AnyField>).map(([name, field]): [string, unknown] => {
        switch (field.kind) {
          case 'line':
          case 'text':
          case 'rich':
            return [name, { en: said(name, type) }]
          case 'action':
            return [name, { label: { en: said(name, type).slice(0, 60) }, href: '/projects' }]
          case 'picture':
            return [name, { file: '/demo/harbour/cockle-wharf.svg', alt: { en: said(name, type) }, decorative: false }]
          case 'plain':
            return [name, said(name, type)]
          case 'list':
            return [name, [{ id: 'one', ...fill(type, field.fields) }]]
          case 'project':
            return [name, project]
          case 'survey':
            return [name, survey]
          case 'dataset':
            return [name, dataset]
          case 'day':
            return [name, '2026-05-04']
          case 'email':
            return [name, 'council@harbour.example']
          case 'choices':
            return [name, field.options]
          default:
            return [name, field.empty]
        }
      }),
    )
  return BLOCK_TYPES.map((type) => {
    const block = { id: `every_${type}`, type, ...fill(type, BLOCKS[type].fields) }
    if (type === 'video') return { ...block, address: 'https://youtu.be/aqz-KE-bpKQ' }
    return type === 'embed' ? { ...block, address: 'https://www.openstreetmap.org/export/embed.html' } : block
  })
}

/** Saves blocks as the newest version of the site's page and publishes them. @returns the revision */
async function publishBlocks(page: Page, blocks: object[]): Promise<string> {
  const newest = (await api<{ data: { id: string }[] }>(page, 'GET', 'homepage-revisions?filter[ofSite]=true&page[size]=1')).data[0]
  const tie = (id: string) => ({ data: { type: 'homepage-revisions', id } })
  const { data } = await api(page, 'POST', 'homepage-revisions', {
    type: 'homepage-revisions',
    attributes: { content: { schema: 2, blocks } },
    ...(newest ? { relationships: { parent: tie(newest.id) } } : {}),
  })
  await api(page, 'POST', 'homepage-publications', { type: 'homepage-publications', relationships: { revision: tie(data.id) } })
  return data.id
}

describe('the live preview', () => {
  test('is nobody’s but the editors’, is framed by its own site alone, and is neither kept nor indexed', async () => {
    const visitor = await openPage()
    expect((await visitor.goto('/live-preview/home'))?.status()).toBe(404)
    const page = await openPage()
    await signIn(page, 'site.admin')
    const answer = await page.goto('/live-preview/home')
    expect(answer?.status()).toBe(200)
    const headers = await answer?.allHeaders()
    expect(headers?.['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers?.['x-robots-tag']).toContain('noindex')
    expect(headers?.['cache-control']).toContain('no-store')
    expect((await page.goto('/'))?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('shows the draft as a visitor or a participant sees it, in another language, without changing the editor’s own', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/live-preview/home?lng=fr-CA&as=participant')
    await page
      .getByRole('link', { name: /Alex Doe/ })
      .first()
      .waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
    await expectAccessible(page)
    await page.goto('/live-preview/home?as=visitor')
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test('selects both ways, follows no link, and lets words be typed over where they stand', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/homepage')
    const frame = page.frameLocator('.preview-frame iframe')
    // The frame has answered once the selected block is outlined.
    await page.locator('.preview-outline').waitFor()
    const grid = frame.getByRole('heading', { level: 2, name: 'Open now' })
    await grid.click()
    await page.getByRole('heading', { level: 2, name: 'Project grid' }).waitFor()
    await grid.dblclick()
    await page.keyboard.type('What is open')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('textbox', { name: 'Heading' }).inputValue()).toBe('What is open')
    await frame.getByRole('heading', { level: 2, name: 'What is open' }).waitFor()
    await page.getByRole('button', { name: 'Add a block' }).click()
    await page.getByRole('dialog').getByRole('button', { name: /^Text/ }).click()
    const text = page.getByRole('textbox', { name: 'Text' })
    await pasteMarkup(text, '## Birds\n\nHerons **wade** here.')
    await frame.getByText('Herons').dblclick()
    await page.keyboard.type('## Birds')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Herons nest here.')
    await frame.getByRole('heading', { level: 1 }).first().click()
    await frame.getByRole('heading', { level: 2, name: 'Birds' }).waitFor()
    await frame.getByText('Herons nest here.').click()
    await text.getByRole('heading', { level: 2, name: 'Birds', exact: true }).waitFor()
    await text.getByText('Herons nest here.', { exact: true }).waitFor()
    expect(await text.innerText()).toMatch(/^Birds\s+Herons nest here\.\s*$/)
    await frame.getByRole('link', { name: 'All departments' }).click()
    await page.getByText(/This one leads to .*hubs/).waitFor()
    await page.getByText('Draft saved').waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('of every kind of block: what is hostile runs neither in the preview nor on the page, and what is not is for everybody', async () => {
    const page = await openPage({ site: 'harbour' })
    await signIn(page, 'site.admin')
    await page.goto('/live-preview/home')
    const hostile = await publishBlocks(page, await everyKind(page, () => HOSTILE))
    for (const path of ['/live-preview/home', '/']) {
      await page.goto(path)
      await page.getByText('<script>').first().waitFor()
      for (const press of await page.locator('main summary').all()) await press.click()
      await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
      expect(await page.locator('main :is(script, img[onerror], a[href^="javascript"])').count()).toBe(0)
    }
    await page.goto('/live-preview/home')
    const kind = await publishBlocks(page, await everyKind(page, (field, type) => `Some ${field} of ${type}`))
    await page.reload()
    await page.locator('[data-block="every_divider"]').waitFor({ state: 'attached' })
    expect(await page.locator('[data-block]').count()).toBe(BLOCK_TYPES.length)
    await expectAccessible(page)
    const visitor = await openPage({ site: 'harbour', width: 360 })
    await visitor.goto('/')
    await visitor.getByText('Some question of faq').first().waitFor()
    await expectAccessible(visitor)
    for (const id of [kind, hostile]) await api(page, 'DELETE', `homepage-publications/${id}`)
  })

  test('a link shows the draft to somebody without an account, says so, and opens nothing once it is taken back', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/homepage')
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByLabel('Who it is for').fill('Bea at the county')
    await page.getByRole('button', { name: 'Create and copy a link' }).click()
    await page.getByText('Bea at the county').waitFor()
    await expectAccessible(page, 'iframe')
    const { data } = await api<{ data: { attributes: { path: string } }[] }>(page, 'GET', 'draft-links?filter[subject]=homepage')
    const path = data[0]?.attributes.path ?? ''
    const colleague = await openPage()
    expect((await colleague.goto(path))?.status()).toBe(200)
    await colleague.getByText('This is a draft, shared with you by link.').waitFor()
    await colleague.locator('[data-block]').first().waitFor({ state: 'attached' })
    expect((await colleague.goto(alterToken(path)))?.status()).toBe(404)
    await page.getByRole('button', { name: 'Cancel link' }).click()
    await page.getByText('The link no longer works.').waitFor()
    expect((await colleague.goto(path))?.status()).toBe(404)
  })

  test('a project that is not published is shown to its editors, and to whoever was sent a link until it is taken back', async () => {
    const page = await openPage({ width: 360 })
    await signIn(page, 'site.admin')
    await page.goto('/admin/projects')
    const drafts = await api<{ data: { id: string; attributes: { title: string } }[] }>(page, 'GET', 'projects?filter[status]=draft')
    const { id = '', attributes: { title } = { title: '' } } = drafts.data[0] ?? {}
    await page.goto(`/admin/projects/${id}`)
    await page.getByRole('button', { name: 'Share…' }).click()
    await page.getByLabel('Who it is for').fill('Bea at the county')
    await page.getByRole('button', { name: 'Create and copy a link' }).click()
    await page.getByText('Bea at the county').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await expectAccessible(page)
    const { data } = await api<{ data: { attributes: { path: string } }[] }>(page, 'GET', 'draft-links?filter[subject]=project')
    const path = data[0]?.attributes.path ?? ''
    for (const language of ['en', 'fr-CA'] as const) {
      const colleague = await openPage({ width: 360 })
      const answer = await colleague.goto(`${path}&lng=${language}`)
      expect([answer?.status(), answer?.headers()['cache-control']]).toEqual([200, expect.stringContaining('private')])
      await colleague
        .getByText(language === 'en' ? 'You are seeing this before everyone else' : 'Vous voyez ceci avant tout le monde')
        .waitFor()
      if (language === 'en') await colleague.getByRole('heading', { level: 1, name: title }).waitFor()
      expect(await colleague.locator('meta[name="robots"]').getAttribute('content')).toContain('noindex')
      expect(await colleague.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await expectAccessible(colleague)
      expect((await colleague.goto(path.split('?')[0] ?? ''))?.status()).toBe(404)
    }
    const colleague = await openPage()
    await page.getByRole('button', { name: 'Cancel link' }).click()
    await page.getByText('The link no longer works.').waitFor()
    expect((await colleague.goto(path))?.status()).toBe(404)
    const own = await page.goto(path.split('?')[0] ?? '')
    expect(own?.status()).toBe(200)
    await page.getByText('You are seeing this before everyone else').waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('is looked at by any reader, in any language, on any screen, by day and by night, at a date, and beside what is published', async () => {
    const page = await openPage({ site: 'dyffryn', width: 1600 })
    await signIn(page, 'site.admin')
    await page.goto('/admin/homepage?lng=en')
    await page.locator('.preview-outline').waitFor()
    const frames = page.locator('.preview-frame iframe')
    const frame = page.frameLocator('.preview-frame iframe').first()
    const seen = async (name: string, value: string) => {
      await expect.poll(() => frames.first().getAttribute('src')).toContain(`${name}=${encodeURIComponent(value)}`)
    }
    await frame.getByRole('link', { name: 'Mewngofnodi' }).first().waitFor()
    await page.getByLabel('Reader').selectOption('Member')
    await seen('as', 'member')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await frame.getByRole('link', { name: 'Mewngofnodi' }).count()).toBe(0)
    await page.locator('[name="preview-language"]').selectOption('English')
    await expect.poll(() => frame.locator('html').getAttribute('lang')).toBe('en')
    await page.getByLabel('Reader').selectOption('Visitor')
    await frame.getByRole('link', { name: 'Sign in' }).first().waitFor()

    for (const width of ['360', '768', '1280']) {
      await page.getByRole('radiogroup', { name: 'Screen width' }).getByText(width).click()
      await expect.poll(() => frame.locator('html').evaluate(() => window.innerWidth)).toBe(Number(width))
      expect(await frame.locator('html').evaluate((root) => root.scrollWidth <= window.innerWidth)).toBe(true)
    }
    const paper = () => frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    const byDay = await paper()
    await page.getByRole('radiogroup', { name: 'Light or dark' }).getByText('Dark').click()
    await expect.poll(paper).not.toBe(byDay)
    await page.getByRole('radiogroup', { name: 'Light or dark' }).getByText('Light').click()
    await expect.poll(paper).toBe(byDay)

    // What is open now is not open in fifteen years.
    const cards = () => frame.locator('.project-card').allInnerTexts()
    const now = await cards()
    expect(now.length).toBeGreaterThan(0)
    await page.locator('.preview-time summary').click()
    await page.locator('.preview-then').getByLabel('Date').fill('2040-05-01')
    await page.locator('.preview-then').getByLabel('Time').fill('12:00')
    await seen('at', '2040-05-01')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(cards).not.toEqual(now)
    await page.locator('.preview-then').getByRole('button', { name: 'Clear' }).click()
    await expect.poll(cards).toEqual(now)

    await page.getByRole('radiogroup', { name: 'Compare with published' }).getByText('Both').click()
    await expect.poll(() => frames.count()).toBe(2)
    const published = page.frameLocator('.preview-frame iframe').nth(1)
    const before = (await published.getByRole('heading', { level: 1 }).first().textContent()) ?? ''
    const heading = page.getByRole('textbox', { name: 'Heading' })
    const was = await heading.inputValue()
    await heading.fill('Yn yr arfaeth')
    await page.locator('[name="preview-language"]').selectOption('Cymraeg')
    await frame.getByRole('heading', { level: 1, name: 'Yn yr arfaeth' }).waitFor()
    await published.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await published.getByRole('heading', { level: 1, name: 'Yn yr arfaeth' }).count()).toBe(0)
    expect(before).not.toBe('')
    await expectAccessible(page, 'iframe')

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => heading.inputValue()).toBe(was)
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(() => heading.inputValue()).toBe('Yn yr arfaeth')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Draft saved').waitFor()
    expect(await heading.inputValue()).toBe(was)
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('what is copied on one site is pasted into a page of another, without what only the first has', async () => {
    const page = await openPage()
    const [from, to] = [getSiteOrigin('riverbend'), getSiteOrigin('dyffryn')]
    for (const origin of [from, to]) await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await signIn(page, 'site.admin')
    await page.goto('/admin/homepage')
    const copied = page.locator('.reorderable-item', { hasText: 'Hero' }).first()
    await copied.click()
    await page.keyboard.press('Control+c')
    await page.getByText('Copied. You can paste it into any page.').waitFor()
    const words = (await page.getByRole('textbox', { name: 'Heading' }).inputValue()) || 'nothing'

    await page.goto(`${to}/sign-in?lng=en`)
    await page.locator('input[name="email"]').fill('site.admin@dyffryn.example')
    await page.locator('input[name="password"]').fill(DEMO_PASSWORD)
    await page.locator('form:has(input[name="password"]) [type="submit"]').click()
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
    await page.goto(`${to}/admin/homepage?lng=en`)
    const hub = await page.evaluate(async () => {
      const { data } = (await (await fetch('/api/v2/hubs')).json()) as { data: { id: string }[] }
      return data[0]?.id
    })
    await page.goto(`${to}/admin/homepage?lng=en&hub=${hub}`)
    await page.getByText('No blocks yet').or(page.locator('.reorderable-item')).first().waitFor()
    const items = page.locator('.reorderable-item')
    const before = await items.count()
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await page.getByText('Projects, surveys and pictures from the other site were left out.').waitFor()
    await expect.poll(() => items.count()).toBe(before + 1)
    await page.getByText('Draft saved').waitFor()
    await page.getByRole('tab', { name: /English/ }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Heading' }).inputValue()).toBe(words)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => items.count()).toBe(before)
    await page.getByText('Draft saved').waitFor()
  })

  test('hears nobody but the window that frames it', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/homepage')
    // Our own frame, and beside it a window of the same origin that does not frame it.
    await page.evaluate(
      () =>
        new Promise<void>((done) => {
          const addFrame = (name: string, src: string) => {
            const frame = Object.assign(document.createElement('iframe'), { name, src })
            document.body.append(frame)
            return frame
          }
          const preview = addFrame('framed', '/live-preview/home')
          addFrame('stranger', 'about:blank')
          addEventListener('message', ({ source, data }) => source === preview.contentWindow && data.kind === 'hello' && done())
        }),
    )
    const preview = page.frame({ name: 'framed' })
    const stranger = page.frame({ name: 'stranger' })
    if (!preview || !stranger) throw new Error('The frames are missing')
    const blocks = preview.locator('[data-block]')
    const before = await blocks.count()
    expect(before).toBeGreaterThan(3)
    const emptyPage = () => {
      const session = 'session-of-somebody'
      for (const message of [{ kind: 'ack' }, { kind: 'init', sequence: 0, blocks: [], tokens: null }]) {
        const framed = (window.top as unknown as Record<string, Window>)['framed']
        framed?.postMessage({ parley: 'live-preview', version: 1, session, ...message }, origin)
      }
    }
    await stranger.evaluate(emptyPage)
    await page.waitForTimeout(500)
    expect(await blocks.count()).toBe(before)
    // The same from the window that frames it empties the page.
    await page.evaluate(emptyPage)
    await expect.poll(() => blocks.count()).toBe(0)
  })
})
