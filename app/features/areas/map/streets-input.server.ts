import * as v from 'valibot'

const withinDegrees = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most))

/** West, south, east, north. */
export const streetsInput = v.object({ box: v.strictTuple([withinDegrees(180), withinDegrees(90), withinDegrees(180), withinDegrees(90)]) })
