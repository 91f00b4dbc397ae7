import { expect, test } from 'vitest'
import { foldText } from './fold.ts'

test('French and Welsh accents are stripped', () => {
  expect(foldText('Élargir la chaussée à Québec, dès Noël')).toBe('elargir la chaussee a quebec, des noel')
  expect(foldText('Tŷ, dŵr, gŵyl, ffŷn, Ŵ Ŷ')).toBe('ty, dwr, gwyl, ffyn, w y')
})

test('composed and decomposed letters fold alike', () => {
  expect(foldText('e\u0301te\u0301')).toBe(foldText('été'))
})

test('ligatures and curly apostrophes become what people type', () => {
  expect(foldText('Cœur de l’île')).toBe("coeur de l'ile")
})

test('spaces collapse, non-breaking ones included', () => {
  expect(foldText('  one\n\n two\u00a0three ')).toBe('one two three')
})
