import { expect, test } from 'vitest'
import { alterToken } from '#tests/support/alter-token.ts'
import { resealSecret, sealSecret, unsealSecret } from './seal.ts'

const KEY = 'a key of the installation, long enough'
const PLACE = 'city-connectors/1/token'

test('a sealed text opens with the same key for the same place and reveals nothing', () => {
  const sealed = sealSecret(KEY, PLACE, 'jeton secret')
  expect(sealed).toMatch(/^v2\.[0-9a-f]{12}\.[\w-]+$/)
  expect(sealed).not.toContain('jeton')
  expect(sealSecret(KEY, PLACE, 'jeton secret')).not.toBe(sealed)
  expect(unsealSecret(KEY, PLACE, sealed)).toBe('jeton secret')
})

test('it does not open with another key, in another place or after a change', () => {
  const sealed = sealSecret(KEY, PLACE, 'jeton secret')
  expect(unsealSecret('another key of another installation', PLACE, sealed)).toBeUndefined()
  expect(unsealSecret(KEY, 'city-connectors/2/token', sealed)).toBeUndefined()
  expect(unsealSecret(KEY, PLACE, alterToken(sealed))).toBeUndefined()
  expect(unsealSecret(KEY, PLACE, sealed.replace('v2', 'v9'))).toBeUndefined()
  expect(unsealSecret(KEY, PLACE, 'nonsense')).toBeUndefined()
})

test('text sealed by the first version, without a key name, still opens', () => {
  const sealed = 'v1.' + (sealSecret(KEY, PLACE, 'jeton secret').split('.')[2] ?? '')
  expect(unsealSecret(['a newer key of the installation', KEY], PLACE, sealed)).toBe('jeton secret')
  expect(resealSecret([KEY], PLACE, sealed)).toMatch(/^v2\./)
})
