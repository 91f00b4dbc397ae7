import { createRandom } from '#app/lib/random.ts'
import { scaleToLength1, type TermMatrix } from './weigh-terms.ts'

export interface Clusters {
  /** The cluster of each text; -1 for a text without a term. */
  clusterOf: Int32Array
  /** Cosine of each text and the centroid of its cluster. */
  likeness: Float32Array
  /** Centroids, one row of terms after the other. */
  centroids: Float32Array
  count: number
}

const MAX_CLUSTERS = 24
const MAX_ROUNDS = 25
/** A round that moves a smaller share of texts is the last. */
const SETTLED_SHARE = 0.002
/** Centroids are chosen from so many texts. */
const SAMPLE = 3000
/** A text of more terms says more: it is preferred as a first centroid, up to this number. */
const TELLING_TERMS = 6
const SEED = 'themes'

/**
 * Spherical k-means from a fixed seed.
 * @param onProgress called after each round with the share that is done, from 0 to 1
 */
export async function clusterTexts(matrix: TermMatrix, onProgress: (share: number) => Promise<void>): Promise<Clusters> {
  const { starts, terms } = matrix
  const texts = starts.length - 1
  const filled = Uint32Array.from({ length: texts }, (_, text) => text).filter((text) => (starts[text + 1] ?? 0) > (starts[text] ?? 0))
  const count = Math.min(MAX_CLUSTERS, Math.round(Math.sqrt(filled.length)) + 1, filled.length)
  const clusters: Clusters = {
    clusterOf: new Int32Array(texts).fill(-1),
    likeness: new Float32Array(texts),
    centroids: new Float32Array(count * terms.length),
    count,
  }
  if (count === 0) return clusters
  chooseCentroids(matrix, filled, clusters)
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const moved = assignTexts(matrix, filled, clusters)
    await onProgress(round / MAX_ROUNDS)
    if (moved <= filled.length * SETTLED_SHARE) break
    moveCentroids(matrix, filled, clusters)
  }
  return clusters
}

/** Each next centroid is the text least like those before it. */
function chooseCentroids(matrix: TermMatrix, filled: Uint32Array, { centroids, count }: Clusters): void {
  const random = createRandom(SEED)
  const wide = matrix.terms.length
  const pick = () => filled[random.int(0, filled.length - 1)] ?? 0
  const sample = filled.length > SAMPLE ? Uint32Array.from({ length: SAMPLE }, pick) : filled
  const nearest = new Float32Array(sample.length)
  let next = pick()
  for (let cluster = 0; cluster < count; cluster++) {
    copyText(matrix, next, centroids, cluster * wide)
    let least = Infinity
    for (const [at, text] of sample.entries()) {
      nearest[at] = Math.max(nearest[at] ?? 0, compareWithCentroid(matrix, text, centroids, cluster * wide))
      const size = (matrix.starts[text + 1] ?? 0) - (matrix.starts[text] ?? 0)
      const value = (nearest[at] ?? 0) - Math.min(size, TELLING_TERMS) * 0.01
      if (value < least) {
        least = value
        next = text
      }
    }
  }
}

function copyText({ columns, weights, starts }: TermMatrix, text: number, centroids: Float32Array, offset: number): void {
  for (let at = starts[text] ?? 0; at < (starts[text + 1] ?? 0); at++) centroids[offset + (columns[at] ?? 0)] = weights[at] ?? 0
}

function compareWithCentroid({ columns, weights, starts }: TermMatrix, text: number, centroids: Float32Array, offset: number): number {
  let sum = 0
  const end = starts[text + 1] ?? 0
  for (let at = starts[text] ?? 0; at < end; at++) sum += (weights[at] ?? 0) * (centroids[offset + (columns[at] ?? 0)] ?? 0)
  return sum
}

/** @returns how many texts changed their cluster */
function assignTexts(matrix: TermMatrix, filled: Uint32Array, { clusterOf, likeness, centroids, count }: Clusters): number {
  const wide = matrix.terms.length
  let moved = 0
  for (const text of filled) {
    let best = 0
    let most = -1
    for (let cluster = 0; cluster < count; cluster++) {
      const like = compareWithCentroid(matrix, text, centroids, cluster * wide)
      if (like > most) {
        most = like
        best = cluster
      }
    }
    if (clusterOf[text] !== best) moved += 1
    clusterOf[text] = best
    likeness[text] = most
  }
  return moved
}

function moveCentroids({ columns, weights, starts, terms }: TermMatrix, filled: Uint32Array, clusters: Clusters): void {
  const { clusterOf, centroids, count } = clusters
  const wide = terms.length
  centroids.fill(0)
  for (const text of filled) {
    const offset = (clusterOf[text] ?? 0) * wide
    for (let at = starts[text] ?? 0; at < (starts[text + 1] ?? 0); at++) {
      const place = offset + (columns[at] ?? 0)
      centroids[place] = (centroids[place] ?? 0) + (weights[at] ?? 0)
    }
  }
  for (let cluster = 0; cluster < count; cluster++) scaleToLength1(centroids.subarray(cluster * wide, (cluster + 1) * wide))
}
