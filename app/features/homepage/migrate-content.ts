import * as v from 'valibot'

type RawBlock = Record<string, unknown>

/** One entry per version: the first migrates version 1 to 2. Never change an entry once released. */
const MIGRATIONS: readonly ((block: RawBlock) => RawBlock)[] = [migrateToVersion2]

/** Migrates stored blocks of any version to the current one. Returns none if the content is malformed. */
export function migrateContent(content: unknown): unknown[] {
  const read = v.safeParse(v.object({ schema: v.optional(v.number(), 1), blocks: v.array(v.unknown()) }), content)
  if (!read.success) return []
  const steps = MIGRATIONS.slice(Math.max(0, read.output.schema - 1))
  return read.output.blocks.map((block) => (isObject(block) ? steps.reduce((current, step) => step(current), block) : block))
}

const isObject = (value: unknown): value is RawBlock => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Version 1 stored pictures as a bare path, always decorative, and quotes without ids. */
function migrateToVersion2(block: RawBlock): RawBlock {
  if (block['type'] === 'hero' && typeof block['picture'] === 'string') {
    return { ...block, picture: { file: block['picture'], alt: {}, decorative: true } }
  }
  if (block['type'] === 'voices' && Array.isArray(block['quotes'])) {
    return { ...block, quotes: block['quotes'].map((quote: unknown, at) => (isObject(quote) ? { id: `q${at + 1}`, ...quote } : quote)) }
  }
  return block
}
