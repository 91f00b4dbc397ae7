import * as v from 'valibot'

/** What is typed into the search of a map. */
export const soughtSchema = v.pipe(v.string(), v.maxLength(200))
