import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { profileKeySchema, profileOptionsSchema, takesOptions } from '../profile.schema.ts'
import { STANDARD_PLACES, type StandardPlace } from './standard-question.ts'
import { STANDARD_QUESTIONS } from './standard-questions.ts'

const find = (place: StandardPlace, key: string) => {
  const found = STANDARD_QUESTIONS.find((one) => one.place === place && one.key === key)
  if (!found) throw new Error(`There is no question ${key} for ${place}`)
  return found
}
const listLabels = (place: StandardPlace, key: string, language: 'en' | 'cy' | 'fr-CA') =>
  find(place, key).options.map(({ label }) => label[language])

describe('the bank of standard questions', () => {
  test.each(STANDARD_QUESTIONS.map((one) => [`${one.place} ${one.key}`, one] as const))(
    '%s has every text in three languages',
    (_, one) => {
      for (const text of [one.label, one.purpose, ...(one.help.en ? [one.help] : []), ...one.options.map(({ label }) => label)])
        expect(LANGUAGES.filter((language) => !text[language]?.trim())).toEqual([])
      expect(v.is(profileKeySchema, one.key)).toBe(true)
      expect(v.is(profileOptionsSchema, one.options)).toBe(true)
      expect(new Set(one.options.map(({ id }) => id)).size).toBe(one.options.length)
      expect(one.options.length > 0).toBe(takesOptions(one.kind))
    },
  )

  test('offers not to say with each sensitive question and with no other', () => {
    for (const one of STANDARD_QUESTIONS) expect(one.options.some(({ id }) => id === NO_ANSWER)).toBe(one.sensitive)
    const sensitive = STANDARD_QUESTIONS.filter((one) => one.sensitive).map(({ key }) => key)
    expect(new Set(sensitive)).toEqual(
      new Set([
        'gender-identity',
        'ethnic-group',
        'health-conditions',
        'day-to-day',
        'gender',
        'indigenous',
        'population-group',
        'difficulties',
      ]),
    )
  })

  test('has each key once for each place', () => {
    for (const place of STANDARD_PLACES) {
      const keys = STANDARD_QUESTIONS.filter((one) => one.place === place).map(({ key }) => key)
      expect(keys.length).toBeGreaterThan(0)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  // Census 2021 of England and Wales, the online questionnaire in English and Welsh.
  test('asks in Wales as the Office for National Statistics asks, in both languages', () => {
    expect(find('wales', 'ethnic-group').label).toMatchObject({ en: 'What is your ethnic group?', cy: 'Beth yw eich grŵp ethnig?' })
    expect(listLabels('wales', 'ethnic-group', 'cy').slice(0, 5)).toEqual([
      'Gwyn',
      'Grwpiau Cymysg neu Amlethnig',
      'Asiaidd, Asiaidd Cymreig neu Asiaidd Prydeinig',
      'Du, Du Cymreig, Du Prydeinig, Caribïaidd neu Affricanaidd',
      'Grŵp ethnig arall',
    ])
    expect(find('wales', 'welsh').label).toMatchObject({
      en: 'Can you understand, speak, read or write Welsh?',
      cy: 'Ydych chi’n gallu deall, siarad, darllen neu ysgrifennu Cymraeg?',
    })
    expect(listLabels('wales', 'main-language', 'en')).toEqual(['English or Welsh', 'Other, including British Sign Language'])
    expect(listLabels('uk', 'main-language', 'en')).toEqual(['English', 'Other, including British Sign Language'])
    expect(find('wales', 'day-to-day').published).toEqual(['en', 'cy'])
  })

  // The 2021 Census of Population of Canada.
  test('asks in Canada with the categories of Statistics Canada', () => {
    expect(listLabels('canada', 'population-group', 'fr-CA').slice(3, 7)).toEqual(['Noir', 'Philippin', 'Arabe', 'Latino-Américain'])
    // As that census asked, put to the person themselves.
    expect(find('canada', 'gender').help.en).toBe(
      'Refers to current gender which may be different from sex assigned at birth and may be different from what is indicated on legal documents.',
    )
    // As the dictionary of that census quotes its questions 10, 18 and 24, put to the person themselves.
    expect(find('canada', 'first-language').label.en).toBe(
      'What is the language that you first learned at home in childhood and still understand?',
    )
    expect(listLabels('canada', 'indigenous', 'en').slice(0, 4)).toEqual([
      'No, not First Nations, Métis or Inuk (Inuit)',
      'Yes, First Nations (North American Indian)',
      'Yes, Métis',
      'Yes, Inuk (Inuit)',
    ])
    expect(find('canada', 'difficulties').help.en).toBe(
      'Only difficulties or long-term conditions that have lasted or are expected to last for six months or more should be considered.',
    )
    expect(listLabels('canada', 'difficulties', 'en').slice(0, 6)).toEqual([
      'Difficulty seeing (even when wearing glasses or contact lenses)',
      'Difficulty hearing (even when using a hearing aid)',
      'Difficulty walking, using stairs, using your hands or fingers or doing other physical activities',
      'Difficulty learning, remembering or concentrating',
      'Emotional, psychological or mental health conditions (e.g., anxiety, depression, bipolar disorder, substance abuse, anorexia, etc.)',
      'Other health problem or long-term condition that has lasted or is expected to last for six months or more',
    ])
  })

  test('says which texts are translations of Parley', () => {
    expect(find('uk', 'ethnic-group').published).toEqual(['en'])
    // Statistics Canada publishes its questions in French, but the French of the bank was not compared with them.
    for (const one of STANDARD_QUESTIONS.filter(({ place }) => place === 'canada')) expect(one.published).toEqual(['en'])
    expect(find('any', 'relation')).toMatchObject({ origin: 'parley', published: [] })
  })
})
