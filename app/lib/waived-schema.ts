import * as v from 'valibot'

/** Names of the texts that are knowingly missing or stale, as the refusal gives them. */
export const waivedSchema = v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(1000))
