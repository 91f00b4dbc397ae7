import type { LocalisedText } from '#app/lib/localised-text.ts'
import { language, line, list, plain, reference } from '../../block-fields.ts'
import { defineBlockShowing } from '../../define-block.ts'

export interface VoicesData {
  /** Projects named by quotes, limited to those the viewer may see. */
  projects: { id: string; slug: string; title: LocalisedText }[]
}

/** Quotes from participants in their own words and language, never translated. */
export const voices = defineBlockShowing<VoicesData>()(
  'voices',
  { title: line(), quotes: list({ text: plain(), language: language(), projectId: reference('project') }, 12) },
  { isEmpty: ({ quotes }) => quotes.every((quote) => quote.text.trim() === '') },
)
