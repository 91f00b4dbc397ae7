import { describe, expect, test } from 'vitest'
import { getConsoleErrors, expectAccessible, getSiteOrigin, openPage, signIn, expectUsable } from '#tests/support/browser.ts'
import { findDcatUsFaults } from '#tests/support/dcat-us.ts'
import { requireMailedLink } from '#tests/support/mails.ts'
import { sendRequest } from '#tests/support/send-request.ts'

describe('reading without JavaScript', () => {
  test('from the homepage to a project, its update and its department', async () => {
    const page = await openPage({ javaScript: false })
    await page.goto('/')
    await page.getByRole('link', { name: 'A faster bus on Fern Street' }).first().click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('A faster bus on Fern Street')
    await page.getByRole('heading', { name: 'Key dates' }).waitFor()
    await page.getByRole('heading', { name: 'Documents' }).waitFor()
    await page.locator('.update-list a').first().click()
    await page.getByRole('link', { name: 'Back to the project' }).click()
    await page.getByRole('link', { name: 'Transportation' }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Transportation')
  })

  test('searching with a misspelling, narrowing, and taking a filter off again', async () => {
    const page = await openPage({ javaScript: false })
    await page.goto('/projects')
    await page.getByRole('searchbox').fill('libary')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => page.locator('.project-card h3').first().textContent()).toBe('A library for Northgate')
    await page.getByLabel('Status').selectOption('results')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('link', { name: /“libary”/ }).click()
    expect(new URL(page.url()).search).toBe('?status=results')
    expect(await page.locator('.tag').allTextContents()).not.toContain('Open')
  })

  test('in French, every link stays French and the language switch keeps the page', async () => {
    const page = await openPage({ javaScript: false })
    await page.goto('/fr-CA/projects?status=open')
    expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
    await page.locator('.project-card a').first().click()
    expect(new URL(page.url()).pathname).toMatch(/^\/fr-CA\/projects\//)
    await page.getByRole('link', { name: 'English' }).first().click()
    expect(new URL(page.url()).pathname).toMatch(/^\/en\/projects\//)
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })
})

test('the filters of lists are folded on a phone, and always shown on a wide screen', async () => {
  const phone = await openPage({ javaScript: false, width: 360 })
  const wide = await openPage({ javaScript: false, width: 1280 })
  for (const path of ['/projects', '/projects/riverfront/ideas']) {
    await phone.goto(`${path}?sort=supported`)
    const sorting = phone.locator('select[name="sort"]')
    expect(await sorting.isVisible(), path).toBe(false)
    await phone.getByText(/^Filter and sort/).press('Enter')
    await sorting.waitFor()
    await wide.goto(path)
    await wide.locator('select[name="sort"]').selectOption({ index: 1 })
    await expect.poll(() => wide.getByText(/^Filter and sort/).isVisible(), { message: path }).toBe(false)
  }
})

test('a visitor follows a project by email address, with one confirmation and without an account', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/northgate-library')
  await page.getByRole('button', { name: 'Follow this project' }).click()
  await page.getByLabel('Email address').fill('nobody')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await page.getByRole('link', { name: 'Enter an email address, such as name@example.org' }).waitFor()
  expect(await page.getByLabel('Email address').inputValue()).toBe('nobody')
  await page.getByLabel('Email address').fill('new.follower@riverbend.example')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await requireMailedLink('new.follower@riverbend.example', '/follow?token='))
  await page.getByRole('button', { name: 'Follow this project' }).click()
  await page.getByRole('heading', { name: 'You follow “A library for Northgate”' }).waitFor()

  const scripted = await openPage({ width: 360 })
  await scripted.goto('/follow?project=northgate-library')
  await scripted.getByLabel('Email address').waitFor()
  await expectAccessible(scripted)
})

test('a visitor who follows a project and has an account signs in; then it is followed', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/northgate-library')
  await page.getByRole('button', { name: 'Follow this project' }).click()
  await page.getByRole('link', { name: 'Sign in and follow' }).click()
  await page.getByLabel('Email address').fill('participant@riverbend.example')
  await page.getByLabel('Password').fill('parley-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Stop following' }).waitFor()
  await page.getByRole('link', { name: 'Choose how often' }).click()
  await page.getByLabel('Once a week').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes are saved.').waitFor()
  expect(await page.getByLabel('Once a week').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Stop following “A library for Northgate”' }).click()
  await page.getByText('Your changes are saved.').waitFor()
  expect(await page.getByRole('link', { name: 'A library for Northgate' }).count()).toBe(0)
})

test('the page of followed projects is whole for everybody who reads it', async () => {
  const page = await openPage({ width: 360 })
  await signIn(page, 'participant')
  for (const prefix of ['', '/fr-CA']) {
    await page.goto(`${prefix}/account/follows`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  }
})

describe('addresses that lead nowhere', () => {
  test('are not found, within the site and with a search', async () => {
    const page = await openPage()
    const paths = ['/nothing', '/projects/nothing', '/hubs/nothing', '/pages/nothing', '/projects/fern-street/updates/nothing']
    for (const path of [...paths, '/projects/%3Cscript%3E']) {
      const answer = await page.goto(path)
      expect([path, answer?.status()]).toEqual([path, 404])
      await expect.poll(() => page.title(), { message: path }).toContain('Page not found')
      await page.getByRole('main').getByRole('searchbox').waitFor()
    }
  })

  test('a page tells search engines and those who share it what it is, in each language', async () => {
    const page = await openPage({ javaScript: false })
    await page.goto('/fr-CA/projects/fern-street')
    const { origin } = new URL(page.url())
    const href = (selector: string) => page.locator(selector).first().getAttribute('href')
    const meta = (name: string) => page.locator(`meta[property="${name}"], meta[name="${name}"]`).first().getAttribute('content')
    const alternates = await page
      .locator('link[rel="alternate"][hreflang]')
      .evaluateAll((links) => links.map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')]))
    expect(alternates).toEqual([
      ['en', `${origin}/projects/fern-street`],
      ['fr-CA', `${origin}/fr-CA/projects/fern-street`],
      ['x-default', `${origin}/projects/fern-street`],
    ])
    expect(await href('link[rel="canonical"]')).toBe(`${origin}/fr-CA/projects/fern-street`)
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    expect([await meta('og:title'), await meta('og:locale'), await meta('og:type'), await meta('og:url')]).toEqual([
      title,
      'fr_CA',
      'article',
      `${origin}/fr-CA/projects/fern-street`,
    ])
    expect((await meta('description'))?.length).toBeGreaterThan(20)
    const picture = await page.goto((await meta('og:image')) ?? '')
    expect([picture?.status(), picture?.headers()['content-type']]).toEqual([200, 'image/png'])
    await page.goto('/fr-CA/projects/fern-street')
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').first().textContent()) ?? '{}') as {
      '@graph': { '@type': string; name?: string; inLanguage?: string }[]
    }
    expect(data['@graph'].map((thing) => thing['@type'])).toEqual(expect.arrayContaining(['Event', 'BreadcrumbList']))
    expect(data['@graph'].find((thing) => thing['@type'] === 'Event')).toMatchObject({ name: title, inLanguage: 'fr-CA' })
  })

  test.each([
    ['/projects/riverfront/surveys/riverfront-priorities', 'riverbend', 'en_CA', 'fr_CA'],
    ['/projects/riverfront/surveys/riverfront-priorities/results', 'riverbend', 'en_CA', 'fr_CA'],
    ['/projects', 'harbour', 'en_AU', null],
    ['/projects', 'dyffryn', 'cy_GB', 'en_GB'],
  ] as const)('%s of %s has one address, its other languages and a picture to share, and speaks %s', async (path, site, locale, other) => {
    const page = await openPage({ site, javaScript: false })
    await page.goto(path)
    const { origin } = new URL(page.url())
    const contents = (name: string) =>
      page.locator(`meta[property="${name}"]`).evaluateAll((all) => all.map((meta) => meta.getAttribute('content')))
    expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(`${origin}${path}`)
    expect([await contents('og:locale'), await contents('og:locale:alternate')]).toEqual([[locale], other ? [other] : []])
    expect(await contents('og:url')).toEqual([`${origin}${path}`])
    expect((await contents('og:title'))[0]).not.toBe('')
    expect((await page.goto((await contents('og:image'))[0] ?? ''))?.headers()['content-type']).toBe('image/png')
    await page.goto(path)
    const alternates = page.locator('link[rel="alternate"][hreflang]')
    expect(await alternates.count()).toBe(other ? 3 : 0)
  })

  test.each(['riverbend', 'harbour', 'dyffryn'] as const)('the catalogue of %s claims DCAT-US 3.0 and is valid by it', async (site) => {
    const { host, port } = new URL(getSiteOrigin(site))
    const catalogue = JSON.parse((await sendRequest(Number(port), '/data.json', { host })).text) as {
      conformsTo: object
      dataset: object[]
    }
    expect(catalogue.conformsTo).toMatchObject({ title: 'DCAT-US 3.0' })
    expect(catalogue.dataset.length).toBeGreaterThan(0)
    expect(findDcatUsFaults(catalogue)).toEqual([])
  })

  test('broken parameters give the page without them, and its canonical address has none', async () => {
    const page = await openPage({ javaScript: false })
    const answer = await page.goto('/projects?status=wrong&page=minus&sort=%27&topic=..&colour=red')
    expect(answer?.status()).toBe(200)
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/projects$/)
  })
})

test('a card’s title is as large on every page, whatever the level of its heading', async () => {
  const page = await openPage()
  const sizes = new Map<string, Set<string>>()
  for (const path of ['/', '/projects', '/hubs', '/hubs/transportation', '/data', '/projects/fern-street']) {
    await page.goto(path)
    const titles = page.locator('.project-card:not(.project-card-lead) :is(h2, h3), .card-body > :is(h2, h3)')
    for (const [level, size] of await titles.evaluateAll((all) => all.map((each) => [each.tagName, getComputedStyle(each).fontSize])))
      sizes.set(size ?? '', (sizes.get(size ?? '') ?? new Set()).add(level ?? ''))
  }
  expect([...sizes.values()].map((levels) => [...levels].sort())).toEqual([['H2', 'H3']])
})

test('a survey names one number of questions at its beginning and on its way', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/fern-street/surveys/the-way-to-your-stop')
  const announced = /Up to (\d+) questions/.exec(await page.getByRole('main').innerText())?.[1]
  await page.locator('.survey-start a').click()
  await expect.poll(() => page.getByText(`Question 1 of up to ${announced}`).count()).toBeGreaterThan(0)
})

test('a project’s own words come before its dates and contact on a phone, and beside them on a wide screen', async () => {
  const findTops = async (width: number) => {
    const page = await openPage({ width, javaScript: false })
    await page.goto('/projects/fern-street')
    const tops = await Promise.all(
      ['section[aria-label="About the project"]', '#dates', '#team', '#share'].map(
        async (part) => (await page.locator(part).boundingBox())?.y ?? NaN,
      ),
    )
    return tops as [words: number, dates: number, contact: number, share: number]
  }
  const [words, dates, contact, share] = await findTops(360)
  expect(dates).toBeGreaterThan(words)
  expect(contact).toBeGreaterThan(dates)
  expect(share).toBeGreaterThan(contact)
  const wide = await findTops(1280)
  expect(wide[1]).toBeLessThanOrEqual(wide[0])
})

test('Escape closes the menu of a phone and returns to its button', async () => {
  const page = await openPage({ width: 360 })
  await page.goto('/', { waitUntil: 'networkidle' })
  const menu = page.locator('.site-menu')
  await menu.locator('summary').click()
  await menu.getByRole('link', { name: 'Projects' }).focus()
  await page.keyboard.press('Escape')
  await expect.poll(() => menu.getAttribute('open')).toBeNull()
  await expect.poll(() => menu.locator('summary').evaluate((button) => button === document.activeElement)).toBe(true)
})

test('the box for the next photo appears once one was chosen; without JavaScript all boxes are there', async () => {
  const page = await openPage()
  await page.goto('/projects/riverfront/trees/new', { waitUntil: 'networkidle' })
  const countShown = async (on: typeof page) =>
    (await Promise.all((await on.locator('.photo-slot').all()).map((slot) => slot.isVisible()))).filter(Boolean).length
  expect(await countShown(page)).toBe(1)
  await page.locator('.photo-slot input[type=file]').first().setInputFiles('tests/screenshots/map.png')
  await expect.poll(() => countShown(page)).toBe(2)
  const plain = await openPage({ javaScript: false })
  await plain.goto('/projects/riverfront/trees/new')
  expect(await countShown(plain)).toBe(await plain.locator('.photo-slot').count())
  expect(await countShown(plain)).toBeGreaterThan(1)
})

test('a survey that has closed is not under “Have your say”', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/harbour-noise')
  const closed = page.getByRole('region', { name: 'Closed', exact: true })
  expect(await closed.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(0)
  expect(await page.getByRole('heading', { level: 2, name: 'Have your say' }).count()).toBe(0)
})

test('search stands apart from the buttons above it where a page was not found', async () => {
  for (const width of [1280, 360]) {
    const page = await openPage({ width })
    await page.goto('/nothing')
    const measureGap = async () => {
      const buttons = await page.locator('.error-page .row').boundingBox()
      const search = await page.locator('.ways-onward').boundingBox()
      return (search?.y ?? 0) - ((buttons?.y ?? 0) + (buttons?.height ?? 0))
    }
    // The page may be drawn once more when its scripts have come.
    await expect.poll(measureGap).toBeGreaterThanOrEqual(24)
  }
})

describe('each page is accessible and quiet', () => {
  const paths = [
    '/',
    '/projects',
    '/projects/fern-street',
    '/projects/harbour-noise',
    '/hubs',
    '/hubs/transportation',
    '/search?q=bus',
    '/pages/privacy',
  ]
  test('each in one of the languages, wide and narrow', async () => {
    const page = await openPage({ width: 360 })
    for (const [place, path] of paths.entries()) {
      const language = place % 2 === 0 ? 'fr-CA' : 'en'
      await page.goto(`/${language}${path === '/' ? '' : path}`)
      await expectUsable(page)
    }
    expect(getConsoleErrors(page)).toEqual([])
  })
})
