import type { Track } from '#app/lib/vocabulary/contributions.ts'

/**
 * How much each position of a line or closed ring matters, after Visvalingam: the area of the triangle it makes with its neighbours, when it
 * is its turn to go. The ends, and the last `least` positions, are Infinity. Takes n log n, whatever the line.
 */
export function rankPositions(track: Track, least: number): Float64Array {
  const count = track.length / 2
  const ranks = new Float64Array(count).fill(Infinity)
  const before = Int32Array.from({ length: count }, (_, at) => at - 1)
  const after = Int32Array.from({ length: count }, (_, at) => at + 1)
  const narrowing = Math.cos(((track[1] ?? 0) * Math.PI) / 180)
  const measureTriangle = (at: number) => {
    const xOf = (of: number) => (track[of * 2] ?? 0) * narrowing
    const yOf = (of: number) => track[of * 2 + 1] ?? 0
    const [a, c] = [before[at] ?? 0, after[at] ?? 0]
    return Math.abs((xOf(at) - xOf(a)) * (yOf(c) - yOf(a)) - (xOf(c) - xOf(a)) * (yOf(at) - yOf(a))) / 2
  }
  const queue = new AreaQueue(count)
  for (let at = 1; at < count - 1; at++) queue.put(at, measureTriangle(at))
  let reached = 0
  for (let left = count; left > least; left--) {
    const at = queue.takeLeast()
    if (at === undefined) break
    reached = Math.max(reached, queue.areaOf(at))
    ranks[at] = reached
    const [a, c] = [before[at] ?? 0, after[at] ?? 0]
    after[a] = c
    before[c] = a
    if (a > 0) queue.put(a, measureTriangle(a))
    if (c < count - 1) queue.put(c, measureTriangle(c))
  }
  return ranks
}

/** Positions by the area of their triangle, the least first. An area can change. */
class AreaQueue {
  readonly #areas: Float64Array
  readonly #heap: number[] = []
  /** Where each position is in the heap; -1 if it is not. */
  readonly #places: Int32Array

  constructor(count: number) {
    this.#areas = new Float64Array(count)
    this.#places = new Int32Array(count).fill(-1)
  }

  areaOf(at: number): number {
    return this.#areas[at] ?? 0
  }

  put(at: number, area: number): void {
    this.#areas[at] = area
    if (this.#places[at] === -1) this.#place(this.#heap.push(at) - 1, at)
    this.#rise(this.#places[at] ?? 0)
    this.#sink(this.#places[at] ?? 0)
  }

  takeLeast(): number | undefined {
    const [least] = this.#heap
    const last = this.#heap.pop()
    if (least === undefined || last === undefined) return undefined
    this.#places[least] = -1
    if (last !== least) {
      this.#place(0, last)
      this.#sink(0)
    }
    return least
  }

  #place(place: number, at: number): void {
    this.#heap[place] = at
    this.#places[at] = place
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one] ?? 0, this.#heap[other] ?? 0]
    this.#place(one, b)
    this.#place(other, a)
  }

  #areaAt(place: number): number {
    const at = this.#heap[place]
    return at === undefined ? Infinity : this.areaOf(at)
  }

  #rise(from: number): void {
    for (let place = from; place > 0;) {
      const parent = (place - 1) >> 1
      if (this.#areaAt(parent) <= this.#areaAt(place)) return
      this.#swap(parent, place)
      place = parent
    }
  }

  #sink(from: number): void {
    for (let place = from; ;) {
      const [left, right] = [place * 2 + 1, place * 2 + 2]
      const child = this.#areaAt(right) < this.#areaAt(left) ? right : left
      if (this.#areaAt(child) >= this.#areaAt(place)) return
      this.#swap(child, place)
      place = child
    }
  }
}
