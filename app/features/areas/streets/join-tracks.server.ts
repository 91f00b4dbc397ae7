/**
 * Joins lines that begin where another ends. Where more than two meet, any two of them become one.
 * @param tracks each of `[x, y, x, y, …]`
 */
export function joinTracks(tracks: readonly Float32Array[]): Float32Array[] {
  const byEnd = new Map<string, number[]>()
  for (const [number, track] of tracks.entries()) {
    for (const key of [startOf(track), endOf(track)]) {
      const found = byEnd.get(key)
      if (found) found.push(number)
      else byEnd.set(key, [number])
    }
  }
  const isUsed = new Uint8Array(tracks.length)
  const takeNext = (key: string): Float32Array | undefined => {
    const number = byEnd.get(key)?.find((each) => !isUsed[each])
    if (number === undefined) return undefined
    isUsed[number] = 1
    return tracks[number]
  }
  const joined: Float32Array[] = []
  for (const [number, track] of tracks.entries()) {
    if (isUsed[number]) continue
    isUsed[number] = 1
    const after = followTrack(track, takeNext)
    const before = followTrack(reverseTrack(track), takeNext).slice(1).map(reverseTrack).toReversed()
    joined.push(mergeTracks([...before, ...after]))
  }
  return joined
}

/** A line and those that go on from its end, each in its direction. */
function followTrack(track: Float32Array, takeNext: (key: string) => Float32Array | undefined): Float32Array[] {
  const chain = [track]
  for (let end = endOf(track), next = takeNext(end); next; next = takeNext(end)) {
    const turned = startOf(next) === end ? next : reverseTrack(next)
    chain.push(turned)
    end = endOf(turned)
  }
  return chain
}

const startOf = (track: Float32Array): string => `${track[0]} ${track[1]}`
const endOf = (track: Float32Array): string => `${track.at(-2)} ${track.at(-1)}`

function reverseTrack(track: Float32Array): Float32Array {
  const turned = new Float32Array(track.length)
  for (let at = 0; at < track.length; at += 2) {
    turned[at] = track[track.length - 2 - at] ?? 0
    turned[at + 1] = track[track.length - 1 - at] ?? 0
  }
  return turned
}

function mergeTracks(chain: readonly Float32Array[]): Float32Array {
  const [first] = chain
  if (first && chain.length === 1) return first
  const merged = new Float32Array(chain.reduce((sum, { length }) => sum + length - 2, 2))
  let at = 0
  for (const [number, track] of chain.entries()) {
    const part = number === 0 ? track : track.subarray(2)
    merged.set(part, at)
    at += part.length
  }
  return merged
}
