import { expect, test } from 'vitest'
import type { Question } from '../surveys.schema.ts'
import { checkPostcodes } from './check-postcodes.server.ts'

const home: Question = { id: 'home', type: 'address', title: { en: 'Where do you live?' }, ask: 'postcode' }
const isAccepted = (region: string, postcode: string) => checkPostcodes(region, [home], { home: { address: { postcode } } }).length === 0

test.each([
  ['United Kingdom', ['CF10 3AT', 'CF103AT', 'SW1A 1AA', 'M1 1AE', 'W1T 1JY'], ['12345', 'K1A 0B1', 'CF10', '2000']],
  ['Canada', ['K1A 0B1', 'K1A0B1', 'M5V-3L9'], ['K1A', 'D1A 0B1', '90210', 'CF10 3AT']],
  ['Sydney', ['2000', '0800'], ['200', '20000', 'K1A 0B1']],
  ['New Zealand', ['6011', '0110'], ['601', 'CF10 3AT']],
  ['United States', ['90210', '90210-1234'], ['9021', 'K1A 0B1']],
])('a postcode of %s is one that the country has', (region, right, wrong) => {
  for (const postcode of right) expect([postcode, isAccepted(region, postcode)]).toEqual([postcode, true])
  for (const postcode of wrong) expect([postcode, isAccepted(region, postcode)]).toEqual([postcode, false])
})

test('elsewhere any postcode is accepted, and answers without one never fail', () => {
  expect(isAccepted('Norway', '0150')).toBe(true)
  expect(checkPostcodes('Canada', [home], {})).toEqual([])
  expect(checkPostcodes('Canada', [home], { home: { address: { street: '1 Main Street' } } })).toEqual([])
})

test('the fault points at the postcode of its question', () => {
  expect(checkPostcodes('Canada', [home], { home: { address: { postcode: '90210' } } })).toEqual([
    { code: 'wrong-format', pointer: '/home/postcode' },
  ])
})
