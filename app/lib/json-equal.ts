/** True if two values are the same JSON, whatever the order of their keys (PostgreSQL's jsonb reorders them). */
export function isJsonEqual(a: unknown, b: unknown): boolean {
  return a === b || toCanonicalJson(a) === toCanonicalJson(b)
}

/** JSON whose keys are in order at every depth. */
export const toCanonicalJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  )
