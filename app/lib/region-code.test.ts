import { expect, it } from 'vitest'
import { toRegionCode } from './region-code.ts'

it.each([
  ['Australia', 'AU'],
  ['Sydney', 'AU'],
  ['New Zealand', 'AU'],
  ['Canada', 'CA'],
  ['United Kingdom', 'UK'],
  ['United States', 'US'],
  ['European Union', 'EU'],
  ['Ireland', 'I'],
  ['South  Africa ', 'SA'],
  ['new south wales', 'NSW'],
  ['Timor-Leste', 'TL'],
  ['Île-de-France', 'ÎDF'],
  ['', ''],
])('the code of %j is %j', (region, code) => {
  expect(toRegionCode(region)).toBe(code)
})
