import type { LocalisedText } from '#app/lib/localised-text.ts'

/** A published decision that rests on what people wrote, as it stands beside their figures. */
export interface OutcomeView {
  title: LocalisedText
  /** What became of what people asked for, and how far it is, in words. */
  words: string
  /** Of the decision on the project's page, without a language. */
  href: string
}
