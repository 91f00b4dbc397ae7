import { expect, test } from 'vitest'
import { evaluateRule, parseRule, type RuleValue } from './surveyjs-expression.ts'

/** Questions as https://surveyjs.io/form-library/documentation/design-survey/conditional-logic#supported-operators uses them. */
const ANSWERS: Record<string, RuleValue> = {
  q1: 10,
  q2: 'Value1',
  several: ['value1', 'value2'],
  agreed: true,
  text: '15',
  car: { front: 4, rear: 5 },
}
const read = (name: string): RuleValue => {
  const [question = '', part] = name.split('.')
  const value = ANSWERS[question]
  return part === undefined ? value : typeof value === 'object' && value !== null && !Array.isArray(value) ? value[part] : undefined
}

test.each<[string, RuleValue]>([
  ['{none} empty', true],
  ['{q1} notempty', true],
  ['{none} || {q1}', true],
  ['{none} and {q1}', false],
  ['!{agreed}', false],
  ['!{none} empty', false],
  ['{q1} <= 10 && {q1} >= 10', true],
  ['{q1} = 10', true],
  ['{q1} == "10"', true],
  ['{q1} != 10', false],
  ['{q1} <> 11', true],
  ['{q1} > 9.5 and {q1} < 11', true],
  ['{none} > 1 or {none} < 1', false],
  ['{none} != 5', true],
  ['{text} > 9', true],
  // Letters count the same in upper and in lower case.
  ["{q2} = 'value1'", true],
  ["{q2} contains 'lue'", true],
  ["{q2} notcontains 'x'", true],
  ["{several} contains 'value1'", true],
  ["{several} contains ['value1', 'value2']", true],
  ["{several} contains ['value1', 'value3']", false],
  ["{several} = ['value2', 'value1']", true],
  ["{several} = 'value1'", false],
  ["{several} anyof ['value1', 'value3']", true],
  ["{several} allof ['value1', 'value3']", false],
  ["{several} noneof ['value3']", true],
  ["{none} noneof ['value3']", true],
  ["{none} notcontains 'value3'", true],
  ['{several.length} = 2', false],
  ['{agreed} = true', true],
  ["{agreed} = 'true'", true],
  ['{car.rear} - {car.front} = 1', true],
  ['({q1} + {none}) * 2 / 4 = 5', true],
  ["iif({q1} > 5, 'high', 'low') = 'high'", true],
  ['sum({q1}, {text}) = 25', true],
  ['{q2} = Value1 or {q1} = 3 and {q1} = 4', true],
])('%s: %s', (text, expected) => {
  expect(Boolean(evaluateRule(parseRule(text), read))).toBe(expected)
})

test('functions that a program adds are outside of the file', () => {
  expect(() => evaluateRule(parseRule('isMember({q1})'), read)).toThrow('function: isMember')
  expect(() => parseRule('{q1} =< 2')).toThrow('no expression')
})
