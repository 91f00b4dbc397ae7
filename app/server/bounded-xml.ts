import { SaxesParser } from 'saxes'

export interface XmlBounds {
  /** Nesting of elements. */
  depth: number
  elements: number
  /** Of all elements, declarations of namespaces among them. */
  attributes: number
  /** Of one attribute's value, in characters. */
  attributeLength: number
  /** Declarations that count for one element: its own and those of the elements around it. */
  namespaces: number
}

export class XmlBeyondBounds extends Error {
  override readonly name = 'XmlBeyondBounds'
  readonly bound: keyof XmlBounds
  constructor(bound: keyof XmlBounds) {
    super(`More ${bound} than allowed`)
    this.bound = bound
  }
}

/** Whatever throws here ends the reading. */
export interface XmlReader {
  cdata: (text: string) => void
  comment: () => void
  instruction: () => void
  open: (element: { local: string; attributes: readonly { local: string; value: string }[] }) => void
  close: () => void
  text?: (text: string) => void
}

/**
 * Reads XML in linear time: what is nested or declared beyond the bounds ends it before more is read. Parsers that build a tree, and those that
 * look namespaces up, take quadratic time for either, so they must only see what this has read. A document type is refused, because it could
 * expand a small file or load others.
 * @throws {XmlBeyondBounds}; anything else if it is not well formed or declares a type
 */
export function readBoundedXml(xml: string, bounds: XmlBounds, reader: XmlReader): void {
  const parser = new SaxesParser({ xmlns: true, position: false })
  /** For each open element, how many namespaces it declares. */
  const declared: number[] = []
  let [elements, attributes, namespaces] = [0, 0, 0]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('Declares a document type')
  })
  parser.on('opentagstart', () => {
    if (++elements > bounds.elements) throw new XmlBeyondBounds('elements')
    if (declared.push(0) > bounds.depth) throw new XmlBeyondBounds('depth')
  })
  parser.on('attribute', ({ name, prefix, value }) => {
    if (++attributes > bounds.attributes) throw new XmlBeyondBounds('attributes')
    if (value.length > bounds.attributeLength) throw new XmlBeyondBounds('attributeLength')
    if (prefix !== 'xmlns' && name !== 'xmlns') return
    declared.push((declared.pop() ?? 0) + 1)
    if (++namespaces > bounds.namespaces) throw new XmlBeyondBounds('namespaces')
  })
  parser.on('opentag', ({ local, attributes: own }) => reader.open({ local, attributes: Object.values(own) }))
  parser.on('closetag', () => {
    namespaces -= declared.pop() ?? 0
    reader.close()
  })
  if (reader.text) parser.on('text', reader.text)
  parser.on('cdata', reader.cdata)
  parser.on('comment', reader.comment)
  parser.on('processinginstruction', reader.instruction)
  parser.write(xml).close()
}
