import { expect, test } from 'vitest'
import { createBlock, type HomeBlock } from '../homepage.schema.ts'
import { toClipboardText, parseCopiedBlocks } from './block-clipboard.ts'

let made = 0
const newId = () => `new${++made}`
const project = '01a7a5c2-1f6c-7a53-9c65-9f1f4c6f2f10'
const block: HomeBlock = {
  ...(createBlock('picture_text', 'a') as HomeBlock<'picture_text'>),
  title: { en: 'Trees' },
  picture: { file: '/demo/riverbend/hero.svg', alt: { en: 'A tree' }, decorative: false },
}

test('pastes copied blocks under new ids and, on the same site, with everything in them', () => {
  expect(parseCopiedBlocks(toClipboardText([block], 'riverbend'), 'riverbend', newId)).toEqual({
    blocks: [{ ...block, id: 'new1' }],
    hasOmissions: false,
  })
})

test('leaves out what another site does not have, and says so', () => {
  const featured = { ...createBlock('featured_project', 'b'), projectId: project } as HomeBlock
  expect(parseCopiedBlocks(toClipboardText([block, featured], 'riverbend'), 'harbour', newId)).toMatchObject({
    blocks: [
      { type: 'picture_text', title: { en: 'Trees' }, picture: null },
      { type: 'featured_project', projectId: null },
    ],
    hasOmissions: true,
  })
})

test('refuses to paste hostile blocks, or anything but copied blocks', () => {
  const hostile = { ...block, action: { label: { en: 'x' }, href: 'javascript:alert(1)' } }
  for (const text of [
    '',
    'a shopping list',
    '{}',
    '[]',
    JSON.stringify(block),
    toClipboardText([], 's'),
    toClipboardText([hostile], 's'),
  ]) {
    expect(parseCopiedBlocks(text, 's', newId), text).toBeUndefined()
  }
})
