import { describe, expect, test } from 'vitest'
import { canKeepBoth, keepBothVersions, mergeDrafts, type Survey, type SurveyDraft, toSurveyDraft } from './survey-draft.ts'

const base: SurveyDraft = {
  ...toSurveyDraft({ slug: 'benches', access: 'anyone' } as Survey),
  titleTranslations: { en: 'Benches' },
  definition: { schema: 1, pages: [{ id: 'p', questions: [{ id: 'a', type: 'short_text', title: { en: 'Where?' } }] }] },
}
const retitle = (en: string): SurveyDraft => ({
  ...base,
  definition: { schema: 1, pages: [{ id: 'p', questions: [{ id: 'a', type: 'short_text', title: { en } }] }] },
})

describe('two people change the fields of a survey', () => {
  test('the title in one language and in another', () => {
    const merged = mergeDrafts(
      base,
      { ...base, titleTranslations: { en: 'Seats' } },
      { ...base, titleTranslations: { en: 'Benches', cy: 'Meinciau' } },
    )
    expect(merged.isClear).toBe(true)
    expect(merged.mine.titleTranslations).toEqual({ en: 'Seats', cy: 'Meinciau' })
    expect(merged.theirs).toEqual(merged.mine)
  })

  test('the title in the same language: they choose, and a title cannot be both', () => {
    const merged = mergeDrafts(base, { ...base, titleTranslations: { en: 'Seats' } }, { ...base, titleTranslations: { en: 'Chairs' } })
    expect(merged.conflicts).toMatchObject([{ kind: 'field', id: 'titleTranslations' }])
    expect([merged.mine.titleTranslations, merged.theirs.titleTranslations]).toEqual([{ en: 'Seats' }, { en: 'Chairs' }])
    expect(canKeepBoth(merged.conflicts)).toBe(false)
  })

  test('the closing time and a question', () => {
    const merged = mergeDrafts(base, { ...base, closesAt: '2026-06-01T00:00:00Z' }, retitle('Which street?'))
    expect(merged.isClear).toBe(true)
    expect(merged.mine).toEqual({ ...retitle('Which street?'), closesAt: '2026-06-01T00:00:00Z' })
  })

  test('one question: both can be kept, with my other changes', () => {
    const mine = { ...retitle('Which park?'), minutes: 5 }
    const { conflicts } = mergeDrafts(base, mine, retitle('Which street?'))
    expect(canKeepBoth(conflicts)).toBe(true)
    const kept = keepBothVersions(base, mine, retitle('Which street?'))
    expect(kept.minutes).toBe(5)
    expect(kept.definition.pages[0]?.questions.map(({ title }) => title.en)).toEqual(['Which park?', 'Which street?'])
  })
})
