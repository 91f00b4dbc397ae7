import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { findView } from './block-views.tsx'
import { findMissingTexts } from './missing-texts.schema.ts'
import {
  type BlockData,
  BLOCK_TYPES,
  REPORT_BLOCK_TYPES,
  homeBlockSchema,
  isEmptyBlock,
  createBlock,
  readBlocks,
  toBlockView,
} from './homepage.schema.ts'

const DATA: Record<string, unknown> = {
  counters: { values: {} },
  embed: { source: null },
  featured_project: { project: null },
  hub_grid: { hubs: [] },
  open_data: { figure: null },
  project_grid: { projects: [], total: 0 },
  project_map: { places: [] },
  quick_poll: { poll: null, results: null },
  report_decisions: { part: null },
  report_figure: { part: null },
  report_method: { part: null },
  report_next: { part: null },
  report_people: { part: null },
  report_theme: { part: null },
  survey_teaser: { survey: null },
  timeline: { now: '2026-01-01T00:00:00Z' },
  updates: { updates: [] },
  voices: { projects: [] },
}

const TYPES = [...new Set([...BLOCK_TYPES, ...REPORT_BLOCK_TYPES])]

describe.each(TYPES)('block %s', (type) => {
  test('starts with content that can be stored, shown and rendered', () => {
    const block = createBlock(type, 'b_1')
    expect(v.safeParse(homeBlockSchema, block).issues).toBeUndefined()
    const view = toBlockView(block, (DATA[type] ?? null) as BlockData, () => ({ text: '' }))
    expect(view).toMatchObject({ id: 'b_1', type })
    expect(typeof isEmptyBlock(view)).toBe('boolean')
    expect(findView(type)).toBeDefined()
  })

  test('has no missing texts while it is empty', () => {
    expect(findMissingTexts([createBlock(type, 'b_1')], ['en', 'cy'])).toEqual([])
  })
})

test('reads content of any shape without throwing, and whatever it reads can be stored', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 4 }), fc.constantFrom(...TYPES), (value, type) => {
      const blocks = readBlocks({ schema: 1, blocks: [{ ...(value as object), id: 'a', type }, value] })
      for (const block of blocks) expect(v.safeParse(homeBlockSchema, block).success).toBe(true)
    }),
    { numRuns: 300 },
  )
})
