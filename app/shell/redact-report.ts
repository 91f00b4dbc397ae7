const TYPED_FIELDS = 'textarea, input:not([type=hidden], [type=radio], [type=checkbox], [type=submit], [type=button], [type=file])'
const MIN_WORD_LENGTH = 4
/** What follows the path of an address: tokens of links, search words. */
const BEHIND_PATH = /((?:https?:\/\/|\/)[^\s?#"'<>]*)[?#][^\s"'<>]*/g

/** Removes user input from an error report: queries of addresses, and every word from a field or the page's own query. */
export function redactReport<Report>(report: Report): Report {
  const said = collectPageWords()
  const redactText = (text: string) => said.reduce((left, word) => left.replaceAll(word, '…'), text.replace(BEHIND_PATH, '$1'))
  const seen = new WeakMap<object, unknown>()
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value)
    if (typeof value !== 'object' || value === null) return value
    const isList = Array.isArray(value)
    if (!isList && Object.getPrototypeOf(value) !== Object.prototype) return value
    const known = seen.get(value)
    if (known) return known
    const copy: Record<string, unknown> = (isList ? [] : {}) as Record<string, unknown>
    seen.set(value, copy)
    for (const [key, own] of Object.entries(value)) copy[key] = redactValue(own)
    return copy
  }
  return redactValue(report) as Report
}

function collectPageWords(): string[] {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TYPED_FIELDS)].map(({ value }) => value)
  const query = [...new URLSearchParams(location.search).values(), ...location.hash.slice(1).split('=')]
  const words = [...fields, ...query].filter((word) => word.length >= MIN_WORD_LENGTH)
  return [...words, ...words.map(encodeURIComponent)].toSorted((a, b) => b.length - a.length)
}
