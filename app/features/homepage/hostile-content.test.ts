import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { listInlines, parseRichText, type RichInline } from '#app/lib/rich-text.ts'
import { parseVideoSource } from '#app/lib/video-source.ts'
import type { AnyField, Fields } from './block-fields.ts'
import { BLOCK_TYPES, BLOCKS, REPORT_BLOCK_TYPES, homeBlockSchema, createBlock } from './homepage.schema.ts'

const MARKUP = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '"><a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1)) [y](data:text/html,<script>alert(1)</script>)',
  '{{constructor.constructor("alert(1)")()}}',
]
const ADDRESSES = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://a.example/1',
  '//evil.example/x.svg',
  '/\\evil.example',
  '" onclick="alert(1)',
]

/** Every field of a block with a function that sets it, items of lists included. */
function fieldsOf(fields: Fields, put: (name: string, value: unknown) => object): [string, AnyField, (value: unknown) => object][] {
  return Object.entries(fields as Record<string, AnyField>).flatMap(([name, field]): [string, AnyField, (value: unknown) => object][] => {
    const whole = (value: unknown) => put(name, value)
    if (field.kind !== 'list') return [[name, field, whole]]
    const empty = Object.fromEntries(Object.entries(field.fields as Record<string, AnyField>).map(([key, one]) => [key, one.empty]))
    return fieldsOf(field.fields, (key, value) => whole([{ id: 'i', ...empty, [key]: value }])).map(([key, one, set]) => [
      `${name}.${key}`,
      one,
      set,
    ])
  })
}

const linksOf = (content: readonly RichInline[]): string[] =>
  content.flatMap((one) => (one.type === 'link' ? [one.href, ...linksOf(one.content)] : 'content' in one ? linksOf(one.content) : []))

describe.each([...new Set([...BLOCK_TYPES, ...REPORT_BLOCK_TYPES])])('hostile content in the block %s', (type) => {
  const all = fieldsOf(BLOCKS[type].fields, (name, value) => ({ ...createBlock(type, 'b_1'), [name]: value }))
  const read = (block: object) => v.safeParse(homeBlockSchema, block)

  test('stays plain text, or is refused', () => {
    for (const [name, field, set] of all) {
      for (const text of MARKUP) {
        switch (field.kind) {
          case 'line':
          case 'text':
          case 'rich': {
            const parsed = read(set({ en: text }))
            expect(parsed.success, `${name}: ${text}`).toBe(true)
            const blocks = parseRichText(text)
            const links = blocks.flatMap(listInlines).flatMap(linksOf)
            expect(links, `${name}: ${text}`).toEqual([])
            break
          }
          case 'action':
            expect(read(set({ label: { en: text.slice(0, 60) }, href: '/projects' })).success, name).toBe(true)
            break
          case 'picture':
            expect(read(set({ file: '/a.svg', alt: { en: text }, decorative: false })).success, name).toBe(true)
            break
          case 'plain':
            expect(read(set(text)).success, name).toBe(true)
            break
          default:
            expect(read(set(text)).success, `${name}: ${text}`).toBe(false)
        }
      }
    }
  })

  test('is refused as a link', () => {
    for (const [name, field, set] of all) {
      for (const address of ADDRESSES) {
        if (field.kind === 'action') expect(read(set({ label: { en: 'x' }, href: address })).success, `${name}: ${address}`).toBe(false)
        if (field.kind === 'picture') {
          expect(read(set({ file: address, alt: {}, decorative: true })).success, `${name}: ${address}`).toBe(false)
        }
        if (field.kind === 'address') {
          expect(read(set(address)).success, `${name}: ${address}`).toBe(false)
          expect(parseVideoSource(address)).toBeUndefined()
        }
        if (['email', 'phone', 'day', 'project', 'projects', 'survey', 'dataset', 'language', 'choice', 'number'].includes(field.kind)) {
          expect(read(set(address)).success, `${name}: ${address}`).toBe(false)
        }
      }
    }
  })
})
