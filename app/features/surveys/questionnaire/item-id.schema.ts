import * as v from 'valibot'

/** Opaque and stable: a question, option, row or page never changes its id, so that answers refer to it in every version. */
export const itemIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'wrong-format'))
