import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkPlain } from './check-plain.ts'
import { DEFAULT_JARGON } from './default-jargon.ts'
import { findJargon } from './find-jargon.ts'
import { PLAIN_CODES, type PlainChoices, type PlainCode } from './plain-passage.ts'

const LANGUAGES = ['en', 'fr-CA', 'cy'] as const
type TestedLanguage = (typeof LANGUAGES)[number]

interface Sample {
  expected: PlainCode | 'good'
  text: string
  found: readonly PlainCode[]
}

/** The questions of a language with what is found in them. `questions/README.md` has the format. */
const readSamples = (language: TestedLanguage): Sample[] =>
  readFileSync(new URL(`questions/${language}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [expected, type, text = '', options = ''] = line.split(' | ')
      const choices = { field: 'options', labels: options.split('; ').filter(Boolean) }
      const question = { field: 'title', text, isQuestion: true, ...((type === 'one' || type === 'several') && { choices }) }
      const found = checkPlain([question], language, DEFAULT_JARGON[language] ?? [])
      return { expected: expected as Sample['expected'], text, found: found.map(({ code }) => code) }
    })

const SAMPLES = Object.fromEntries(LANGUAGES.map((language) => [language, readSamples(language)])) as Record<TestedLanguage, Sample[]>
const listSamples = (language: TestedLanguage, expected: Sample['expected']) =>
  SAMPLES[language].filter((sample) => sample.expected === expected)
const listMissed = (language: TestedLanguage, code: PlainCode) => listSamples(language, code).filter(({ found }) => !found.includes(code))
const countFalseAlarms = (language: TestedLanguage) => listSamples(language, 'good').filter(({ found }) => found.length > 0).length

describe.each(LANGUAGES)('the questions in %s', (language) => {
  test('are sixty good ones and sixty bad ones', () => {
    expect(listSamples(language, 'good')).toHaveLength(60)
    expect(PLAIN_CODES.flatMap((code) => listSamples(language, code))).toHaveLength(60)
    expect(new Set(SAMPLES[language].map(({ text, expected }) => `${expected} ${text}`)).size).toBe(120)
  })

  test('at least 57 of the bad ones are found, and 9 of the 10 of each kind', () => {
    expect(PLAIN_CODES.flatMap((code) => listMissed(language, code)).length).toBeLessThanOrEqual(3)
    for (const code of PLAIN_CODES) expect(listMissed(language, code).length, code).toBeLessThanOrEqual(1)
  })

  test('at most 3 of the good ones are reported', () => {
    expect(countFalseAlarms(language)).toBeLessThanOrEqual(3)
  })
})

test('the rates of false alarms in the three languages differ by at most five points', () => {
  const rates = LANGUAGES.map((language) => (countFalseAlarms(language) / 60) * 100)
  expect(Math.max(...rates) - Math.min(...rates)).toBeLessThanOrEqual(5)
})

test('a long sentence is named with its number of words, wherever it stands', () => {
  const long = `The council ${'really '.repeat(24)}listens.`
  expect(checkPlain([{ field: 'body', text: `## Short\n\nShort. ${long}\n\n- Short` }], 'en', [])).toEqual([
    { code: 'long-sentence', field: 'body', quote: long, count: 27 },
  ])
})

test('words of the list are found in the plural, without accents and mutated, but not inside other words', () => {
  expect(findJargon('Our STAKEHOLDERS met', 'en', ['stakeholder', 'take'])).toEqual(['stakeholder'])
  expect(findJargon('les parties prenantes', 'fr-CA', ['partie prenante'])).toEqual(['partie prenante'])
  expect(findJargon('barn ar deithio llesol', 'cy', ['teithio llesol'])).toEqual(['teithio llesol'])
})

describe('choices', () => {
  const check = (choices: Omit<PlainChoices, 'field'>) =>
    checkPlain([{ field: 'title', text: 'Which?', isQuestion: true, choices: { field: 'options', ...choices } }], 'en', [])

  test('an unbalanced scale is named with the options on each side', () => {
    expect(check({ labels: ['Very good', 'Good', 'Fairly good', 'Poor'] })).toEqual([
      { code: 'unbalanced', field: 'options', quote: 'Very good · Good · Fairly good · Poor', count: 3, against: 1 },
    ])
  })

  test('nobody is asked to add “None of these” to a scale, or if people can write or leave out an answer', () => {
    expect(check({ labels: ['Red', 'Green'] }).map(({ code }) => code)).toEqual(['missing-none'])
    expect(check({ labels: ['Red', 'Green'], hasOther: true })).toEqual([])
    expect(check({ labels: ['1', '2', '3'], isScale: true })).toEqual([])
  })

  test('options that are not written yet say nothing', () => {
    expect(check({ labels: ['', ''] })).toEqual([])
    expect(check({ labels: ['Red', ''] })).toEqual([])
  })
})

test('texts that ask nothing are not checked for how they ask', () => {
  expect(checkPlain([{ field: 'body', text: 'Don’t you agree? Should we dig and fill?' }], 'en', [])).toEqual([])
})
