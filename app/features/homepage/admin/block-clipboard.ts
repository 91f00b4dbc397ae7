import { COPIED_ITEM } from '#app/lib/stored-items.ts'
import * as v from 'valibot'
import type { AnyField, Fields } from '../block-fields.ts'
import { BLOCKS, CONTENT_SCHEMA, type HomeBlock, readBlocks } from '../homepage.schema.ts'

const STORAGE_KEY = COPIED_ITEM.name

/** Clipboard payload. It names the source site, because no other site has its projects, surveys and files. */
const copiedSchema = v.object({
  parley: v.literal('blocks'),
  site: v.string(),
  schema: v.number(),
  blocks: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(200)),
})

export interface PastedBlocks {
  blocks: HomeBlock[]
  /** True if references to things that this site does not have were removed. */
  hasOmissions: boolean
}

export const toClipboardText = (blocks: readonly HomeBlock[], site: string): string =>
  JSON.stringify({ parley: 'blocks', site, schema: CONTENT_SCHEMA, blocks })

/** Writes blocks to the system clipboard, for any site, and to local storage, for this site if the clipboard is refused. */
export async function copyBlocks(blocks: readonly HomeBlock[], site: string): Promise<void> {
  const text = toClipboardText(blocks, site)
  try {
    localStorage.setItem(STORAGE_KEY, text)
  } catch {
    // Storage may be blocked: the clipboard still works.
  }
  await navigator.clipboard?.writeText(text).catch(() => {})
}

/** The last copied blocks: from the system clipboard, or else from local storage. */
export async function pasteBlocks(site: string, newId: () => string): Promise<PastedBlocks | undefined> {
  const pasted = await navigator.clipboard?.readText().catch(() => '')
  return parseCopiedBlocks(pasted ?? '', site, newId) ?? parseCopiedBlocks(readStoredCopy(), site, newId)
}

function readStoredCopy(): string {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? ''
  } catch {
    return ''
  }
}

/** Parses blocks and gives them new ids. Clipboard content is untrusted, so it is validated. */
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

const SITE_BOUND_KINDS = new Set<AnyField['kind']>(['project', 'projects', 'survey', 'dataset', 'picture', 'question', 'theme'])

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
