import { describe, expect, it } from 'vitest'
import type { Definition, Option } from '../surveys.schema.ts'
import { checkAnswers } from './answers.ts'
import { insertPipedAnswers } from './piped-answers.ts'
import { listAskedQuestions, walkSurvey } from './walk-survey.ts'
import { findShownItems } from './shown-items.ts'

const DISTRICTS = 40
const VILLAGES = 4800
const villages: Option[] = Array.from({ length: VILLAGES }, (_, index) => ({
  id: `v${index}`,
  label: { en: `Village ${index}` },
  showIf: { question: 'district', is: 'any_of', options: [`d${index % DISTRICTS}`] },
}))
const definition: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p1',
      questions: [
        {
          id: 'district',
          type: 'one_choice',
          title: { en: 'District' },
          options: Array.from({ length: DISTRICTS }, (_, index) => ({ id: `d${index}`, label: { en: `District ${index}` } })),
        },
        { id: 'village', type: 'one_choice', title: { en: 'Village' }, options: villages, shuffle: true },
      ],
    },
  ],
}
const askVillage = (answers: Parameters<typeof walkSurvey>[1]) => {
  const walk = walkSurvey(definition, answers, 'seed')
  return { walk, village: listAskedQuestions(walk).find(({ id }) => id === 'village') as { options: Option[] } }
}

describe('a long list that depends on an earlier answer', () => {
  it('offers the options of that answer, in their order', () => {
    const { village } = askVillage({ district: { choice: 'd7' } })
    expect(village.options.map(({ id }) => id)).toEqual(
      Array.from({ length: VILLAGES / DISTRICTS }, (_, index) => `v${7 + index * DISTRICTS}`),
    )
    expect(askVillage({}).village.options).toEqual([])
  })

  it('drops an answer that is hidden, and refuses one that never existed', () => {
    expect(askVillage({ district: { choice: 'd7' }, village: { choice: 'v7' } }).walk.kept['village']).toEqual({ choice: 'v7' })
    expect(askVillage({ district: { choice: 'd8' }, village: { choice: 'v7' } }).walk.kept['village']).toBeUndefined()
    const { walk } = askVillage({ district: { choice: 'd8' }, village: { choice: 'nowhere' } })
    expect(checkAnswers(listAskedQuestions(walk), walk.kept).map(({ code, pointer }) => [code, pointer])).toEqual([
      ['not-a-choice', '/village'],
    ])
  })

  it('evaluates each condition once, however many options have it', () => {
    let read = 0
    const answers = new Proxy(
      { district: { choice: 'd3' } },
      {
        getOwnPropertyDescriptor(target, name) {
          read += 1
          return Reflect.getOwnPropertyDescriptor(target, name)
        },
      },
    )
    const first = findShownItems(villages, answers).shown
    expect(read).toBeLessThanOrEqual(DISTRICTS)
    expect(findShownItems(villages, answers).shown).toBe(first)
  })

  it('never offers what was removed', () => {
    const options = villages.slice(0, 80).map(({ id, label }, index) => ({ id, label, ...(index % 2 && { removed: true as const }) }))
    const { shown, isHidden } = findShownItems(options, {})
    expect(shown.map(({ id }) => id)).toEqual(options.flatMap(({ id, removed }) => (removed ? [] : [id])))
    expect([isHidden('v1'), isHidden('v2'), isHidden('elsewhere')]).toEqual([true, false, false])
  })
})

it('finds answers to insert in any option of a list', () => {
  const speaker = {
    say: (text: Record<string, string> | undefined) => ({ text: text?.['en'] ?? '' }),
    format: { list: (words: string[]) => words.join(', ') },
  } as unknown as Parameters<typeof insertPipedAnswers>[3]
  const question = { ...definition.pages[0]!.questions[1]!, options: [...villages, { id: 'x', label: { en: 'Not in {{district}}' } }] }
  const told = insertPipedAnswers(question, definition.pages[0]!.questions, { district: { choice: 'd2' } }, speaker)
  expect(told.options.at(-1)?.label).toEqual({ en: 'Not in District 2' })
})
