import { LANGUAGES, type Language } from '#app/lib/languages.ts'

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Other tools' markup as plain text. */
export const toPlainText = (text: string): string =>
  text
    .replace(/<(script|style)\b[\s\S]{0,20000}?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]{0,5000}?-->/g, '')
    .replace(/<(br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]{0,500}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .toWellFormed()
    .replaceAll('\0', '')
    .trim()

/** Our language for the name in another tool: `fr`, `French (fr)`, `cy-GB`, `en_GB`, `English`. */
export function findLanguage(name: string): Language | undefined {
  const tag = (/\(([A-Za-z]{2,3}(?:[-_][A-Za-z]+)?)\)\s*$/.exec(name)?.[1] ?? name).trim().toLowerCase()
  const code = LANGUAGE_WORDS[tag] ?? tag.split(/[-_]/)[0]
  return LANGUAGES.find((language) => language.slice(0, 2) === code)
}

const LANGUAGE_WORDS: Record<string, string> = {
  english: 'en',
  french: 'fr',
  français: 'fr',
  francais: 'fr',
  welsh: 'cy',
  cymraeg: 'cy',
  eng: 'en',
  fra: 'fr',
  fre: 'fr',
  cym: 'cy',
}

/** Splits a text at the last line, sentence or word that ends within `max`. */
export function splitText(text: string, max: number): [start: string, rest: string] {
  if (text.length <= max) return [text, '']
  const start = text.slice(0, max)
  const ends = [start.lastIndexOf('\n'), Math.max(start.lastIndexOf('. '), start.lastIndexOf('? ')) + 1, start.lastIndexOf(' ')]
  const at = ends.find((end) => end > max / 4) ?? max
  return [text.slice(0, at).trim().toWellFormed(), text.slice(at).trim().toWellFormed()]
}
