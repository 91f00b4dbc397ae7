import * as v from 'valibot'
import type { Words } from '#app/lib/words.ts'

export const SEARCH_KINDS = ['project', 'hub', 'page', 'update'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export interface SearchHit {
  kind: SearchKind
  slug: string
  /** Of an update: its project. */
  projectSlug: string | null
  title: Words
  excerpt: Words
}

export interface SearchView {
  words: string
  hits: SearchHit[]
}

const typed = v.pipe(v.string(), v.regex(/\S/), v.maxLength(200))

/** Reads the parameters of the search page; what is broken is left out. */
export function readSiteSearch(given: Record<string, unknown>): { q?: string } {
  const q = v.safeParse(typed, given['q'])
  return q.success ? { q: q.output } : {}
}
