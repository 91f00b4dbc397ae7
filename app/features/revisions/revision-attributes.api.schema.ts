import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

/** What each version says about itself, whatever it is a version of. */
export const revisionAttributes = {
  note: attribute(v.pipe(v.string(), v.trim(), v.maxLength(300)), { create: 'optional' }),
  createdAt: attribute(timestampSchema),
  /** When it was published or will be. */
  publishedAt: attribute(v.nullable(timestampSchema)),
  author: attribute(v.nullable(v.string())),
  /** Names of the texts it was published without. */
  waived: attribute(v.array(v.string())),
}

/** What it is a version of, as its kind defines it. */
export const revisionContent = attribute(v.record(v.string(), v.unknown()), { create: 'required' })

export const revisionFilters = {
  published: filter.flag(),
  /** Only the last revision of each ten minutes before this time, as they are thinned out after a day. */
  stepsBefore: filter.timestamp(),
}

export const revisionSorting = { sorts: ['createdAt', 'publishedAt'], defaultSort: '-createdAt' } as const
