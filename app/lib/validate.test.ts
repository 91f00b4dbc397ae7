import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { isAppError } from './app-error.ts'
import { groupFaultsByField, requireValid, validateInput } from './validate.ts'

const person = v.strictObject({
  email: v.pipe(v.string(), v.nonEmpty(), v.email(), v.maxLength(20)),
  age: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16))),
  colour: v.optional(v.picklist(['red', 'blue'])),
  born: v.optional(v.pipe(v.string(), v.isoDate())),
  tags: v.optional(v.pipe(v.array(v.string()), v.maxLength(2))),
  'a/b~c': v.optional(v.string()),
})

const faultsOf = (schema: v.GenericSchema, input: unknown, at?: string) => {
  const result = validateInput(schema, input, { at })
  return result.ok ? [] : result.faults.map(({ code, pointer, values }) => ({ code, pointer, ...(values ? { values } : {}) }))
}

describe('validateInput', () => {
  it('returns the parsed input', () => {
    expect(validateInput(v.object({ name: v.pipe(v.string(), v.trim()) }), { name: ' Ana ' })).toEqual({
      ok: true,
      output: { name: 'Ana' },
    })
  })

  it('reports every fault at once, each with its pointer', () => {
    expect(faultsOf(person, { age: 3, colour: 'green', born: 'soon', tags: ['a', 'b', 'c'] }, '/data/attributes')).toEqual([
      { code: 'required', pointer: '/data/attributes/email' },
      { code: 'out-of-range', pointer: '/data/attributes/age', values: { min: 16 } },
      { code: 'not-a-choice', pointer: '/data/attributes/colour' },
      { code: 'not-a-date', pointer: '/data/attributes/born' },
      { code: 'too-many', pointer: '/data/attributes/tags', values: { max: 2 } },
    ])
  })

  it('reports an empty or null required text as required, not as malformed', () => {
    expect(faultsOf(person, { email: '' })).toEqual([{ code: 'required', pointer: '/email' }])
    expect(faultsOf(person, { email: null })).toEqual([{ code: 'required', pointer: '/email' }])
  })

  it('returns limits as values for the translated sentence', () => {
    expect(faultsOf(person, { email: 'a-very-long-address@example.org' })).toEqual([
      { code: 'too-long', pointer: '/email', values: { max: 20 } },
    ])
  })

  it.each([
    ['a text for a number', { age: 'old' }, 'not-a-number', '/age'],
    ['half a year', { age: 16.5 }, 'not-a-number', '/age'],
    ['a number for a list', { tags: 3 }, 'wrong-type', '/tags'],
    ['a number within a list', { tags: ['a', 3] }, 'wrong-type', '/tags/1'],
    ['an address that is none', { email: 'nobody' }, 'not-an-email', '/email'],
    ['a key nobody declared', { shoe: 44 }, 'unknown-attribute', '/shoe'],
    ['a key that needs escaping', { 'a/b~c': 1 }, 'wrong-type', '/a~1b~0c'],
  ])('%s', (_name, input, code, pointer) => {
    expect(faultsOf(person, { email: 'a@example.org', ...input })).toEqual([{ code, pointer }])
  })

  it('accepts a code of the catalogue as an action’s message', () => {
    const dates = v.pipe(
      v.object({ from: v.number(), to: v.number() }),
      v.forward(
        v.check(({ from, to }) => from < to, 'dates-out-of-order'),
        ['to'],
      ),
    )
    expect(faultsOf(dates, { from: 2, to: 1 })).toEqual([{ code: 'dates-out-of-order', pointer: '/to' }])
  })

  it('reports a union by the faults inside its nearest alternative', () => {
    const shape = v.union([v.string(), v.object({ lat: v.number() })])
    expect(faultsOf(v.object({ place: shape }), { place: { lat: 'north' } })).toEqual([{ code: 'not-a-number', pointer: '/place/lat' }])
    expect(faultsOf(v.object({ place: shape }), { place: 3 })).toEqual([{ code: 'wrong-type', pointer: '/place' }])
    expect(faultsOf(v.union([v.literal('a'), v.literal('b')]), 'c')).toEqual([{ code: 'not-a-choice', pointer: '' }])
  })

  it('stops at a hundred faults', () => {
    expect(
      faultsOf(
        v.array(v.string()),
        Array.from({ length: 5000 }, () => 1),
      ),
    ).toHaveLength(100)
  })
})

describe('requireValid', () => {
  it('throws one AppError with every fault', () => {
    let thrown: unknown
    try {
      requireValid(person, { email: 'x', age: 'y' })
    } catch (error) {
      thrown = error
    }
    expect(isAppError(thrown, 'invalid') && thrown.faults.map((fault) => fault.code)).toEqual(['not-an-email', 'not-a-number'])
  })
})

describe('groupFaultsByField', () => {
  it('finds a form’s field from the pointer of a form or of an API document', () => {
    expect(
      groupFaultsByField([
        { code: 'required', pointer: '/data/attributes/email' },
        { code: 'too-long', pointer: '/data/attributes/email' },
        { code: 'wrong-type', pointer: '/title/fr-CA' },
        { code: 'not-found', pointer: '/data/relationships/hub/data' },
        { code: 'unknown-parameter', parameter: 'x' },
      ]),
    ).toEqual({
      email: { code: 'required', pointer: '/data/attributes/email' },
      'title.fr-CA': { code: 'wrong-type', pointer: '/title/fr-CA' },
      hub: { code: 'not-found', pointer: '/data/relationships/hub/data' },
    })
  })
})
