import { UNSAVED_ITEM } from '#app/lib/stored-items.ts'

interface UnsavedDraft {
  /** Id of the version it is based on, and its content. */
  parent: string | null
  base: unknown
  content: unknown
  at: string
  /** Versions sent earlier without an answer: they may have been stored all the same. */
  sent: readonly unknown[]
}

const MAX_SENT_VERSIONS = 4

const buildStorageKey = (name: string) => `${UNSAVED_ITEM.name}${name}`

/** Keeps unsaved work on this device until it is saved, so that it survives a crash of the server or the browser. */
export function storeUnsaved(name: string, unsaved: UnsavedDraft): void {
  try {
    localStorage.setItem(buildStorageKey(name), JSON.stringify(unsaved))
  } catch {
    // Without local storage the editor still has it in memory.
  }
}

export function clearUnsaved(name: string): void {
  try {
    localStorage.removeItem(buildStorageKey(name))
  } catch {
    // Then nothing was stored either.
  }
}

/** Appends a sent version. Beyond the limit the first one is kept, as the most likely to have been stored. */
export const appendSent = (sent: readonly unknown[], content: unknown): readonly unknown[] => [
  ...sent.slice(0, 1),
  ...[...sent.slice(1), content].slice(1 - MAX_SENT_VERSIONS),
]

/** What could not be saved the last time this was edited on this device. */
export function findUnsaved(name: string): UnsavedDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(buildStorageKey(name)) ?? 'null')
    const read = readFormerCopy(stored) ?? (stored as Partial<UnsavedDraft> | null)
    if (!read || typeof read.at !== 'string' || read.content === undefined) return undefined
    return {
      parent: typeof read.parent === 'string' ? read.parent : null,
      base: read.base,
      content: read.content,
      at: read.at,
      sent: Array.isArray(read.sent) ? read.sent : [],
    }
  } catch {
    return undefined
  }
}

/** A copy from the former editor of surveys, left on the device during an upgrade. */
function readFormerCopy(stored: unknown): UnsavedDraft | undefined {
  const { base, draft, at } = (stored ?? {}) as { base?: { draft?: unknown; lockVersion?: number }; draft?: unknown; at?: string }
  if (!base?.draft || !draft || !at) return undefined
  return { parent: String(base.lockVersion), base: base.draft, content: draft, at, sent: [] }
}
