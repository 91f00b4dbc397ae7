import { buildSearchFields } from '#app/lib/search-fields.ts'
import type { Translated } from '#app/lib/translated.ts'

interface SearchedTexts {
  title: Translated
  summary?: Translated | null | undefined
  body?: Translated | null | undefined
  outcome?: Translated | null | undefined
  /** As stored: questions with their answers. */
  faqs?: unknown
}

export const SEARCHED_COLUMNS = ['title', 'summary', 'body', 'outcome', 'faqs'] as const satisfies readonly (keyof SearchedTexts)[]

/** The search columns of a project: what its page says, with the answers to frequent questions. */
export function buildProjectSearchFields({ title, summary, body, outcome, faqs }: SearchedTexts) {
  const asked = Array.isArray(faqs) ? (faqs as { question?: Translated; answer?: Translated }[]) : []
  return buildSearchFields(title, summary, body, outcome, ...asked.flatMap(({ question, answer }) => [question, answer]))
}
