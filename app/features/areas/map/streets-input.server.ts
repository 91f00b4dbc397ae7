import * as v from 'valibot'

const degrees = (most: number) => v.pipe(v.number(), v.minValue(-most), v.maxValue(most))

/** West, south, east, north. */
export const streetsInput = v.object({ box: v.strictTuple([degrees(180), degrees(90), degrees(180), degrees(90)]) })
