/** Length in code points: an accented letter or an emoji of one code point counts as one character, and so does a line break. */
export const countCharacters = (text: string): number => Array.from(text).length

/** Removes stray spaces and unprintable characters. */
export function tidyText(text: string, oneLine: boolean): string {
  const lines = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\p{Noncharacter_Code_Point}]/gu, (unprintable) => (unprintable === '\n' || unprintable === '\t' ? unprintable : ''))
  return (oneLine ? lines.replace(/\s*\n\s*/g, ' ') : lines).trim()
}

/** Parses a number typed in any of the languages: `1 200,50`, `1,200.50`, `1200.5`; otherwise returns the text as typed. */
export function parseTypedNumber(typed: string): number | string | undefined {
  const text = tidyText(typed, true)
  if (!text) return undefined
  const bare = text.replace(/[\s\u00A0\u202F]/g, '').replace(/^[$£€]|[$£€%]$/g, '')
  const plain = /^[-−]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare.replace(/,(?=\d+$)/, '.')
  const number = Number(plain.replace('−', '-'))
  return /^[-−]?(\d+\.?\d*|\.\d+)$/.test(plain) && Number.isFinite(number) ? number : text
}

/** Whether a text matches the pattern: `A` is a letter, `9` a digit, `*` either, anything else itself. */
export function isPatternMatch(text: string, pattern: string): boolean {
  const letters = Array.from(text)
  const marks = Array.from(pattern)
  return (
    letters.length === marks.length &&
    marks.every((mark, index) => {
      const letter = letters[index] ?? ''
      if (mark === 'A') return /\p{L}/u.test(letter)
      if (mark === '9') return /\d/.test(letter)
      if (mark === '*') return /[\p{L}\d]/u.test(letter)
      return letter.toLowerCase() === mark.toLowerCase()
    })
  )
}
