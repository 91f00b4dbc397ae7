import { describe, expect, it } from 'vitest'
import type { Definition, Question } from '../surveys.schema.ts'
import { listForeignReferences } from './foreign-references.ts'

const en = (text: string) => ({ en: text })
const blank = { title: en('Streets'), intro: {}, thanks: {} }
const text = (id: string, more: object = {}): Question => ({ id, type: 'short_text', title: en(id), ...more })
const survey = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p', questions }] })
const listTitled = (title: string) =>
  listForeignReferences(blank, survey(text('a', { title: en(title) }))).map(({ values }) => values?.text)

describe('references to answers in the syntax of other tools', () => {
  it.each([
    ['Why {street}?', ['{street}']],
    ['Why ${street}?', ['${street}']],
    ['Why {question.value} and {panel.rooms[0].size}?', ['{question.value}', '{panel.rooms[0].size}']],
    ['{TOKEN:FIRSTNAME}, why?', ['{TOKEN:FIRSTNAME}']],
    ['Since {if(is_empty(year), "long ago", year)}?', ['{if(is_empty(year), "long ago", year)}']],
    ['${q://QID1/ChoiceGroup/SelectedChoices}?', ['${q://QID1/ChoiceGroup/SelectedChoices}']],
    ['Dear {{contact.first name}}', ['{{contact.first name}}']],
    ['{prénom} et encore {prénom}', ['{prénom}']],
  ])('are found in “%s”', (title, found) => {
    expect(listTitled(title)).toEqual(found)
  })

  it.each(['You live in {{street}}. Why?', 'Choose from {1, 2, 3}', 'What does { } mean?', 'Price in $ (not {)'])(
    'are not seen in “%s”',
    (title) => {
      expect(listTitled(title)).toEqual([])
    },
  )

  it('are named with the place of the text and its language, in every text a participant reads', () => {
    const place = (each: Record<string, string>) => ({ id: 'x', label: each })
    const definition: Definition = {
      schema: 1,
      pages: [
        {
          id: 'p',
          intro: en('{a}'),
          questions: [
            text('a', { help: { en: 'Fine', cy: '{a}' } }),
            { id: 'b', type: 'one_choice', title: en('B'), options: [place(en('Yes')), { ...place(en('{a}')), id: 'y' }] },
            text('gone', { title: en('{a}'), removed: true }),
          ],
        },
      ],
      endings: [{ id: 'end', title: en('Thanks'), text: en('{{a}}') }],
    }
    expect(listForeignReferences({ ...blank, thanks: en('{{a}}, thanks') }, definition).map(({ pointer }) => pointer)).toEqual([
      '/thanks/en',
      '/pages/0/intro/en',
      '/pages/0/questions/0/help/cy',
      '/pages/0/questions/1/options/1/label/en',
      '/endings/0/text/en',
    ])
  })
})
