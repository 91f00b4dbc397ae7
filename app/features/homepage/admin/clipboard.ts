import * as v from 'valibot'
import { type HomeBlock, homeBlockSchema } from '../homepage.schema.ts'

const KEPT = 'parley.copied-block'

/** Puts a block where any page of this site can take it from, and into the machine's clipboard for other sites. */
export function copyBlock(block: HomeBlock): void {
  const text = JSON.stringify(block)
  localStorage.setItem(KEPT, text)
  void navigator.clipboard?.writeText(text).catch(() => {})
}

/** The block that was copied last, under a new id: checked like anything that comes from outside. */
export async function pasteBlock(id: string): Promise<HomeBlock | undefined> {
  const kept = localStorage.getItem(KEPT)
  const held = kept ? undefined : await navigator.clipboard?.readText().catch(() => {})
  return readBlock(kept ?? held ?? '', id)
}

export function readBlock(text: string, id: string): HomeBlock | undefined {
  try {
    const given: unknown = JSON.parse(text)
    if (typeof given !== 'object' || given === null) return undefined
    const read = v.safeParse(homeBlockSchema, { ...given, id })
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}
