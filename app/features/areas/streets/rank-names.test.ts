import { describe, expect, test } from 'vitest'
import type { MapName } from './collect-names.server.ts'
import { findNames, indexNames, splitTyped } from './rank-names.server.ts'

const toName = (name: string, more: Partial<MapName> = {}): MapName => ({
  name,
  kind: 'street',
  at: [-74.7, 45],
  box: [-74.71, 44.99, -74.69, 45.01],
  rank: 0,
  ...more,
})
const INDEX = indexNames([
  toName('Rue du Couvent', { names: { en: 'Convent Street' } }),
  toName('Rue de l’Église'),
  toName('Saint-Jean', { kind: 'place', rank: 8 }),
  toName('Rue Saint-Jean'),
  toName('Mill Lane'),
  toName('Old Mill Lane'),
  toName('Millside', { kind: 'place', rank: 5 }),
  toName('Mill Street'),
  toName('Ffordd yr Ŵydd'),
])
const find = (typed: string, language: 'en' | 'fr-CA' | 'cy' = 'en') =>
  findNames(INDEX, splitTyped(typed), language).map(({ name }) => name)

describe('names of a map', () => {
  test('are found without accents, case, apostrophes and hyphens', () => {
    expect(find('rue de l eglise')).toEqual(['Rue de l’Église'])
    expect(find("L'EGLISE")).toEqual(['Rue de l’Église'])
    expect(find('saint jean')).toEqual(['Saint-Jean', 'Rue Saint-Jean'])
    expect(find('wydd')).toEqual(['Ffordd yr Ŵydd'])
  })

  test('are found in each of their languages, and shown in that of the page if it fits', () => {
    expect(find('couvent')).toEqual(['Rue du Couvent'])
    expect(find('convent street')).toEqual(['Convent Street'])
    expect(find('convent', 'fr-CA')).toEqual(['Convent Street'])
  })

  test('come with the whole name first, then its beginning, then a word within; places before streets', () => {
    expect(find('mill lane')).toEqual(['Mill Lane', 'Old Mill Lane'])
    expect(find('mill')).toEqual(['Millside', 'Mill Lane', 'Mill Street', 'Old Mill Lane'])
  })

  test('are found by what people shorten', () => {
    expect(find('mill st')).toEqual(['Mill Street'])
    expect(find('rue st-jean')).toEqual(['Rue Saint-Jean'])
    expect(find('mill ln')).toEqual(['Mill Lane', 'Old Mill Lane'])
  })

  test('are not found by parts of words, by nothing, or by odd letters', () => {
    expect(find('ill lane')).toEqual([])
    for (const typed of ['', '   ', '%', '’', '\u202e', '*()[]']) expect(find(typed)).toEqual([])
  })

  test('of a large town are searched within 10 milliseconds', () => {
    const large = indexNames(Array.from({ length: 30_000 }, (_, at) => toName(`Rue de la Rivière ${at} ${at % 7 ? 'Nord' : 'Sud'}`)))
    findNames(large, ['rue'], 'en')
    // Of the processor: other work on the machine slows the clock on the wall.
    const times = Array.from({ length: 9 }, () => {
      const started = process.threadCpuUsage()
      expect(findNames(large, splitTyped('riviere 299'), 'en').length).toBeGreaterThan(10)
      const { user, system } = process.threadCpuUsage(started)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(10)
  })
})
