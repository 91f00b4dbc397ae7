import * as v from 'valibot'
import { isHalfMoment } from './half-moment.ts'

const EARLIEST = Date.parse('1000-01-01T00:00:00Z')

/** A point in time in documents and forms, e.g. `2026-03-01T09:00:00.000Z`: always with a zone, always an existing date. */
export const timestampSchema = v.pipe(
  v.string(),
  v.check((text) => !isHalfMoment(text), 'half-a-moment'),
  v.isoTimestamp(),
  v.check((text) => Date.parse(text) >= EARLIEST, 'not-a-date'),
)

export const instantSchema = v.pipe(
  timestampSchema,
  v.transform((text) => new Date(text)),
)
