import { describe, expect, it } from 'vitest'
import { listChangeEffects } from './change-effects.ts'
import { checkAgainstPublished } from './check-definition.ts'
import type { Definition, Page, Question } from '../surveys.schema.ts'

const en = (text: string) => ({ en: text })
const mode = (more: object = {}): Question => ({
  id: 'mode',
  type: 'one_choice',
  title: en('How?'),
  options: [
    { id: 'bus', label: en('Bus') },
    { id: 'foot', label: en('Foot') },
  ],
  ...more,
})
const safe = (max = 5, more: object = {}): Question => ({ id: 'safe', type: 'rating', title: en('Safe?'), scale: { max }, ...more })
const text: Question = { id: 'why', type: 'short_text', title: en('Why?') }
const survey = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p', questions }] })
const onPage = (more: Partial<Page>): Definition => ({ schema: 1, pages: [{ id: 'p', questions: [text], ...more }] })

describe('what a draft does to existing answers', () => {
  it.each<[string, Definition, Definition, object[]]>([
    ['nothing changed', survey(mode(), text), survey(mode(), text), []],
    [
      'other words',
      survey(mode()),
      survey(mode({ title: en('How do you come?') })),
      [{ kind: 'worded', of: 'question', question: 'mode' }],
    ],
    [
      'other ends of a scale',
      survey(safe()),
      survey(safe(5, { scale: { max: 5, low: en('No') } })),
      [{ kind: 'worded', of: 'question', question: 'safe' }],
    ],
    ['help', survey(text), survey({ ...text, help: en('In short') }), [{ kind: 'worded', of: 'question', question: 'why' }]],
    ['a question more', survey(mode()), survey(mode(), text), [{ kind: 'added', of: 'question', question: 'why' }]],
    ['a question less', survey(mode(), text), survey(mode()), [{ kind: 'removed', of: 'question', question: 'why' }]],
    [
      'a question put aside',
      survey(mode(), text),
      survey(mode(), { ...text, removed: true }),
      [{ kind: 'removed', of: 'question', question: 'why' }],
    ],
    [
      'a question taken up again',
      survey(mode(), { ...text, removed: true }),
      survey(mode(), text),
      [{ kind: 'returned', of: 'question', question: 'why' }],
    ],
    [
      'an option more, one less, one reworded',
      survey(mode()),
      survey(
        mode({
          options: [
            { id: 'bus', label: en('By bus') },
            { id: 'bike', label: en('Bike') },
          ],
        }),
      ),
      [
        { kind: 'worded', of: 'option', question: 'mode', item: 'bus' },
        { kind: 'removed', of: 'option', question: 'mode', item: 'foot' },
        { kind: 'added', of: 'option', question: 'mode', item: 'bike' },
      ],
    ],
    ['text instead of a choice', survey(mode()), survey({ ...text, id: 'mode' }), [{ kind: 'to-text', of: 'question', question: 'mode' }]],
    ['another type', survey(text), survey({ ...safe(), id: 'why' }), [{ kind: 'forbidden', of: 'question', question: 'why' }]],
    ['another scale', survey(safe(5)), survey(safe(7)), [{ kind: 'forbidden', of: 'question', question: 'safe' }]],
    ['a rule', survey(mode(), text), survey(mode(), { ...text, required: true }), [{ kind: 'ruled', of: 'question', question: 'why' }]],
    [
      'a condition',
      survey(mode(), text),
      survey(mode(), { ...text, showIf: { question: 'mode', is: 'answered' } }),
      [{ kind: 'ruled', of: 'question', question: 'why' }],
    ],
    ['another order', survey(mode(), text), survey(text, mode()), [{ kind: 'moved', of: 'question', question: 'why' }]],
    ['a jump', onPage({}), onPage({ next: [{ end: '' }] }), [{ kind: 'ruled', of: 'page', item: 'p' }]],
    ['another title of a page', onPage({}), onPage({ title: en('You') }), [{ kind: 'worded', of: 'page', item: 'p' }]],
  ])('%s', (_what, published, draft, expected) => {
    expect(listChangeEffects(published, draft)).toEqual(expected)
  })

  it('forbids what publishing forbids', () => {
    const published = survey(mode(), safe(), text)
    for (const draft of [
      survey(mode(), safe(7), text),
      survey(mode(), safe(), { ...safe(), id: 'why' }),
      survey({ ...text, id: 'mode' }, safe(), text),
    ]) {
      const forbidden = listChangeEffects(published, draft).some((effect) => effect.kind === 'forbidden')
      expect(checkAgainstPublished(draft, [published]).length > 0).toBe(forbidden)
    }
  })
})
