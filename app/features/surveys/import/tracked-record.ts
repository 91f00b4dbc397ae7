/** A property of a source file that nothing has read. */
export interface UnreadProperty {
  /** Its name, with the place inside nested parts: `choices[2].imageLink`. */
  name: string
  value: unknown
}

/**
 * An object of a source file that remembers which of its properties were read. Whatever is left in the end was not understood, so it is
 * named in the report: an importer cannot lose a property without saying so.
 */
export class TrackedRecord {
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #read: Set<string>
  readonly #parts = new Map<string, TrackedItem[]>()

  /** @param read shared by rows that say the same in several languages */
  constructor(fields: Readonly<Record<string, unknown>>, read = new Set<string>()) {
    this.#fields = fields
    this.#read = read
  }

  get(name: string): unknown {
    this.#read.add(name)
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined
  }

  /** Its text or number as text; otherwise ''. */
  text(name: string): string {
    const value = this.get(name)
    return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  }

  /** Its number, also if it is written as text. */
  number(name: string): number | undefined {
    const value = this.text(name).trim()
    return value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
  }

  flag(name: string): boolean {
    return /^(true|1|y|yes)$/i.test(this.text(name))
  }

  /** The entries of a list; objects among them are tracked as parts of this one. */
  items(name: string): readonly TrackedItem[] {
    const known = this.#parts.get(name)
    if (known) return known
    const value = this.get(name)
    const items = (Array.isArray(value) ? value : isRecord(value) ? [value] : []).map((each: unknown) =>
      isRecord(each) ? new TrackedRecord(each) : each,
    )
    this.#parts.set(name, items)
    return items
  }

  records(name: string): readonly TrackedRecord[] {
    return this.items(name).filter((each) => each instanceof TrackedRecord)
  }

  /** Whether one of its texts matches, which does not count as reading it. */
  matches(pattern: RegExp): boolean {
    return Object.values(this.#fields).some((value) => typeof value === 'string' && pattern.test(value))
  }

  get names(): string[] {
    return Object.keys(this.#fields)
  }

  /** Counts properties as read that mean nothing outside of the other tool. */
  skip(names: Iterable<string>): void {
    for (const name of names) this.#read.add(name)
  }

  listUnread(): UnreadProperty[] {
    return this.names.flatMap((name): UnreadProperty[] => {
      if (!this.#read.has(name)) return [{ name, value: this.#fields[name] }]
      return (this.#parts.get(name) ?? []).flatMap((each, index) =>
        each instanceof TrackedRecord ? each.listUnread().map((unread) => ({ ...unread, name: `${name}[${index}].${unread.name}` })) : [],
      )
    })
  }
}

type TrackedItem = unknown

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
