import { describe, expect, test } from 'vitest'
import type { HomeBlock } from './homepage.schema.ts'
import { compareBlocks, mergeBlocks } from './merge-blocks.ts'

const text = (id: string, words = id): HomeBlock => ({ id, type: 'rich_text', body: { en: words } })
const shape = (blocks: readonly HomeBlock[]) =>
  blocks.map((block) => `${block.id}:${block.type === 'rich_text' ? (block.body.en ?? '') : ''}`)
let made = 0
const newId = () => `new${++made}`

describe('two versions of a page', () => {
  test('are compared block by block: changed, added, removed, moved', () => {
    const found = compareBlocks([text('a'), text('b'), text('c'), text('d')], [text('b'), text('a', 'A'), text('d'), text('e')])
    expect(found.map(({ id, before, after, moved }) => [id, before !== undefined, after !== undefined, moved])).toEqual([
      ['b', true, true, true],
      ['a', true, true, true],
      ['e', false, true, false],
      ['c', true, false, false],
    ])
    expect(compareBlocks([text('a')], [text('a')])).toEqual([])
  })

  test('are merged without losing anything: changes by one person are taken, blocks changed by both appear twice', () => {
    made = 0
    const base = [text('a'), text('b'), text('c'), text('d')]
    const mine = [text('a', 'mine'), text('b', 'mine'), text('x', 'mine'), text('d')]
    const theirs = [text('a', 'theirs'), text('b'), text('c', 'theirs'), text('y', 'theirs')]
    expect(shape(mergeBlocks(base, mine, theirs, newId))).toEqual(['a:theirs', 'new1:mine', 'b:mine', 'x:mine', 'c:theirs', 'y:theirs'])
  })
})
