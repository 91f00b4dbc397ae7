/** A repeatable stream of choices: the same seed gives the same choices on every machine. Not for secrets. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** A key chosen in proportion to its weight; weights of zero or less are never picked. */
  weighted<K extends string>(weights: Partial<Record<K, number>>): K
  normal(mean: number, deviation: number): number
  shuffle<T>(list: readonly T[]): T[]
}

export function createRandom(seed: string): Random {
  let state = hashSeed(seed)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick(list) {
      if (list.length === 0) throw new Error('Nothing to pick from')
      return list[Math.floor(next() * list.length)]!
    },
    weighted<K extends string>(weights: Partial<Record<K, number>>) {
      let total = 0
      for (const key in weights) total += Math.max(0, weights[key] ?? 0)
      if (total === 0) throw new Error('Nothing to pick from')
      let left = next() * total
      let taken: K | undefined
      for (const key in weights) {
        const weight = weights[key] ?? 0
        if (weight <= 0) continue
        taken = key
        left -= weight
        if (left < 0) break
      }
      return taken!
    },
    normal(mean, deviation) {
      const spread = Math.sqrt(-2 * Math.log(1 - next()))
      return mean + deviation * spread * Math.cos(2 * Math.PI * next())
    },
    shuffle(list) {
      const copy = [...list]
      for (let at = copy.length - 1; at > 0; at--) {
        const other = int(0, at)
        ;[copy[at], copy[other]] = [copy[other]!, copy[at]!]
      }
      return copy
    },
  }
}

/** FNV-1a, 32 bits. */
function hashSeed(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value | 0
}
