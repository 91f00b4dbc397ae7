import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'

export const SEARCH_KINDS = ['project', 'survey', 'results', 'hub', 'page', 'update', 'event', 'contribution'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

export interface SearchHit {
  kind: SearchKind
  slug: string
  /** The project of an update, a survey or an event. */
  projectSlug: string | null
  /** The activity of a contribution. */
  activitySlug?: string
  title: LocalisedText
  excerpt: LocalisedText
}

export interface SearchView {
  words: string
  hits: SearchHit[]
}

/** Parses the search page's parameters; invalid ones are dropped. */
export const readSiteSearch = ({ q }: Record<string, unknown>): { q?: string } => omitUndefined({ q: readTextParam(q, 200) })
