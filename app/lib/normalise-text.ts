const REPLACED_CHARACTERS: Record<string, string> = { œ: 'oe', æ: 'ae', ß: 'ss', '’': "'", '‘': "'" }

/** Text normalised for searching: without accents (Welsh ŵ and ŷ included), in lower case, with single spaces. */
export function normaliseText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[œæß’‘]/g, (letter) => REPLACED_CHARACTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
}
