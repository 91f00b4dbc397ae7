import { kml } from '@tmcw/togeojson'
import { readBoundedXml, type XmlBounds, XmlBeyondBounds } from '#app/server/bounded-xml.ts'
import { type FileFeature, refuseFile } from './file-feature.server.ts'

const BOUNDS: XmlBounds = { depth: 60, elements: 400_000, attributes: 400_000, attributeLength: 10_000, namespaces: 40 }
/** How shapes look, which is no column. */
const LOOKS = /^(stroke|fill|icon|label|style|@|visibility$|open$|timespan$|timestamp$|coordinateProperties$)/i

/** A text, or an element: as much of the DOM as the converter asks for. */
class KmlNode {
  readonly nodeType: number
  readonly tagName: string
  readonly parentNode: KmlNode | null
  readonly childNodes = new KmlList()
  readonly #attributes: ReadonlyMap<string, string>
  readonly #text: string

  constructor(of: { tagName?: string; text?: string; parent?: KmlNode | null; attributes?: ReadonlyMap<string, string> }) {
    this.nodeType = of.tagName === undefined ? 3 : 1
    this.tagName = of.tagName ?? ''
    this.parentNode = of.parent ?? null
    this.#attributes = of.attributes ?? new Map()
    this.#text = of.text ?? ''
  }

  get localName(): string {
    return this.tagName
  }

  get nodeName(): string {
    return this.tagName
  }

  get textContent(): string {
    return this.nodeType === 3 ? this.#text : this.childNodes.map((child) => child.textContent).join('')
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null
  }

  getElementsByTagName(name: string): KmlNode[] {
    const found: KmlNode[] = []
    const left = [...this.childNodes].toReversed()
    for (let next = left.pop(); next; next = left.pop()) {
      if (next.tagName === name) found.push(next)
      for (let at = next.childNodes.length - 1; at >= 0; at--) left.push(next.childNodes.item(at))
    }
    return found
  }

  getElementsByTagNameNS(_namespace: string, name: string): KmlNode[] {
    return this.getElementsByTagName(name)
  }

  /** Texts are whole already. */
  normalize(): void {}
}

class KmlList extends Array<KmlNode> {
  item(at: number): KmlNode {
    const found = this[at]
    if (!found) throw new RangeError('No such node')
    return found
  }
}

/**
 * Placemarks of a KML file, in degrees. A document type, which could expand a small file, is refused.
 * @throws {AppError} `invalid` at `/upload`: `area-file-unreadable`, `area-file-too-detailed`
 */
export function readKml(text: string): FileFeature[] {
  const root = parseTree(text)
  if (root.getElementsByTagName('Placemark').length === 0) refuseFile('area-file-no-outlines')
  // The converter asks for no more of a document than the nodes here have.
  const { features } = kml(root)
  return features.map(({ geometry, properties }) => ({
    geometry,
    properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => !LOOKS.test(name))),
  }))
}

function parseTree(text: string): KmlNode {
  const root = new KmlNode({ tagName: '#document' })
  let inside = root
  const addText = (found: string) => {
    inside.childNodes.push(new KmlNode({ text: found, parent: inside }))
  }
  try {
    readBoundedXml(text, BOUNDS, {
      open: ({ local, attributes }) => {
        const next = new KmlNode({
          tagName: local,
          parent: inside,
          attributes: new Map(attributes.map(({ local: name, value }) => [name, value])),
        })
        inside.childNodes.push(next)
        inside = next
      },
      close: () => {
        inside = inside.parentNode ?? root
      },
      text: addText,
      cdata: addText,
      comment: () => undefined,
      instruction: () => undefined,
    })
  } catch (error) {
    return refuseFile(error instanceof XmlBeyondBounds ? 'area-file-too-detailed' : 'area-file-unreadable')
  }
  return root
}
