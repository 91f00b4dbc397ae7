import type { LocalisedText } from '#app/lib/localised-text.ts'
import { language, line, list, plain, reference } from '../../block-fields.ts'
import { defineBlockShowing } from '../../define-block.ts'

export interface VoicesData {
  /** The projects that quotes name and the viewer may see. */
  projects: { id: string; slug: string; title: LocalisedText }[]
}

/** What people said, in their own words and language: never translated. */
export const voices = defineBlockShowing<VoicesData>()(
  'voices',
  { title: line(), quotes: list({ text: plain(), language: language(), projectId: reference('project') }, 12) },
  { isEmpty: ({ quotes }) => quotes.every((quote) => quote.text.trim() === '') },
)
