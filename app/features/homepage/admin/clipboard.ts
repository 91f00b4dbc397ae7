import { COPIED_ITEM } from '#app/lib/stored-items.ts'
import * as v from 'valibot'
import type { AnyField, Fields } from '../block-fields.ts'
import { BLOCKS, CONTENT_SCHEMA, type HomeBlock, readBlocks } from '../homepage.schema.ts'

const KEPT = COPIED_ITEM.name

/** What lies in the clipboard: blocks with the site they come from, whose projects, surveys and files no other site has. */
const copiedSchema = v.object({
  parley: v.literal('blocks'),
  site: v.string(),
  schema: v.number(),
  blocks: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(200)),
})

export interface Pasted {
  blocks: HomeBlock[]
  /** Something that the blocks named is not on this site, and was left out. */
  isLess: boolean
}

export const clipboardText = (blocks: readonly HomeBlock[], site: string): string =>
  JSON.stringify({ parley: 'blocks', site, schema: CONTENT_SCHEMA, blocks })

/** Puts blocks into the machine's clipboard, for any page of any site; and where that is refused, where this site's pages find them. */
export async function copyBlocks(blocks: readonly HomeBlock[], site: string): Promise<void> {
  const text = clipboardText(blocks, site)
  try {
    localStorage.setItem(KEPT, text)
  } catch {
    // A device that keeps nothing has its clipboard.
  }
  await navigator.clipboard?.writeText(text).catch(() => {})
}

/** What was copied last: of the machine's clipboard, else of this site's own pages. */
export async function pasteBlocks(site: string, newId: () => string): Promise<Pasted | undefined> {
  const held = await navigator.clipboard?.readText().catch(() => '')
  return readCopied(held ?? '', site, newId) ?? readCopied(localStorage.getItem(KEPT) ?? '', site, newId)
}

/** Blocks in a text, under new ids: checked like anything that comes from outside. */
export function readCopied(text: string, site: string, newId: () => string): Pasted | undefined {
  const copied = v.safeParse(v.pipe(v.string(), v.maxLength(1_000_000), v.parseJson(), copiedSchema), text)
  if (!copied.success) return undefined
  const blocks = readBlocks(copied.output).map((block) => ({ ...block, id: newId() }))
  if (!blocks.length) return undefined
  if (copied.output.site === site) return { blocks, isLess: false }
  const own = blocks.map(
    (block) => ({ id: block.id, type: block.type, ...withoutStrangers(BLOCKS[block.type].fields, block) }) as HomeBlock,
  )
  return { blocks: own, isLess: JSON.stringify(own) !== JSON.stringify(blocks) }
}

const OF_THE_SITE = new Set<AnyField['kind']>(['project', 'projects', 'survey', 'dataset', 'picture'])

function withoutStrangers(fields: Fields, values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields as Record<string, AnyField>).map(([name, field]) => {
      const value = (values as Record<string, unknown>)[name]
      if (OF_THE_SITE.has(field.kind)) return [name, field.empty]
      if (field.kind !== 'list') return [name, value]
      return [name, (value as { id: string }[]).map((item) => ({ id: item.id, ...withoutStrangers(field.fields, item) }))]
    }),
  )
}
