import { describe, expect, test } from 'vitest'
import { hasSharedCookies, buildPageKey, findFormPath, findStorablePath } from './page-key.ts'
import { createSearchReader } from './route-search.ts'

const readSearch = createSearchReader()

describe('a page for everybody', () => {
  test.each([
    ['/projects', '', '/projects'],
    ['/projects', '?', '/projects'],
    ['/fr-CA/projects', '?status=open&topic=roads', '/fr-CA/projects?status=open&topic=roads'],
    ['/projects', '?topic=roads&status=open', '/projects?status=open&topic=roads'],
    ['/projects', '?utm_source=mail&fbclid=abc', '/projects'],
    ['/projects', '?page=2&utm_campaign=x', '/projects?page=2'],
    ['/', '?x=0.7312', '/'],
    ['/fr-CA', '?lng=cy&%78=%79', '/fr-CA'],
    ['/', '?page=2&status=open', '/'],
    ['/projects', '?x=1&status=open&__proto__=y', '/projects?status=open'],
    ['/projects', '?page=99999&status=nonsense&sort=nonsense', '/projects'],
    ['/projects', `?topic=${'x'.repeat(100)}`, '/projects'],
    ['/projects', '?area=north-side', '/projects?area=north-side'],
    ['/data/trees', '?page=3&sort=-c2', '/data/trees?page=3&sort=-c2'],
    ['/projects/bus/trees', '?bbox=-74.8,45,-74.7,45.1&x=1', '/projects/bus/trees?bbox=-74.8%2C45%2C-74.7%2C45.1'],
    ['/projects/bus/trees', `?bbox=${'1'.repeat(100)}`, '/projects/bus/trees'],
    ['/feed.atom', '?x=1', '/feed.atom'],
    ['/nowhere/at/all', '?x=1', '/nowhere/at/all'],
  ])('%s%s is stored as %s', (path, search, kept) => {
    expect(findStorablePath(path, search, readSearch)).toBe(kept)
  })

  test.each([
    ['/projects', '?q=bus'],
    ['/projects/bus', '?preview=token'],
    ['/sign-in', '?next=/account'],
    ['/unfollow', '?token=abc'],
    ['/data/trees', '?q=oak'],
    ['/PROJECTS', ''],
    ['/%70rojects', ''],
    ['/projects/bus%20', ''],
    ['/FR-ca/projects', ''],
    ['/account', ''],
    ['/cy/account', ''],
    ['/admin/projects', ''],
    ['/fr-CA/admin', ''],
    ['/live-preview/home', ''],
    ['/cy/receipt', ''],
    ['/projects/bus/surveys/stops', ''],
    ['/projects/bus/ideas/new', ''],
    ['/cy/projects/bus/ideas/receipt', ''],
    ['/projects/bus/ideas/12/reply', ''],
    ['/projects/bus/ideas/12/report', ''],
    ['/cy/appeals/0198c1f2-0000-7000-8000-000000000001', ''],
    ['/projects/bus/ideas/contributions.geojson', ''],
    ['/projects/bus/ideas/ledger', ''],
    ['/cy/projects/bus/dates.ics', ''],
    ['/calendar/abc.ics', ''],
    ['/embed/surveys/1', ''],
    ['/api/v2/projects', ''],
    ['/_serverFn/abc', ''],
  ])('%s%s is not stored', (path, search) => {
    expect(findStorablePath(path, search, readSearch)).toBeUndefined()
  })

  test.each([
    ['/projects/bus/surveys/stops', '', '/projects/bus/surveys/stops'],
    ['/cy/projects/bus/events/walk', '', '/cy/projects/bus/events/walk'],
    ['/projects/bus/ideas/12/reply', '', '/projects/bus/ideas/12/reply'],
    ['/embed/surveys/0198c1f2-0000-7000-8000-000000000001', '', '/embed/surveys/0198c1f2-0000-7000-8000-000000000001'],
    ['/embed/projects/bus', '?lng=fr-CA', '/embed/projects/bus?lng=fr-CA'],
    ['/embed/projects/bus/ideas', '?lng=cy', '/embed/projects/bus/ideas?lng=cy'],
    ['/projects/bus/surveys/stops', '?lng=cy', undefined],
    ['/projects/bus/surveys/stops', '?page=2', undefined],
    ['/embed/projects/bus', '?lng=xx-none', undefined],
    ['/embed/projects/bus', '?lng=cy&lng=en', undefined],
    ['/embed/surveys/0198c1f2-0000-7000-8000-000000000001', '?lng=cy&done=abc', undefined],
    ['/embed/PROJECTS/bus', '', undefined],
    ['/embed', '', undefined],
    ['/projects/bus', '', undefined],
  ])('%s%s is shared but for its form as %s', (path, search, shared) => {
    expect(findFormPath(path, search)).toBe(shared)
  })

  test('is not served to anyone with a cookie that could change it; who a session’s token belongs to is looked up', () => {
    expect(
      hasSharedCookies(['current_language', 'token', 'known_device', '_ga', '_ga_X1', 'ajs_anonymous_id', 'intercom-id-abc'], '/'),
    ).toBe(true)
    for (const name of ['receipt', 'anything', 'current_language2']) expect(hasSharedCookies(['current_language', name], '/')).toBe(false)
  })

  test('is served to a browser that has answered, unless it may show what that browser did', () => {
    for (const path of ['/', '/projects', '/fr-CA/projects/bus', '/moderation'])
      expect(hasSharedCookies(['answers_browser'], path)).toBe(true)
    for (const path of ['/projects/bus/trees', '/cy/projects/bus/trees/7']) expect(hasSharedCookies(['answers_browser'], path)).toBe(false)
  })

  test('differs by site, host name, version, language, consent and path', () => {
    const site = { id: 'a', host: 'a.example' }
    const keys = [
      buildPageKey(site, 'en', '', '/'),
      buildPageKey({ ...site, id: 'b' }, 'en', '', '/'),
      buildPageKey({ ...site, host: 'b.example' }, 'en', '', '/'),
      buildPageKey(site, 'cy', '', '/'),
      buildPageKey(site, 'en', 'granted', '/'),
      buildPageKey(site, 'en', '', '/?page=2'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})
