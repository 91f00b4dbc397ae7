import { expect, test } from 'vitest'
import { normaliseText } from './normalise-text.ts'

test('French and Welsh accents are stripped', () => {
  expect(normaliseText('Élargir la chaussée à Québec, dès Noël')).toBe('elargir la chaussee a quebec, des noel')
  expect(normaliseText('Tŷ, dŵr, gŵyl, ffŷn, Ŵ Ŷ')).toBe('ty, dwr, gwyl, ffyn, w y')
})

test('composed and decomposed letters fold alike', () => {
  expect(normaliseText('e\u0301te\u0301')).toBe(normaliseText('été'))
})

test('ligatures and curly apostrophes become what people type', () => {
  expect(normaliseText('Cœur de l’île')).toBe("coeur de l'ile")
})

test('spaces collapse, non-breaking ones included', () => {
  expect(normaliseText('  one\n\n two\u00a0three ')).toBe('one two three')
})
