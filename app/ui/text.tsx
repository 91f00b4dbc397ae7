import { getDirection } from '#app/lib/added-languages.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'

/** A text that may not be in the page's language; if so, it is marked with `lang`. */
export function Text({ words }: { words: LocalisedText }) {
  return words.lang ? (
    <span lang={words.lang} dir={getDirection(words.lang)}>
      {words.text}
    </span>
  ) : (
    words.text
  )
}
