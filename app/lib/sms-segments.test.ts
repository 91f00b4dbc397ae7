import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replaceCostlyCharacters, measureSegments, withPlainMarks } from './sms-segments.ts'

describe('how many segments a text has', () => {
  test.each([
    ['a'.repeat(160), 'gsm-7', 1, 0],
    ['a'.repeat(161), 'gsm-7', 2, 145],
    ['a'.repeat(306), 'gsm-7', 2, 0],
    ['a'.repeat(307), 'gsm-7', 3, 152],
    ['ŵ'.repeat(70), 'ucs-2', 1, 0],
    ['ŵ'.repeat(71), 'ucs-2', 2, 63],
    ['ŵ'.repeat(134), 'ucs-2', 2, 0],
    ['', 'gsm-7', 1, 160],
    ['€'.repeat(80), 'gsm-7', 1, 0],
    ['€'.repeat(81), 'gsm-7', 2, 143],
    ['😀'.repeat(35), 'ucs-2', 1, 0],
    ['😀'.repeat(36), 'ucs-2', 2, 61],
  ] as const)('%j', (text, encoding, segments, free) => expect(measureSegments(text)).toMatchObject({ encoding, segments, free }))

  test('a two-place character is not split: the place before it stays empty', () => {
    expect(measureSegments(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toMatchObject({ places: 306, segments: 3 })
    expect(measureSegments(`${'ŵ'.repeat(66)}😀${'ŵ'.repeat(66)}`)).toMatchObject({ places: 134, segments: 3 })
  })

  test('é, è, à, ù and Ç cost nothing extra; ê, ç, ŵ, ŷ and a curly quote do, and are listed', () => {
    expect(measureSegments('éèàùÇÉ ñ ß').costly).toEqual([])
    expect(measureSegments('Forêt, leçon, dŵr, tŷ, l’eau, forêt').costly).toEqual(['ê', 'ç', 'ŵ', 'ŷ', '’'])
  })

  test('replaces costly characters that have a similar letter and keeps those that have none', () => {
    expect(replaceCostlyCharacters('La forêt « verte » – œuvre d’art… tŷ 😀')).toBe('La foret " verte " - oeuvre d\'art... ty 😀')
    expect(measureSegments(replaceCostlyCharacters('Ça grêle, dŵr')).encoding).toBe('gsm-7')
  })

  test('replaces quotes only if that saves a segment, and never changes a word', () => {
    const code = '123456 yw eich cod ar gyfer Dyffryn. Mae’n gweithio am 10 munud. Ni fydd neb o Dyffryn byth yn gofyn i chi amdano.'
    expect(measureSegments(code).segments).toBe(2)
    expect(withPlainMarks(code)).toBe(code.replace('’', "'"))
    expect(measureSegments(withPlainMarks(code)).segments).toBe(1)
    expect(withPlainMarks('L’été')).toBe('L’été')
    expect(withPlainMarks(`Mae’n dŷ ${'a'.repeat(80)}`)).toContain('Mae’n dŷ')
  })

  test('for any text: the segments have room for it and none is spare; a longer text never needs fewer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.string({ unit: 'grapheme', maxLength: 20 }), (text, more) => {
        const { encoding, segments, places, free } = measureSegments(text)
        const [alone, joined] = encoding === 'gsm-7' ? [160, 153] : [70, 67]
        expect(free).toBeGreaterThanOrEqual(0)
        if (segments === 1) expect(places + free).toBe(alone)
        else {
          expect(places).toBeGreaterThan(alone)
          expect(segments * joined).toBeGreaterThanOrEqual(places + free)
          // Every segment but the last may lose at most one place.
          expect(segments * joined - places - free).toBeLessThan(segments)
        }
        expect(measureSegments(text + more).segments).toBeGreaterThanOrEqual(segments)
      }),
    )
  })

  test('for any text: it is GSM-7 exactly if no character is costly, and replacing costly characters adds none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { encoding, costly } = measureSegments(text)
        expect(encoding === 'gsm-7').toBe(costly.length === 0)
        expect(costly).toEqual(expect.arrayContaining(measureSegments(replaceCostlyCharacters(text)).costly))
      }),
    )
  })
})
