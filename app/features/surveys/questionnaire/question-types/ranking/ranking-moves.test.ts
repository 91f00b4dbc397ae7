import { expect, test } from 'vitest'
import { rankingMoves } from './ranking-moves.ts'

/** A ranking whose dropdowns have these values. */
function createControls(values: Record<string, string>) {
  const querySelector = (selector: string) => ({ value: values[/"(\w+)"/.exec(selector)?.[1] ?? ''] })
  return { list: { querySelector } as unknown as HTMLElement, ids: Object.keys(values), places: 3, nameOf: (id: string) => id }
}

test.each([
  [{ a: '1', b: '1', c: '1' }, 1],
  [{ a: '1', b: '3', c: '' }, 2],
  [{ a: '2', b: '1', c: '3' }, 3],
  [{ a: '', b: '', c: '' }, 0],
])('a rank that several options share counts once: %j', (values, ranks) => {
  expect(rankingMoves.countRanks(createControls(values))).toBe(ranks)
})
