import { COPIED_ITEM } from '#app/lib/stored-items.ts'
import * as v from 'valibot'
import type { AnyField, Fields } from '../block-fields.ts'
import { BLOCKS, CONTENT_SCHEMA, type HomeBlock, readBlocks } from '../homepage.schema.ts'

const STORAGE_KEY = COPIED_ITEM.name

/** What lies in the clipboard: blocks with the site they come from, whose projects, surveys and files no other site has. */
const copiedSchema = v.object({
  parley: v.literal('blocks'),
  site: v.string(),
  schema: v.number(),
  blocks: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(200)),
})

export interface PastedBlocks {
  blocks: HomeBlock[]
  /** Something that the blocks named is not on this site, and was left out. */
  hasOmissions: boolean
}

export const toClipboardText = (blocks: readonly HomeBlock[], site: string): string =>
  JSON.stringify({ parley: 'blocks', site, schema: CONTENT_SCHEMA, blocks })

/** Puts blocks into the machine's clipboard, for any page of any site; and where that is refused, where this site's pages find them. */
export async function copyBlocks(blocks: readonly HomeBlock[], site: string): Promise<void> {
  const text = toClipboardText(blocks, site)
  try {
    localStorage.setItem(STORAGE_KEY, text)
  } catch {
    // A device that keeps nothing has its clipboard.
  }
  await navigator.clipboard?.writeText(text).catch(() => {})
}

/** What was copied last: of the machine's clipboard, else of this site's own pages. */
export async function pasteBlocks(site: string, newId: () => string): Promise<PastedBlocks | undefined> {
  const held = await navigator.clipboard?.readText().catch(() => '')
  return parseCopiedBlocks(held ?? '', site, newId) ?? parseCopiedBlocks(localStorage.getItem(STORAGE_KEY) ?? '', site, newId)
}

/** Blocks in a text, under new ids: checked like anything that comes from outside. */
export function parseCopiedBlocks(text: string, site: string, newId: () => string): PastedBlocks | undefined {
  const copied = v.safeParse(v.pipe(v.string(), v.maxLength(1_000_000), v.parseJson(), copiedSchema), text)
  if (!copied.success) return undefined
  const blocks = readBlocks(copied.output).map((block) => ({ ...block, id: newId() }))
  if (!blocks.length) return undefined
  if (copied.output.site === site) return { blocks, hasOmissions: false }
  const own = blocks.map(
    (block) => ({ id: block.id, type: block.type, ...clearSiteReferences(BLOCKS[block.type].fields, block) }) as HomeBlock,
  )
  return { blocks: own, hasOmissions: JSON.stringify(own) !== JSON.stringify(blocks) }
}

const SITE_BOUND_KINDS = new Set<AnyField['kind']>(['project', 'projects', 'survey', 'dataset', 'picture'])

function clearSiteReferences(fields: Fields, values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields as Record<string, AnyField>).map(([name, field]) => {
      const value = (values as Record<string, unknown>)[name]
      if (SITE_BOUND_KINDS.has(field.kind)) return [name, field.empty]
      if (field.kind !== 'list') return [name, value]
      return [name, (value as { id: string }[]).map((item) => ({ id: item.id, ...clearSiteReferences(field.fields, item) }))]
    }),
  )
}
