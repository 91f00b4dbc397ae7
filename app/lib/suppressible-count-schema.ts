import * as v from 'valibot'

/** A count in the API that may be hidden, see `SuppressibleCount`. */
export const suppressibleCountSchema = v.pipe(
  v.nullable(v.number()),
  v.description('Null if it is not shown, so that nobody can be identified. It may be small, or a small one could be worked out from it.'),
)
