import type { ResourceObject } from './protocol.ts'

/** A resource object as JSON that was made before. */
export class ResourceText {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  toJSON(): ResourceObject {
    return JSON.parse(this.bytes.toString()) as ResourceObject
  }
}

const [COMMA, OPEN, CLOSE] = [Buffer.from(','), Buffer.from('['), Buffer.from(']')]

/** A document as JSON. Resource objects that are text already are not made into text again. */
export function encodeDocument(document: unknown): Buffer {
  if (typeof document !== 'object' || document === null || !Object.values(document).some(hasText)) return toJson(document)
  const parts: Buffer[] = []
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue
    parts.push(Buffer.from(`${parts.length > 0 ? ',' : '{'}${JSON.stringify(name)}:`))
    if (value instanceof ResourceText) parts.push(value.bytes)
    else if (hasText(value)) parts.push(...encodeList(value as readonly unknown[]))
    else parts.push(toJson(value))
  }
  return Buffer.concat([...parts, Buffer.from('}')])
}

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const hasText = (value: unknown): boolean =>
  value instanceof ResourceText || (Array.isArray(value) && value.some((item) => item instanceof ResourceText))

const encodeList = (items: readonly unknown[]): Buffer[] => [
  OPEN,
  ...items.flatMap((item, at) => {
    const bytes = item instanceof ResourceText ? item.bytes : toJson(item)
    return at > 0 ? [COMMA, bytes] : [bytes]
  }),
  CLOSE,
]
