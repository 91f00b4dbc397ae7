import { describe, expect, it } from 'vitest'
import type { Definition, Option } from '../surveys.schema.ts'
import { keepAnsweredOptions } from './answered-options.ts'
import { packLongLists, unpackLongLists } from './packed-lists.ts'

const streets: Option[] = Array.from({ length: 1000 }, (_, index) => ({
  id: `s${index}`,
  label: { en: `${index} Fern Street` },
  ...(index % 3 === 0 && { showIf: { question: 'ward', is: 'any_of' as const, options: [`w${index % 5}`] } }),
}))
const others: Option[] = [
  { id: 'tab', label: { en: 'With a\ttab' } },
  { id: 'lines', label: { en: 'Two\nlines' } },
  { id: 'helped', label: { en: 'Helped' }, help: { en: 'Near the park' } },
  { id: 'gone', label: { en: 'Gone' }, removed: true },
  { id: 'french', label: { 'fr-CA': 'Rue' } },
  { id: 'blank', label: {} },
  { id: 'other', label: { en: 'Another' }, other: true },
]
const survey = (options: Option[]): Definition => ({
  schema: 1,
  pages: [
    {
      id: 'p1',
      questions: [
        { id: 'street', type: 'one_choice', title: { en: 'Your street' }, options },
        { id: 'why', type: 'short_text', title: { en: 'Why?' } },
      ],
    },
  ],
})

describe('a long list on its way to a page', () => {
  it('arrives as it was', () => {
    const whole = survey([...streets.slice(0, 500), ...others, ...streets.slice(500)])
    const packed = JSON.parse(JSON.stringify(packLongLists(whole))) as ReturnType<typeof packLongLists>
    expect(unpackLongLists(packed)).toEqual(whole)
  })

  it('takes less than half of what it takes as it is', () => {
    const whole = survey(streets)
    expect(JSON.stringify(packLongLists(whole)).length).toBeLessThan(JSON.stringify(whole).length / 2)
  })

  it('leaves short lists alone', () => {
    const whole = survey(streets.slice(0, 50))
    expect(packLongLists(whole)).toBe(whole)
    expect(unpackLongLists(whole)).toBe(whole)
  })
})

it('a receipt carries only the option that was chosen', () => {
  const list = ({ pages: [page] }: Definition) => {
    const [question] = page?.questions ?? []
    return question && 'options' in question ? question.options.map(({ id }) => id) : undefined
  }
  expect(list(keepAnsweredOptions(survey(streets), { street: { choice: 's7' } }))).toEqual(['s7'])
  expect(list(keepAnsweredOptions(survey(streets), {}))).toEqual([])
  expect(list(keepAnsweredOptions(survey(streets.slice(0, 9)), {}))).toHaveLength(9)
})
