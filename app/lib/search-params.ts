/**
 * The query of an address as plain text, as forms send it: `?q=2027` is the word 2027 and a name that comes twice is a list. Routes
 * make numbers of words in their own `validateSearch`.
 */
export function parseSearchParams(search: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    const known = Object.hasOwn(read, name) ? read[name] : undefined
    read[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return read
}

export function stringifySearchParams(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const single of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof single === 'string' || typeof single === 'number' || typeof single === 'boolean') query.append(name, String(single))
    }
  }
  return query.size ? `?${query}` : ''
}
