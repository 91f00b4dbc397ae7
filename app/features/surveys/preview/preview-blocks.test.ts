import { expect, test } from 'vitest'
import { EVERY_TYPE, inAllLanguages } from '#tests/factories/surveys.ts'
import { toHeadBlock, toPartBlocks, type PreviewedDraft, readPreviewedDraft } from './preview-blocks.ts'

const draft: PreviewedDraft = {
  title: inAllLanguages('Your street'),
  intro: {},
  variant: 'site',
  anonymous: true,
  minutes: null,
  definition: { ...EVERY_TYPE, endings: [{ id: 'away', title: inAllLanguages('Thanks') }] },
}
const blocksOf = (from: PreviewedDraft) => [toHeadBlock(from), ...toPartBlocks(from.definition)]

test('a draft survives the round trip to its preview', () => {
  const { quotas: _quotas, ...definition } = draft.definition
  expect(readPreviewedDraft(structuredClone(blocksOf(draft)))).toEqual({ ...draft, definition })
})

test('an unchanged part keeps its block, so that typing in one question sends one page', () => {
  const [first, second] = draft.definition.pages
  if (!first || !second) throw new Error('two pages')
  const typed = { ...draft.definition, pages: [{ ...first, title: inAllLanguages('Other') }, second] }
  const [before, after] = [toPartBlocks(draft.definition), toPartBlocks(typed)]
  expect(after.map((block, index) => block === before[index])).toEqual([false, true, true])
})

test('invalid blocks are not shown', () => {
  expect(readPreviewedDraft([])).toBeUndefined()
  expect(readPreviewedDraft([toHeadBlock(draft), { id: 'p', type: 'page', questions: [{ id: 'q', type: 'unheard-of' }] }])).toBeUndefined()
})
