import { expect, test } from 'vitest'
import { reseal, seal, unseal } from './seal.ts'

const KEY = 'a key of the installation, long enough'
const PLACE = 'city-connectors/1/token'

test('what was sealed opens with the same key for the same place, and shows nothing of itself', () => {
  const sealed = seal(KEY, PLACE, 'jeton secret')
  expect(sealed).toMatch(/^v2\.[0-9a-f]{12}\.[\w-]+$/)
  expect(sealed).not.toContain('jeton')
  expect(seal(KEY, PLACE, 'jeton secret')).not.toBe(sealed)
  expect(unseal(KEY, PLACE, sealed)).toBe('jeton secret')
})

test('it opens neither with another key, nor elsewhere, nor once changed', () => {
  const sealed = seal(KEY, PLACE, 'jeton secret')
  expect(unseal('another key of another installation', PLACE, sealed)).toBeUndefined()
  expect(unseal(KEY, 'city-connectors/2/token', sealed)).toBeUndefined()
  expect(unseal(KEY, PLACE, `${sealed.slice(0, -2)}AA`)).toBeUndefined()
  expect(unseal(KEY, PLACE, sealed.replace('v2', 'v9'))).toBeUndefined()
  expect(unseal(KEY, PLACE, 'nonsense')).toBeUndefined()
})

test('what the first version sealed, without the name of its key, still opens', () => {
  const sealed = 'v1.' + (seal(KEY, PLACE, 'jeton secret').split('.')[2] ?? '')
  expect(unseal(['a newer key of the installation', KEY], PLACE, sealed)).toBe('jeton secret')
  expect(reseal([KEY], PLACE, sealed)).toMatch(/^v2\./)
})
