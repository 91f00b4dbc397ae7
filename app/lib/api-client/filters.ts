import * as v from 'valibot'
import { timestampSchema } from '../timestamp.ts'
import { idSchema } from '../uuid.ts'

/** A `filter[name]=…` parameter. The schema parses its text into the value that use-cases receive. */
export interface Filter<T = unknown> {
  readonly schema: v.GenericSchema<string, T>
  /** The value is a comma-separated list. */
  readonly many: boolean
}

const createFilter = <T>(schema: v.GenericSchema<string, T>): Filter<T> => ({ schema, many: false })
const createListFilter = <T>(item: v.GenericSchema<string, T>): Filter<T[]> => ({
  schema: v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((part) => part.trim())),
    v.pipe(v.array(item), v.maxLength(100)),
  ),
  many: true,
})

/** The kinds of filters a resource can declare. */
export const filter = {
  /** Free text of at most `max` characters. */
  text: (max: number): Filter<string> => createFilter(v.pipe(v.string(), v.trim(), v.maxLength(max))),
  id: (): Filter<string> => createFilter(idSchema),
  /** One or several ids. */
  ids: (): Filter<string[]> => createListFilter(idSchema),
  choice: <const C extends readonly string[]>(choices: C): Filter<C[number]> => createFilter(v.picklist(choices)),
  /** One or several of the choices. */
  choices: <const C extends readonly string[]>(choices: C): Filter<C[number][]> => createListFilter<C[number]>(v.picklist(choices)),
  flag: (): Filter<boolean> =>
    createFilter(
      v.pipe(
        v.picklist(['true', 'false']),
        v.transform((text) => text === 'true'),
      ),
    ),
  number: (): Filter<number> => createFilter(v.pipe(v.string(), v.regex(/^-?\d{1,9}$/, 'not-a-number'), v.transform(Number))),
  /** A point in time, as `2026-03-01T09:00:00Z`. */
  timestamp: (): Filter<string> => createFilter(timestampSchema),
  /** Any text the schema accepts. */
  custom: <T>(schema: v.GenericSchema<string, T>): Filter<T> => createFilter(schema),
} as const
