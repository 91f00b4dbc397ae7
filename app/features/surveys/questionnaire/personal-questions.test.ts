import { describe, expect, test } from 'vitest'
import { listPersonalKinds } from './personal-questions.ts'
import type { Question } from '../surveys.schema.ts'

const title = { en: 'A question' }
const asking = (...questions: Question[]) => ({ schema: 1 as const, pages: [{ id: 'p', questions }] })

describe('questions that can identify somebody', () => {
  test.each(['email', 'phone', 'address', 'place', 'file'] as const)('include %s', (type) => {
    expect(listPersonalKinds(asking({ id: 'q', type, title } as Question))).toEqual([type])
  })

  test('include text marked as personal by its author, and no other text', () => {
    expect(listPersonalKinds(asking({ id: 'q', type: 'short_text', title, personal: true }))).toEqual(['name'])
    expect(listPersonalKinds(asking({ id: 'q', type: 'short_text', title }, { id: 'r', type: 'yes_no', title }))).toEqual([])
  })

  test('exclude removed questions, and list each kind once', () => {
    const email = { type: 'email', title } as const
    expect(listPersonalKinds(asking({ ...email, id: 'a', removed: true }))).toEqual([])
    expect(listPersonalKinds(asking({ ...email, id: 'a' }, { ...email, id: 'b' }))).toEqual(['email'])
  })
})
