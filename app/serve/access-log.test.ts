import { expect, test } from 'vitest'
import { listRoutePaths } from '#tests/support/every-endpoint.ts'
import { apiResources } from '#app/root/api-resources.ts'
import { publicPath } from './access-log.ts'
import { createSegmentCheck } from './path-segments.ts'

const isPathWord = createSegmentCheck(apiResources)
const ID = '0190a1b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b'

test.each([
  ['/', '/'],
  ['/projects/my-private-words', '/projects/…'],
  ['/fr-CA/projects/words/surveys/words', '/fr-CA/projects/…/surveys/…'],
  [`/api/v2/responses/${ID}`, `/api/v2/responses/${ID}`],
  ['/api/v2/responses/words/relationships/survey', '/api/v2/responses/…/relationships/survey'],
  ['/words', '/…'],
  ['/unfollow/Zk3vQ8mN2pR7tY5w', '/unfollow/…'],
])('%s is logged as %s', (path, logged) => {
  expect(publicPath(path, isPathWord)).toBe(logged)
})

test('every path segment shared by all sites is known', () => {
  const parts = new Set(listRoutePaths().flatMap((path) => path.split('/').filter((part) => part && !part.includes('$'))))
  expect(parts.size).toBeGreaterThan(80)
  expect([...parts].filter((part) => publicPath(`/${part}`, isPathWord) !== `/${part}`)).toEqual([])
})
