import { BeyondLimitsError } from './beyond-limits.ts'

/** An element with all of its text concatenated. */
export interface XmlElement {
  name: string
  text: string
  children: XmlElement[]
}

const MAX_ELEMENTS = 200_000
const DEEPEST_ELEMENT = 50
const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const MARKUP_PATTERN = /<!\[CDATA\[([^]*?)\]\]>|<!--[^]*?-->|<\?[^]*?\?>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)(?:\s[^<>]*?)?(\/)?>|([^<]+)/y

/**
 * Parses XML. Refuses document type definitions, which could expand a small file or load external entities. Drops attributes.
 * @throws {BeyondLimitsError} for more elements than any survey has; anything else if it is not well formed, nested too deep, or declares a
 * type
 */
export function parseXml(document: string): XmlElement {
  const text = document.replace(/^\uFEFF/, '')
  const root: XmlElement = { name: '', text: '', children: [] }
  const open: XmlElement[] = [root]
  let elements = 0
  MARKUP_PATTERN.lastIndex = 0
  while (MARKUP_PATTERN.lastIndex < text.length) {
    const found = MARKUP_PATTERN.exec(text)
    const inside = open.at(-1)
    if (!found || !inside) throw new Error('Not well formed')
    const [, data, closed, opened, empty, words] = found
    if (data !== undefined) inside.text += data
    else if (words !== undefined) inside.text += words.replace(/&([^;]{0,20});/g, (_, name: string) => decodeEntity(name))
    else if (closed !== undefined) {
      if (open.length === 1 || inside.name !== closed) throw new Error('Not well formed')
      open.pop()
    } else if (opened !== undefined) {
      if (open.length > DEEPEST_ELEMENT) throw new Error('Nested too deep')
      if (++elements > MAX_ELEMENTS) throw new BeyondLimitsError()
      const element: XmlElement = { name: opened, text: '', children: [] }
      inside.children.push(element)
      if (!empty) open.push(element)
    }
  }
  const [first] = root.children
  if (open.length > 1 || !first || root.children.length > 1) throw new Error('Not well formed')
  return first
}

function decodeEntity(name: string): string {
  const code = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name)
  if (code) {
    const point = code[1] ? Number.parseInt(code[1], 16) : Number(code[2])
    if (point > 0 && point <= 0x10ffff) return String.fromCodePoint(point).toWellFormed()
  }
  const known = NAMED_ENTITIES[name]
  if (known === undefined) throw new Error('Unknown entity')
  return known
}
