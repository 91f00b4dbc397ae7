const MAX_NESTED = 100
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Refuses JSON nested deeper than any survey, because parsing it could overflow the stack. Linear time, whether or not the text is well
 * formed.
 * @throws {Error}
 */
export function assertShallow(json: string): void {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === QUOTE) at = findEndOfString(json, at)
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth += 1
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1
    if (depth > MAX_NESTED) throw new Error('Nested too deep')
  }
}

/** Index of the closing quote of the string that starts at `from`; the end of the text if there is none. */
function findEndOfString(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === QUOTE) return at
    if (sign === BACKSLASH) at += 1
  }
  return json.length
}
