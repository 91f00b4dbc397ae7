import fc from 'fast-check'
import { anyJson, anyText } from './schema-values.ts'

/** One thing wrong with a document: somewhere in it a value is replaced, left out or added. */
interface Mutation {
  at: number
  how: 'replace' | 'remove' | 'add'
  name: string
  value: unknown
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({ at: fc.nat(400), how: fc.constantFrom('replace', 'remove', 'add'), name: anyText, value: anyJson }),
  { maxLength: 2 },
)

type Container = Record<string | number, unknown>

export function mutateDocument(document: unknown, all: readonly Mutation[]): unknown {
  const root: Container = { document: structuredClone(document) }
  for (const { at, how, name, value } of all) {
    const places = listPlaces(root)
    const place = places[at % places.length]
    if (!place) continue
    const { holder, key } = place
    const inner = holder[key]
    // Values are shared: a later change would change them for all, or put one into itself.
    const own = structuredClone(value)
    if (how === 'replace') holder[key] = own
    else if (how === 'add' && typeof inner === 'object' && inner !== null) (inner as Container)[name] = own
    else if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else Reflect.deleteProperty(holder, key)
  }
  return root['document']
}

function listPlaces(holder: Container): { holder: Container; key: string }[] {
  return Object.entries(holder).flatMap(([key, inner]) => [
    { holder, key },
    ...(typeof inner === 'object' && inner !== null ? listPlaces(inner as Container) : []),
  ])
}
