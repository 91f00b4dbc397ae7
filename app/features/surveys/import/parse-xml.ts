import { SaxesParser } from 'saxes'
import { BeyondLimitsError } from './beyond-limits.ts'

/** An element with all of its text concatenated. */
export interface XmlElement {
  name: string
  text: string
  children: XmlElement[]
}

const MAX_ELEMENTS = 200_000
const DEEPEST_ELEMENT = 50
// oxlint-disable-next-line no-control-regex -- XML does not allow these control characters, but LimeSurvey writes those that people paste
const FORBIDDEN_CHARACTERS = /[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/**
 * Parses XML. Refuses document type definitions, which could expand a small file or load external entities. Drops attributes.
 * @throws {BeyondLimitsError} for more elements than any survey has; anything else if it is not well formed, nested too deep, or declares a
 * type
 */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: '', text: '', children: [] }
  const open: XmlElement[] = []
  let inside = root
  let elements = 0
  const parser = new SaxesParser({ position: false })
  const addText = (text: string) => {
    inside.text += text
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('Declares a document type')
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ name }) => {
    if (open.length >= DEEPEST_ELEMENT) throw new Error('Nested too deep')
    if (++elements > MAX_ELEMENTS) throw new BeyondLimitsError()
    const element: XmlElement = { name, text: '', children: [] }
    inside.children.push(element)
    open.push(inside)
    inside = element
  })
  parser.on('closetag', () => {
    inside = open.pop() ?? root
  })
  parser.write(document.replace(FORBIDDEN_CHARACTERS, '')).close()
  const [first] = root.children
  if (!first) throw new Error('Empty')
  return first
}
