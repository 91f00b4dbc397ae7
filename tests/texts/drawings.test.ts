import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = resolve(import.meta.dirname, '../../public')
/** Hills and clouds may extend over the edge, but no further than this share of the drawing. */
const OVERHANG = 0.5
/** Number of arguments of each path command. */
const TAKES: Record<string, number> = { M: 2, L: 2, T: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7, Z: 0 }

const drawings = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.svg'))

type Point = [x: number, y: number]

/** The end point of each of a path's commands. @throws if the path is malformed */
function endsOf(path: string): Point[] {
  const ends: Point[] = []
  let [x, y]: Point = [0, 0]
  for (const [, letter = '', text = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const command = letter.toUpperCase()
    const takes = TAKES[command]
    if (takes === undefined) throw new Error(`No command ${letter}`)
    // An arc's flags may be written without a space between them.
    const numbers = (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number)
    if (takes === 0 ? numbers.length > 0 : numbers.length === 0 || numbers.length % takes !== 0)
      throw new Error(`${letter} takes ${takes} numbers, not ${numbers.length}: ${text}`)
    const relative = letter !== command
    for (let at = 0; at < numbers.length; at += takes) {
      const last = numbers.slice(at, at + takes)
      const [toX, toY] = command === 'V' ? [relative ? 0 : x, last[0]] : command === 'H' ? [last[0], relative ? 0 : y] : last.slice(-2)
      ;[x, y] = [(toX ?? 0) + (relative ? x : 0), (toY ?? 0) + (relative ? y : 0)]
      ends.push([x, y])
    }
  }
  return ends
}

test.each(drawings)('%s stays within its frame', (name) => {
  const svg = readFileSync(join(FOLDER, name), 'utf8')
  const [left = 0, top = 0, width = 0, height = 0] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '').split(/[\s,]+/).map(Number)
  expect(width * height).toBeGreaterThan(0)
  const outside = Array.from(svg.matchAll(/\sd="([^"]+)"/g), ([, path = '']) => path).flatMap((path) =>
    endsOf(path).filter(
      ([x, y]) =>
        x < left - width * OVERHANG ||
        x > left + width * (1 + OVERHANG) ||
        y < top - height * OVERHANG ||
        y > top + height * (1 + OVERHANG),
    ),
  )
  expect(outside).toEqual([])
})

test('there are drawings to check', () => {
  expect(drawings.length).toBeGreaterThan(50)
})
