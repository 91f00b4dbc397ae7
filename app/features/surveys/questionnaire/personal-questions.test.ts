import { describe, expect, test } from 'vitest'
import { listPersonalKinds } from './personal-questions.ts'
import type { Question } from '../surveys.schema.ts'

const title = { en: 'A question' }
const asking = (...questions: Question[]) => ({ schema: 1 as const, pages: [{ id: 'p', questions }] })

describe('what a survey asks that can show who somebody is', () => {
  test.each(['email', 'phone', 'address', 'place', 'file'] as const)('is %s', (type) => {
    expect(listPersonalKinds(asking({ id: 'q', type, title } as Question))).toEqual([type])
  })

  test('is text whose author has said so, and no other text', () => {
    expect(listPersonalKinds(asking({ id: 'q', type: 'short_text', title, personal: true }))).toEqual(['name'])
    expect(listPersonalKinds(asking({ id: 'q', type: 'short_text', title }, { id: 'r', type: 'yes_no', title }))).toEqual([])
  })

  test('is not what was taken out of it again; each thing is told once', () => {
    const email = { type: 'email', title } as const
    expect(listPersonalKinds(asking({ ...email, id: 'a', removed: true }))).toEqual([])
    expect(listPersonalKinds(asking({ ...email, id: 'a' }, { ...email, id: 'b' }))).toEqual(['email'])
  })
})
