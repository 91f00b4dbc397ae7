import { describe, expect, test } from 'vitest'
import type { Definition, Question } from '../../surveys.schema.ts'
import { addQuestion, changePage, changeQuestion, listOutlineIds, removeQuestion, reorderOutline } from './definition-edits.ts'
import { mergeDefinitions } from './definition-merge.ts'

const question = (id: string, title = id): Question => ({ id, type: 'short_text', title: { en: title } })
const base: Definition = {
  schema: 1,
  pages: [
    { id: 'p1', questions: [question('a'), question('b')] },
    { id: 'p2', questions: [question('c')] },
  ],
}
const retitle = (definition: Definition, id: string, title: string) =>
  changeQuestion(definition, id, (now) => ({ ...now, title: { en: title } }))
const titles = ({ pages }: Definition) => pages.flatMap((page) => page.questions.map((each) => each.title.en))

describe('two people edit one survey', () => {
  test('changes to different questions are merged without asking', () => {
    const { mine, theirs, conflicts } = mergeDefinitions(base, retitle(base, 'a', 'A'), retitle(base, 'c', 'C'))
    expect(conflicts).toEqual([])
    expect(titles(mine)).toEqual(['A', 'b', 'C'])
    expect(theirs).toEqual(mine)
  })

  test('both new questions are kept, each in the place where it was added', () => {
    const { mine, conflicts } = mergeDefinitions(base, addQuestion(base, question('mine'), 'a'), addQuestion(base, question('theirs'), 'c'))
    expect(conflicts).toEqual([])
    expect(listOutlineIds(mine)).toEqual(['p1', 'a', 'mine', 'b', 'p2', 'c', 'theirs'])
  })

  test('my new order and their new texts are both kept', () => {
    const { mine } = mergeDefinitions(base, reorderOutline(base, ['p1', 'b', 'a', 'p2', 'c'], 'a'), retitle(base, 'a', 'A'))
    expect(titles(mine)).toEqual(['b', 'A', 'c'])
  })

  test('they can remove a question I did not touch', () => {
    const { mine, conflicts } = mergeDefinitions(base, retitle(base, 'a', 'A'), removeQuestion(base, 'b'))
    expect(conflicts).toEqual([])
    expect(titles(mine)).toEqual(['A', 'c'])
  })

  test('a question changed by both is a conflict that keeps both versions', () => {
    const { mine, theirs, conflicts } = mergeDefinitions(base, retitle(base, 'a', 'mine'), retitle(base, 'a', 'theirs'))
    expect(conflicts).toMatchObject([{ id: 'a', kind: 'question', mine: { title: { en: 'mine' } }, theirs: { title: { en: 'theirs' } } }])
    expect(titles(mine)).toEqual(['mine', 'b', 'c'])
    expect(titles(theirs)).toEqual(['theirs', 'b', 'c'])
  })

  test('a question I changed and they removed is a conflict', () => {
    const { mine, theirs, conflicts } = mergeDefinitions(base, retitle(base, 'a', 'mine'), removeQuestion(base, 'a'))
    expect(conflicts).toMatchObject([{ id: 'a', theirs: null }])
    expect(titles(mine)).toEqual(['mine', 'b', 'c'])
    expect(titles(theirs)).toEqual(['b', 'c'])
  })

  test('page titles are merged like questions', () => {
    const head = (definition: Definition, id: string, text: string) =>
      changePage(definition, id, (page) => ({ ...page, title: { en: text } }))
    const { mine, conflicts } = mergeDefinitions(base, head(base, 'p1', 'One'), head(base, 'p2', 'Two'))
    expect(conflicts).toEqual([])
    expect(mine.pages.map((page) => page.title?.en)).toEqual(['One', 'Two'])
  })

  test('the order of keys, which the database does not preserve, is not a change', () => {
    const shuffled: Definition = {
      ...base,
      pages: base.pages.map((page) => ({
        questions: page.questions.map(({ id, type, title }) => ({ title, type, id }) as Question),
        id: page.id,
      })),
    }
    expect(mergeDefinitions(base, retitle(base, 'a', 'mine'), shuffled).conflicts).toEqual([])
  })

  test('closing pages and quotas are merged like questions', () => {
    const ending = (id: string, text = id) => ({ id, title: { en: text } })
    const quota = { id: 'k', when: { question: 'a', is: 'answered' as const }, limit: 10 }
    const from: Definition = { ...base, endings: [ending('e')] }
    const { mine, conflicts } = mergeDefinitions(from, { ...from, quotas: [quota] }, { ...from, endings: [ending('e'), ending('f')] })
    expect(conflicts).toEqual([])
    expect(mine.endings?.map(({ id }) => id)).toEqual(['e', 'f'])
    expect(mine.quotas).toEqual([quota])
    const clash = mergeDefinitions(from, { ...from, endings: [ending('e', 'mine')] }, { ...from, endings: [ending('e', 'theirs')] })
    expect(clash.conflicts).toMatchObject([{ id: 'e', kind: 'ending' }])
    expect(clash.theirs.endings).toEqual([ending('e', 'theirs')])
  })

  const options = [
    { id: 'o1', label: { en: 'Park' } },
    { id: 'o2', label: { en: 'Street' } },
  ]
  const choice: Question = { id: 'a', type: 'one_choice', title: { en: 'Where?' }, options }
  const asked: Definition = { schema: 1, pages: [{ id: 'p1', questions: [choice] }] }
  const setOptions = (next: typeof options, more: Partial<Question> = {}) =>
    changeQuestion(asked, 'a', (now) => ({ ...now, ...more, options: next }) as Question)
  const translatedOptions = options.map((option) => ({ ...option, label: { ...option.label, cy: option.id } }))
  const translated = setOptions(translatedOptions, { title: { en: 'Where?', cy: 'Ble?' } })
  const optionsOf = ({ pages }: Definition) => pages[0]?.questions.flatMap((each) => ('options' in each ? each.options : []))

  test('one writes a question while the other translates it', () => {
    const reworded = changeQuestion(asked, 'a', (now) => ({ ...now, title: { en: 'Where would you sit?' }, required: true }))
    const { mine, theirs, conflicts } = mergeDefinitions(asked, reworded, translated)
    expect(conflicts).toEqual([])
    expect(mine).toEqual(theirs)
    expect(mine.pages[0]?.questions[0]).toEqual({
      ...choice,
      title: { en: 'Where would you sit?', cy: 'Ble?' },
      required: true,
      options: [
        { id: 'o1', label: { en: 'Park', cy: 'o1' } },
        { id: 'o2', label: { en: 'Street', cy: 'o2' } },
      ],
    })
  })

  test('one adds and moves options while the other translates them', () => {
    const [first, second] = options as [(typeof options)[0], (typeof options)[0]]
    const third = { id: 'o3', label: { en: 'Square' } }
    const { theirs, conflicts } = mergeDefinitions(asked, translated, setOptions([third, second, first]))
    expect(conflicts).toEqual([])
    expect(optionsOf(theirs)).toEqual([third, translatedOptions[1], translatedOptions[0]])
  })

  test('one removes an option that the other translates: that is a conflict', () => {
    expect(mergeDefinitions(asked, translated, setOptions(options.slice(1))).conflicts).toHaveLength(1)
  })

  test('two changes of rules of one question are a conflict, even if they concern different ones', () => {
    const required = changeQuestion(asked, 'a', (now) => ({ ...now, required: true }))
    const conditional = changeQuestion(asked, 'a', (now) => ({ ...now, showIf: { all: [] } }))
    expect(mergeDefinitions(asked, required, conditional).conflicts).toHaveLength(1)
  })

  test('both versions of a question can be kept, theirs as a copy after mine; what one of the two removed stays', () => {
    const { both } = mergeDefinitions(
      base,
      removeQuestion(retitle(base, 'a', 'mine'), 'c'),
      retitle(retitle(base, 'a', 'theirs'), 'c', 'kept'),
    )
    expect(titles(both)).toEqual(['mine', 'theirs', 'b', 'kept'])
    const ids = both.pages.flatMap((page) => page.questions.map(({ id }) => id))
    expect(new Set(ids).size).toBe(4)
    expect([ids[0], ids[2], ids[3]]).toEqual(['a', 'b', 'c'])
  })
})
