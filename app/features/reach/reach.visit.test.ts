import { describe, expect, test } from 'vitest'
import { findLinkCode, isBot, isMailScanner, findOrigin, findSeenPage } from './reach.visit.ts'

describe('what a visitor sees', () => {
  test('is the site, a department, a project or a subpage of one', () => {
    expect(findSeenPage('/')).toEqual({ kind: 'site' })
    expect(findSeenPage('/fr-CA/hubs/roads')).toEqual({ kind: 'hub', slug: 'roads' })
    expect(findSeenPage('/projects')).toEqual({ kind: 'site' })
    expect(findSeenPage('/cy/projects/fern-street')).toEqual({ kind: 'project', slug: 'fern-street', further: false })
    expect(findSeenPage('/projects/fern-street/')).toEqual({ kind: 'project', slug: 'fern-street', further: false })
    expect(findSeenPage('/projects/fern-street/surveys/your-trip')).toEqual({ kind: 'project', slug: 'fern-street', further: true })
    expect(findSeenPage('/cy/projects/fern-street/updates/we-heard-you')).toEqual({
      kind: 'project',
      slug: 'fern-street',
      further: true,
      update: 'we-heard-you',
    })
    expect(findSeenPage('/projects/fern-street/updates')).toEqual({ kind: 'project', slug: 'fern-street', further: true })
    expect(findSeenPage('/data/trees')).toEqual({ kind: 'dataset', slug: 'trees' })
    expect(findSeenPage('/demo/documents/plan.pdf')).toEqual({ kind: 'document', file: '/demo/documents/plan.pdf' })
  })

  test("is nothing on editors' pages and machine-readable addresses", () => {
    for (const path of [
      '/admin',
      '/admin/projects',
      '/live-preview/home',
      '/fr-CA/embed/surveys/1',
      '/hooks/sms/1',
      '/feed.atom',
      '/projects/fern-street/dates.ics',
      '/fr-CA/projects/fern-street/dates.ics',
      '/sitemap.xml',
      '/og/projects/a.png',
    ]) {
      expect(findSeenPage(path)).toBeUndefined()
    }
  })
})

test('the code of a message’s link is ten letters and digits, and nothing else', () => {
  expect(findLinkCode('/l/abcdefg234')).toBe('abcdefg234')
  for (const path of ['/l/abc', '/l/ABCDEFG234', '/en/l/abcdefg234', '/l/abcdefg234/x', '/l/abcdefg2341'])
    expect(findLinkCode(path)).toBeUndefined()
  expect(findSeenPage('/l/abcdefg234')).toBeUndefined()
})

describe('who visits', () => {
  test('is a scanner of mails if it names itself', () => {
    expect(isMailScanner('Mozilla/5.0 (Windows NT 10.0) BarracudaCentral')).toBe(true)
    expect(isMailScanner('Mozilla/4.0 (compatible; ms-office; MSOffice 16)')).toBe(true)
    expect(isMailScanner('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(false)
  })

  test('is a bot if it says so or does not claim to be a browser', () => {
    for (const name of [
      'Googlebot/2.1',
      'Mozilla/5.0 (compatible; bingbot/2.0)',
      'curl/8.1',
      '',
      'Mozilla/5.0 HeadlessChrome/140',
      'Mozilla/5.0 (compatible; AhrefsBot/7.0)',
    ]) {
      expect(isBot(name), name).toBe(true)
    }
  })

  test('is a person with any of the usual browsers', () => {
    for (const name of [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    ]) {
      expect(isBot(name), name).toBe(false)
    }
  })
})

describe('where a visit came from', () => {
  test.each([
    ['', undefined, { source: 'direct', campaign: null }],
    ['', 'https://www.google.ca/', { source: 'search', campaign: null }],
    ['', 'https://l.facebook.com/', { source: 'social', campaign: null }],
    ['', 'https://t.co/', { source: 'social', campaign: null }],
    ['', 'https://mail.google.com/', { source: 'email', campaign: null }],
    ['', 'https://gazette.example/', { source: 'site', campaign: null }],
    ['?utm_medium=email&utm_campaign=spring', 'https://www.google.ca/', { source: 'email', campaign: 'spring' }],
    ['?utm_campaign=Bus-Stop', undefined, { source: 'campaign', campaign: 'bus-stop' }],
    ['?utm_campaign=%3Cscript%3E', undefined, { source: 'direct', campaign: null }],
    ['', 'https://city.example/projects', undefined],
  ])('%s after %s', (search, referer, expected) => {
    expect(findOrigin(search, referer, 'city.example')).toEqual(expected)
  })
})
