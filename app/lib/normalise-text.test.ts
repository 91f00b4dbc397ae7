import { expect, test } from 'vitest'
import { normaliseText } from './normalise-text.ts'

test('strips French and Welsh accents', () => {
  expect(normaliseText('Élargir la chaussée à Québec, dès Noël')).toBe('elargir la chaussee a quebec, des noel')
  expect(normaliseText('Tŷ, dŵr, gŵyl, ffŷn, Ŵ Ŷ')).toBe('ty, dwr, gwyl, ffyn, w y')
})

test('treats composed and decomposed letters alike', () => {
  expect(normaliseText('e\u0301te\u0301')).toBe(normaliseText('été'))
})

test('turns ligatures and curly apostrophes into what people type', () => {
  expect(normaliseText('Cœur de l’île')).toBe("coeur de l'ile")
})

test('collapses spaces, including non-breaking ones', () => {
  expect(normaliseText('  one\n\n two\u00a0three ')).toBe('one two three')
})
