import { expect, test } from 'vitest'
import { DRAWN_MAPS, DRAWN_SPANS, openDrawnMap } from '#tests/factories/map-pictures.ts'
import { startCpuClock } from '#tests/support/cpu-time.ts'

const PICTURES = 40
/** Of processor time. For a big city up to 23 were seen beside other work on the machine. */
const MOST_MEDIAN_MS: Readonly<Record<string, number>> = { 'the demo': 10, 'the middle of a big city': 30 }
const MOST_OF_95_MS = 40

const findPercentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN

test.each(DRAWN_MAPS)('a picture of %s is drawn quickly', async (name, build, middle) => {
  const draw = await openDrawnMap(build(), middle)
  // Until the code is warm.
  for (const kilometres of DRAWN_SPANS) for (let number = 0; number < PICTURES; number++) await draw(kilometres, number)
  for (const kilometres of DRAWN_SPANS) {
    const times: number[] = []
    for (let number = 0; number < PICTURES; number++) {
      const measure = startCpuClock()
      await draw(kilometres, number)
      times.push(measure())
    }
    const [median, most] = [findPercentile(times, 0.5), findPercentile(times, 0.95)]
    console.log(`${name}, ${kilometres} km: ${median.toFixed(1)} ms of processor time, 95 of 100 within ${most.toFixed(1)}`)
    expect.soft(median, `median at ${kilometres} km`).toBeLessThan(MOST_MEDIAN_MS[name] ?? 0)
    expect.soft(most, `95 of 100 at ${kilometres} km`).toBeLessThan(MOST_OF_95_MS)
  }
})
