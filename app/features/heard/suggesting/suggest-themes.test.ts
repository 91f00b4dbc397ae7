import { describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { createRandom } from '#app/lib/random.ts'
import { findRadicals, stemWord } from './stem-words.ts'
import { suggestThemes } from './suggest-themes.ts'

const SHADE = [
  'More shade at the bus stop in July',
  'There is no shade, the bus stop is in the sun',
  'Shade please, and shelter at the bus stop',
]
const RAMP = [
  'The ramp at Mill Lane is too steep for a wheelchair',
  'My wheelchair cannot use the ramp',
  'Steep ramps stop every wheelchair',
]
const SCHOOL = ['Keep the school gate for the children', 'The school gate must stay, children use it', 'Children crowd at the school gate']
const SAID = [SHADE, RAMP, SCHOOL]

function makeTexts(count: number): string[] {
  const random = createRandom('texts')
  const endings = ['Really.', 'Number nine.', 'Again and again.', 'Today.', 'Often!']
  return Array.from({ length: count }, () => `${random.pick(random.pick(SAID))}. ${random.pick(endings)}`)
}

/** What a suggestion says whatever the places of its texts are. */
const describeAll = async (texts: readonly string[], language: Language = 'en') =>
  (await suggestThemes(texts, { language })).map(({ passages, ...rest }) => ({
    ...rest,
    passages: passages.map(({ text, ...place }) => ({ ...place, text: texts[text] })),
  }))

describe('suggestions', () => {
  test('group what people say, and are named by the words they share', async () => {
    const texts = makeTexts(60)
    const found = await suggestThemes(texts, { language: 'en' })
    const labels = found.map(({ label }) => label.join(', ')).join(' | ')
    for (const words of ['shade', 'wheelchair', 'school gate']) expect(labels).toContain(words)
    // No group mixes them.
    for (const { passages } of found) {
      const kinds = passages.map(({ text }) => SAID.findIndex((kind) => kind.some((said) => texts[text]?.startsWith(said))))
      expect(new Set(kinds).size).toBe(1)
    }
  })

  test('are the same each time, in whatever order the texts come', async () => {
    const texts = makeTexts(500)
    const found = await describeAll(texts)
    expect(found.length).toBeGreaterThan(2)
    expect(await describeAll(texts)).toEqual(found)
    for (const seed of ['one', 'two', 'three']) expect(await describeAll(createRandom(seed).shuffle(texts))).toEqual(found)
  })

  test('show the sentence that says it, and the whole text if it is one sentence', async () => {
    const long = 'We moved here in spring 🌳. There is no shade at the bus stop. My name is of no importance.'
    const texts = [...makeTexts(40).map((text) => text.split('.')[0] ?? ''), long]
    const passages = (await suggestThemes(texts, { language: 'en' })).flatMap((group) => group.passages)
    const shown = passages.find(({ text }) => text === texts.length - 1)
    expect(Array.from(long).slice(shown?.start, shown?.end).join('')).toBe('There is no shade at the bus stop.')
    expect(passages.filter(({ text }) => text < 40).every(({ start, end }) => start === 0 && end === 0)).toBe(true)
  })

  test('a phrase stands for its words, and a label repeats neither', async () => {
    const labels = (await suggestThemes(makeTexts(90), { language: 'en' })).map(({ label }) => label)
    const ofSchool = labels.find((label) => label.includes('school gate'))
    expect(ofSchool).toBeDefined()
    expect(ofSchool).not.toContain('school')
    expect(ofSchool).not.toContain('gate')
  })

  test('say how far they are, and end where they are stopped', async () => {
    const shares: number[] = []
    const stopped = new Error('stopped')
    const onProgress = async (share: number) => {
      shares.push(share)
      if (shares.length === 3) throw stopped
    }
    await expect(suggestThemes(makeTexts(60), { language: 'en', onProgress })).rejects.toBe(stopped)
    expect(shares).toHaveLength(3)
    expect(shares.toSorted((a, b) => a - b)).toEqual(shares)
    const all: number[] = []
    await suggestThemes(makeTexts(60), { language: 'en', onProgress: async (share) => void all.push(share) })
    expect(Math.max(...all)).toBeLessThanOrEqual(1)
  })

  test.each([
    ['nothing', []],
    ['one text', ['More shade at the bus stop']],
    ['two texts that are alike', ['More shade at the bus stop', 'Shade at the bus stop']],
    ['texts without words', ['…', '42', 'the and of', '   ', '👍👍']],
    ['texts that have nothing in common', ['Trees', 'A cheaper bus', 'Good luck', 'Repair Elm Street']],
  ])('of %s are none', async (_, texts) => {
    expect(await suggestThemes(texts, { language: 'en' })).toEqual([])
  })

  test('of the same text from many people are one', async () => {
    const found = await suggestThemes(
      Array.from({ length: 50 }, () => 'Save the old library'),
      { language: 'en' },
    )
    expect(found).toEqual([])
    const among = await suggestThemes([...makeTexts(60), ...Array.from({ length: 30 }, () => 'Save the old library')], { language: 'en' })
    expect(among.filter(({ label }) => label.join().includes('library')).map(({ texts }) => texts)).toEqual([30])
  })
})

test.each([
  ['en', 'shelters', 'shelter'],
  ['en', 'stopped', 'stops'],
  ['en', 'cities', 'city'],
  ['fr-CA', 'arbres', 'arbre'],
  ['fr-CA', 'fermées', 'fermé'],
  ['fr-CA', 'journaux', 'journal'],
  ['cy', 'tŷ', 'ty'],
] as const)('in %s, “%s” and “%s” are forms of one word', (language, one, other) =>
  expect(stemWord(one, language)).toBe(stemWord(other, language)),
)

test('Welsh words that begin differently are one if their radical was written too', () => {
  const counts = new Map([
    ['gath', 40],
    ['cath', 9],
    ['nghath', 1],
    ['chath', 1],
    ['bren', 2],
  ])
  expect(findRadicals(counts)).toEqual(
    new Map([
      ['gath', 'cath'],
      ['nghath', 'cath'],
      ['chath', 'cath'],
    ]),
  )
})

test.each([
  [
    'cy',
    [
      ['Cadair ger y farchnad', 'Hoffwn gadair gyfforddus', 'Fy nghadair i'],
      ['Llai o sŵn', 'Gormod o sŵn o’r peiriannau', 'Sŵn ofnadwy'],
      ['Toiledau ar agor', 'Agor y toiledau', 'Mae’r toiledau ar gau'],
    ],
    'cadair',
  ],
  [
    'fr-CA',
    [
      ['Plus d’arbres sur la rue', 'Un arbre devant l’école', 'Plantez des arbres'],
      ['Le bruit des camions', 'Trop de bruit le soir', 'Bruits affreux'],
      ['Les toilettes sont fermées', 'Ouvrez les toilettes', 'Toilettes publiques'],
    ],
    'arbres',
  ],
] as const)('texts in %s are grouped across the forms of their words', async (language, kinds, word) => {
  const texts = Array.from({ length: 36 }, (_, at) => kinds[at % 3]?.[Math.floor(at / 3) % 3] ?? '')
  const found = await suggestThemes(texts, { language })
  expect(found.flatMap(({ label }) => label)).toContain(word)
  for (const { passages } of found) expect(new Set(passages.map(({ text }) => text % 3)).size).toBe(1)
})
