import * as v from 'valibot'

/** The token of a `browser-tokens` resource, from somebody without an account. One that the site did not issue counts as none. */
export const browserTokenSchema = v.pipe(v.string(), v.minLength(8), v.maxLength(100))
