import type { Words } from '#app/lib/words.ts'

/** A text that may be in another language than the page: says so where it is. */
export function Text({ words }: { words: Words }) {
  return words.lang ? <span lang={words.lang}>{words.text}</span> : words.text
}
