import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { getFormatter } from '#app/lib/format.ts'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { CombinedQuestion } from '../questionnaire/check-definition.ts'
import { buildQuestionFigures, type QuestionFigures } from './figures.ts'
import { toPublishableQuestion } from './publishable-figures.ts'
import { sortCells } from './sort-cells.ts'
import { writeFinding } from './write-finding.server.ts'

const wordsOf = (language: Language) => ({
  t: getTranslator(language, 'survey'),
  language,
  format: getFormatter({ language, timeZone: 'America/Toronto', region: 'Canada' }),
  say: (text: Parameters<typeof localiseText>[0]) => localiseText(text, language, 'en'),
})

const inAll = (text: string) => ({ en: text, 'fr-CA': text, cy: text })
const label = (id: string) => ({ id, label: inAll(`Answer ${id}`) })

/** The exact figures of a question from how many people gave each value. */
function count(type: string, counts: Record<string, number>, question: object = {}, people?: number): QuestionFigures {
  const answered = people ?? Object.values(counts).reduce((sum, each) => sum + each, 0)
  const tallies = [
    { question: 'q', value: '', count: answered, total: 0 },
    ...Object.entries(counts).map(([value, given]) => ({ question: 'q', value, count: given, total: given * Number(value) || 0 })),
  ]
  const asked = { id: 'q', type, title: inAll('Asked'), options: Object.keys(counts).map(label), ...question }
  return buildQuestionFigures(asked as unknown as CombinedQuestion, tallies, answered)
}

const say = (figures: QuestionFigures, language: Language = 'en') => writeFinding(wordsOf(language), figures)

describe('one sentence on a question', () => {
  test.each<[Record<string, number>, string]>([
    [{ a: 128, b: 86 }, 'Six in ten chose “Answer a”; 214 people answered.'],
    [{ a: 125, b: 89 }, '58% of people chose “Answer a”; 214 people answered.'],
    [{ a: 110, b: 104 }, 'Just over half chose “Answer a”; 214 people answered.'],
    [{ a: 107, b: 107 }, 'Chosen equally often, by 107 people each: “Answer a”, “Answer b”; 214 people answered.'],
    [{ a: 107, b: 60, c: 47 }, 'Half chose “Answer a”; 214 people answered.'],
    [{ a: 80, b: 74, c: 60 }, '37% of people chose “Answer a”, more than any other answer; 214 people answered.'],
    [{ a: 209, b: 5 }, 'Nearly all chose “Answer a”; 214 people answered.'],
    [{ a: 214 }, 'Everyone chose “Answer a”; 214 people answered.'],
    [{ a: 7, b: 5 }, '7 of 12 people chose “Answer a”.'],
    [{ a: 1 }, '1 of 1 person chose “Answer a”.'],
  ])('says the answer that most gave: %j', (counts, sentence) => {
    expect(say(count('one_choice', counts))).toBe(sentence)
  })

  test.each<[Language, string]>([
    ['fr-CA', '«\u00a0Answer a\u00a0» a été choisi par six personnes sur dix; 214 personnes ont répondu.'],
    ['cy', 'Dewisodd chwech o bob deg “Answer a”; atebodd 214 o bobl.'],
  ])('does so in %s', (language, sentence) => {
    expect(say(count('one_choice', { a: 128, b: 86 }), language)).toBe(sentence)
  })

  test('uses the plural forms of Welsh', () => {
    const ofPeople = (people: number) => say(count('one_choice', { a: people }), 'cy')
    expect(ofPeople(1)).toBe('Dewisodd 1 o 1 person “Answer a”.')
    expect(ofPeople(2)).toBe('Dewisodd 2 o 2 berson “Answer a”.')
    expect(ofPeople(6)).toBe('Dewisodd 6 o 6 o bobl “Answer a”.')
  })

  test('says of scales how many gave the two highest steps, and else the median', () => {
    const scale = { scale: { max: 5 } }
    expect(say(count('rating', { 1: 10, 2: 20, 3: 25, 4: 40, 5: 42 }, scale))).toBe(
      'Six in ten gave 4 or 5 on the scale from 1 to 5; 137 people answered.',
    )
    expect(say(count('rating', { 1: 50, 2: 20, 3: 25, 4: 0, 5: 0 }, scale))).toBe('The median answer is 1; 95 people answered.')
    expect(say(count('number', { 2: 30, 8: 40 }))).toBe('The median answer is about 8; 70 people answered.')
  })

  test('says nothing where nothing can be said', () => {
    expect(say(count('one_choice', {}))).toBeUndefined()
    expect(say(count('one_choice', { a: 9, b: 9, c: 9, d: 9 }))).toBeUndefined()
    expect(say(count('long_text', {}, {}, 40))).toBeUndefined()
    expect(say(toPublishableQuestion(count('one_choice', { a: 2, b: 2 })))).toBeUndefined()
  })
})

/** Which shares a sentence may mean: the words of each language, and the exact bounds that they promise. */
const BOUNDS: Record<string, [from: number, to: number]> = {
  'one-in-ten': [0.085, 0.115],
  'two-in-ten': [0.185, 0.215],
  quarter: [0.24, 0.26],
  'three-in-ten': [0.285, 0.315],
  third: [1 / 3 - 0.01, 1 / 3 + 0.01],
  'four-in-ten': [0.385, 0.415],
  'just-under-half': [0.47, 0.5],
  half: [0.5, 0.5],
  'just-over-half': [0.5, 0.53],
  'six-in-ten': [0.585, 0.615],
  'two-thirds': [2 / 3 - 0.01, 2 / 3 + 0.01],
  'seven-in-ten': [0.685, 0.715],
  'three-quarters': [0.74, 0.76],
  'eight-in-ten': [0.785, 0.815],
  'nine-in-ten': [0.885, 0.915],
  'nearly-all': [0.95, 1],
  everybody: [1, 1],
}

/** What a sentence says of a share; undefined if it has none. */
function readShare(sentence: string, language: Language): [number, number] | undefined {
  const t = getTranslator(language, 'findings')
  const spoken = sentence.replaceAll(/«.*?»|“.*?”/g, '')
  const found = Object.entries(BOUNDS)
    .map(([name, bounds]) => ({ words: t(`shares.${name as 'half'}`), bounds }))
    .toSorted((a, b) => b.words.length - a.words.length)
    .find(({ words }) => spoken.includes(words))
  if (found) return found.bounds
  const [, percent] = /(\d+)\s?%/.exec(spoken) ?? []
  return percent === undefined ? undefined : [Number(percent) / 100 - 0.005, Number(percent) / 100 + 0.005]
}

const readLabels = (sentence: string): string[] => [...sentence.matchAll(/(?:“|«\s)Answer (\w)(?:”|\s»)/g)].map(([, id]) => id ?? '')

const MORE_THAN_ANY = /more than any other|plus que toute autre|mwy nag unrhyw/
const someCounts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.oneof(fc.nat(12), fc.nat(300)), { minKeys: 1 })

describe.each(LANGUAGES)('a sentence in %s, whatever the figures', (language) => {
  it('is true, and names no hidden count', () => {
    fc.assert(
      fc.property(someCounts, fc.boolean(), fc.boolean(), (counts, isSeveral, isPublic) => {
        const sum = Object.values(counts).reduce((all, each) => all + each, 0)
        const most = Math.max(...Object.values(counts))
        const people = isSeveral ? Math.max(most, Math.ceil(sum * 0.8)) : sum
        const exact = count(isSeveral ? 'several_choices' : 'one_choice', counts, {}, people)
        const figures = isPublic ? toPublishableQuestion(exact) : exact
        const sentence = say(figures, language)
        if (sentence === undefined) return
        const named = readLabels(sentence)
        expect(named.length).toBeGreaterThan(0)
        for (const id of named) expect(figures.cells.find(({ value }) => value === id)?.count).not.toBeNull()
        const given = named.map((id) => counts[id] ?? 0)
        expect(new Set(given).size).toBe(1)
        const share = readShare(sentence, language)
        const exactShare = (given[0] ?? 0) / people
        if (share && named.length === 1) {
          expect(people).toBeGreaterThanOrEqual(30)
          expect(exactShare).toBeGreaterThanOrEqual(share[0] - 1e-9)
          expect(exactShare).toBeLessThanOrEqual(share[1] + 1e-9)
        } else expect(sentence).toContain(wordsOf(language).format.number(given[0] ?? 0))
        if (MORE_THAN_ANY.test(sentence))
          for (const [id, other] of Object.entries(counts)) if (id !== named[0]) expect(other).toBeLessThan(given[0] ?? 0)
      }),
      { numRuns: 400 },
    )
  })

  it('is the same for figures that look the same', () => {
    fc.assert(
      fc.property(someCounts, (counts) => {
        const figures = toPublishableQuestion(count('one_choice', counts))
        const hidden = figures.cells.filter((cell) => cell.count === null).map(({ value }) => value)
        if (hidden.length < 2) return
        // The same people among the hidden answers, the other way round.
        const turned = Object.fromEntries(hidden.map((id, at) => [id, counts[hidden.at(-1 - at) ?? ''] ?? 0]))
        const other = toPublishableQuestion(count('one_choice', { ...counts, ...turned }))
        // With two equally small ones to protect it, another may be chosen.
        fc.pre(JSON.stringify(other.cells) === JSON.stringify(figures.cells))
        expect(say(other, language)).toBe(say(figures, language))
      }),
    )
  })

  it('is true of the two highest steps', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 5, maxLength: 5 }), (steps) => {
        const counts = Object.fromEntries(steps.map((given, at) => [String(at + 1), given]))
        const people = steps.reduce((sum, each) => sum + each, 0)
        const sentence = say(count('rating', counts, { scale: { max: 5 } }), language)
        const share = sentence === undefined ? undefined : readShare(sentence, language)
        if (!share) return
        const top = ((steps[3] ?? 0) + (steps[4] ?? 0)) / people
        expect(top).toBeGreaterThanOrEqual(share[0] - 1e-9)
        expect(top).toBeLessThanOrEqual(share[1] + 1e-9)
      }),
    )
  })
})

describe('the order in which answers are shown', () => {
  const orderOf = (figures: QuestionFigures) => sortCells(figures).map(({ value }) => value)

  test('begins with the largest where the order has no meaning, and ends with what is hidden, in the order of the question', () => {
    expect(orderOf(count('one_choice', { a: 10, b: 40, c: 20 }))).toEqual(['b', 'c', 'a'])
    expect(orderOf(count('several_choices', { a: 10, b: 40, c: 10 }))).toEqual(['b', 'a', 'c'])
    expect(orderOf(toPublishableQuestion(count('one_choice', { a: 2, b: 40, c: 20, d: 4 })))).toEqual(['b', 'c', 'a', 'd'])
  })

  test.each([
    ['scales', 'rating', { scale: { max: 3 } }, { 1: 10, 2: 40, 3: 20 }],
    ['yes and no', 'yes_no', {}, { yes: 10, no: 40 }],
    ['questions about people', 'demographic', {}, { a: 10, b: 40 }],
    ['lists that are marked as ordered', 'one_choice', { ordered: true }, { a: 10, b: 40 }],
    [
      'ranges and years',
      'one_choice',
      {
        options: [
          ['a', 'Under 18'],
          ['b', '18 to 34'],
          ['c', '1,000 or more'],
          ['d', 'I would rather not say'],
        ].map(([id, text]) => ({ id, label: inAll(text ?? '') })),
      },
      { a: 10, b: 40, c: 20, d: 30 },
    ],
  ])('stays as it is for %s', (_, type, question, counts) => {
    expect(orderOf(count(type, counts as Record<string, number>, question))).toEqual(Object.keys(counts))
  })

  test('is that of the counts for numbers in no order, and where each person saw another order', () => {
    const years = ['2019', '2003', '2011'].map((year, at) => ({ id: 'abc'[at] ?? '', label: inAll(year) }))
    expect(orderOf(count('one_choice', { a: 10, b: 40, c: 20 }, { options: years }))).toEqual(['b', 'c', 'a'])
    const risen = ['2003', '2011', '2019'].map((year, at) => ({ id: 'abc'[at] ?? '', label: inAll(year) }))
    expect(orderOf(count('one_choice', { a: 10, b: 40, c: 20 }, { options: risen, shuffle: true }))).toEqual(['b', 'c', 'a'])
  })
})
