import { expect, test } from 'vitest'
import { isRelevant, type NameReader, parseFormula } from './expression-manager.ts'

/** Names as https://www.limesurvey.org/manual/ExpressionScript_-_Presentation and its page of examples use them. */
const VALUES: Record<string, string> = { name: 'Ana', age: '38', numKids: '2', kids_A1: 'Y', kids_A2: '', blank: '', city: '', hidden: '5' }

const READER: NameReader = {
  read: (name) => (name.startsWith('hidden') ? '' : (VALUES[name.replace(/\.NAOK$/, '')] ?? '')),
  expand: (name) => (name === 'that.kids.NAOK' ? ['kids_A1.NAOK', 'kids_A2.NAOK'] : [name]),
  isShown: (name) => !name.startsWith('hidden'),
}

test.each([
  ['age >= 18 && age < 65', true],
  ['age ge 18 and age lt 65', true],
  ['!is_empty(name) and numKids > 0', true],
  ['! is_empty(name)', true],
  ['name == "Ana" or city == "Rome"', true],
  ['name eq "ana"', false],
  ['(age - 8) * 2 / 3 == 20', true],
  ['1 + 2 * 3 == 7', true],
  ['if(numKids == 1, "child", "children") == "children"', true],
  ['count(kids_A1.NAOK, kids_A2.NAOK) == 1', true],
  ['count(that.kids.NAOK) > 1', false],
  ['countif("Y", kids_A1, kids_A2) == 1', true],
  ['sum(age, numKids, blank) == 40', true],
  ['strlen(name) == 3 and strtoupper(name) == "ANA"', true],
  ['max(age, numKids) == 38 and min(age, numKids) == 2', true],
  ['round(7 / 2) == 4 and floor(7 / 2) == 3', true],
  // What is chosen is "Y", and not 1.
  ['kids_A1 != 1', true],
  ['kids_A1.NAOK == "Y"', true],
  ['kids_A2.NAOK == ""', true],
  // A number and a text do not compare, so nothing is neither more nor less than a number.
  ['blank > 10', false],
  ['blank < 10', false],
  ['blank == 0', false],
  ['numKids', true],
  ['blank', false],
  ['"0"', false],
  // "!" binds closer than a comparison.
  ['!blank == 1', true],
])('%s: %s', (text, expected) => {
  expect(isRelevant(parseFormula(text), READER)).toBe(expected)
})

test('a hidden question makes a whole equation false, unless its name ends with .NAOK', () => {
  expect(isRelevant(parseFormula('hidden != 5 or age > 1'), READER)).toBe(false)
  expect(isRelevant(parseFormula('hidden.NAOK != 5 or age > 1'), READER)).toBe(true)
})

test('what versions differ in, and what is not known, is not judged', () => {
  expect(() => isRelevant(parseFormula('age > "4"'), READER)).toThrow('a number in quotes')
  expect(() => isRelevant(parseFormula('regexMatch("/a/", name)'), READER)).toThrow('function: regexMatch')
  expect(() => parseFormula('age = 4')).toThrow('no expression')
})
