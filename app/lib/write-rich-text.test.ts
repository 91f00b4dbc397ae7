import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRichText } from './rich-text.ts'
import { normaliseRuns, type RunBlock, type TextRun, toRunBlock } from './rich-text-runs.ts'
import { createMarkupWriter, writeRichText } from './write-rich-text.ts'

const read = (source: string): RunBlock[] => parseRichText(source).map(toRunBlock)
const normalise = (blocks: readonly RunBlock[]) => blocks.flatMap((block) => normaliseRuns(block) ?? [])

/** Everything that could be taken for a mark, between words. */
const letters = fc.oneof(
  fc.constantFrom(
    'word',
    'é',
    ' ',
    '  ',
    '*',
    '**',
    '_',
    '__',
    '\\',
    '[',
    ']',
    '](',
    '(',
    ')',
    '|',
    '#',
    '## ',
    '- ',
    '1. ',
    '.',
    '!',
    '![',
    '🌳',
  ),
  fc.string({ maxLength: 3 }),
)
const text = fc.array(letters, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
const href = fc.constantFrom('/projects', 'https://x.example/a_(b)_', 'https://x.example/**|', 'mailto:team@x.example', '/a_')
const run: fc.Arbitrary<TextRun> = fc.record(
  { text, strong: fc.constant(true as const), emphasis: fc.constant(true as const), href },
  { requiredKeys: ['text'] },
)
const line = fc.array(run, { maxLength: 5 })
const lines = fc.array(line, { maxLength: 3 })
const block: fc.Arbitrary<RunBlock> = fc.oneof(
  fc.record({ type: fc.constant('paragraph' as const), lines }),
  fc.record({ type: fc.constant('heading' as const), level: fc.constantFrom(2 as const, 3 as const), lines }),
  fc.record({ type: fc.constant('list' as const), items: lines }),
  fc.record({ type: fc.constant('list' as const), start: fc.integer({ min: 0, max: 900 }), items: lines }),
  fc.record({ type: fc.constant('table' as const), rows: fc.array(lines, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant('picture' as const), alt: text, src: fc.constant('/media/0198c5a0-0000-7000-8000-000000000001') }),
)
const blocks = fc.array(block, { maxLength: 5 })

describe('writing light markup', () => {
  test('every document comes back as it was written', () => {
    fc.assert(
      fc.property(blocks, (written) => {
        expect(decodeLinks(normalise(read(writeRichText(written))))).toEqual(decodeLinks(normalise(written)))
      }),
      { numRuns: 3000 },
    )
  })

  test('what was not touched does not change by a byte, whatever it is', () => {
    const sources = fc.array(fc.oneof(letters, fc.constantFrom('\n', '\n\n', '\r\n', ' \n\t\n', '| a | b |\n|---|:--|\n|c|')), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(sources, (parts) => {
        const source = parts.join('')
        expect(createMarkupWriter(source)(read(source))).toBe(source)
      }),
      { numRuns: 3000 },
    )
  })

  test('a change to one block leaves the markup of the others and what separates them', () => {
    const source = '##  Plan \r\n\r\n\r\nTwo  **lanes** \nand trees.\n-  one\n- two\n\nLast \\ line.  \n'
    const changed = read(source).with(2, { type: 'list', items: [[{ text: 'one' }], [{ text: 'three' }]] })
    expect(createMarkupWriter(source)(changed)).toBe(
      '##  Plan \r\n\r\n\r\nTwo  **lanes** \nand trees.\n\n- one\n- three\n\nLast \\ line.  ',
    )
  })

  test('what would be read as a mark is written as text', () => {
    const write = (said: string) => writeRichText([{ type: 'paragraph', lines: [[{ text: said }]] }])
    expect(write('2 * 3, file_name and ____')).toBe('2 * 3, file_name and ____')
    expect(write('## no heading')).toBe('\\## no heading')
    expect(write('- no item')).toBe('\\- no item')
    expect(write('1. no item')).toBe('1\\. no item')
    expect(write('_so_ **so** [so](/so)')).toBe('\\_so\\_ \\*\\*so\\*\\* [so\\](/so)')
  })
})

/** In an address, what would end a link is written encoded. */
const decodeLinks = (written: readonly RunBlock[]): unknown =>
  JSON.parse(JSON.stringify(written), (key, value: unknown) =>
    key === 'href' && typeof value === 'string' ? decodeURIComponent(value) : value,
  )
