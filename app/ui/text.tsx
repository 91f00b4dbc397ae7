import type { LocalisedText } from '#app/lib/localised-text.ts'

/** A text that may be in another language than the page: says so where it is. */
export function Text({ words }: { words: LocalisedText }) {
  return words.lang ? <span lang={words.lang}>{words.text}</span> : words.text
}
