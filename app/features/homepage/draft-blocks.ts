import * as v from 'valibot'
import type { Translated } from '#app/lib/translated.ts'
import type { AnyField, Fields } from './block-fields.ts'
import { BLOCKS, type HomeBlock, homeBlockSchema } from './homepage.schema.ts'

const TEXT_KINDS = new Set<AnyField['kind']>(['line', 'text', 'rich', 'picture', 'action'])

/** Cache key of a block's data. Texts are left out, so that typing causes no request. */
export function buildDataKey(block: HomeBlock, featured: readonly string[]): string {
  return JSON.stringify([block.type, omitTexts(BLOCKS[block.type].fields, block), block.type === 'project_grid' ? featured : []])
}

function omitTexts(fields: Fields, values: object): unknown[] {
  return Object.entries(fields as Record<string, AnyField>).map(([name, field]) => {
    const value = (values as Record<string, unknown>)[name]
    if (TEXT_KINDS.has(field.kind)) return null
    return field.kind === 'list' ? (value as object[]).map((item) => omitTexts(field.fields, item)) : value
  })
}

const parsedBlocks = new WeakMap<object, v.SafeParseResult<typeof homeBlockSchema>>()

/** Parses a block from the editor, or returns why it cannot be shown. Results are cached per object. */
export function readDraftBlock(block: object): { block: HomeBlock } | { problem: string } {
  const known = parsedBlocks.get(block) ?? v.safeParse(homeBlockSchema, block)
  parsedBlocks.set(block, known)
  return known.success ? { block: known.output } : { problem: v.summarize(known.issues) }
}

/** A text of a block in one language, and its path. */
export interface TextInPlace {
  path: string[]
  text: string
  /** Rich text: what is rendered differs from the source. */
  isRich: boolean
}

export function collectTexts(block: HomeBlock, inLanguage: (text: Translated) => string): TextInPlace[] {
  const collectFrom = (fields: Fields, values: object, path: readonly string[]): TextInPlace[] =>
    Object.entries(fields as Record<string, AnyField>).flatMap(([name, field]) => {
      const value = (values as Record<string, unknown>)[name]
      switch (field.kind) {
        case 'line':
        case 'text':
        case 'rich':
          return [{ path: [...path, name], text: inLanguage(value as Translated), isRich: field.kind === 'rich' }]
        case 'action':
          return value ? [{ path: [...path, name, 'label'], text: inLanguage((value as { label: Translated }).label), isRich: false }] : []
        case 'list':
          return (value as { id: string }[]).flatMap((item) => collectFrom(field.fields, item, [...path, name, item.id]))
        default:
          return []
      }
    })
  return collectFrom(BLOCKS[block.type].fields, block, [])
}

/** Replaces one text of a block; returns the block unchanged if the path does not exist. */
export function replaceText(block: HomeBlock, path: readonly string[], language: string, text: string): HomeBlock {
  const replaceAt = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return { ...(value as Translated), [language]: text }
    if (Array.isArray(value)) return (value as { id: string }[]).map((item) => (item.id === step ? replaceAt(item, rest) : item))
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value
    return { ...value, [step]: replaceAt((value as Record<string, unknown>)[step], rest) }
  }
  return replaceAt(block, path) as HomeBlock
}
