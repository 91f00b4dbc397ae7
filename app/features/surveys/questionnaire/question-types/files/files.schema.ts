import * as v from 'valibot'
import { commonProperties } from '../question-parts.schema.ts'
import { FILE_KINDS, MAX_FILES, MAX_MEGABYTES } from './file-kinds.ts'

export const FILE_SCHEMA = v.strictObject({
  ...commonProperties,
  type: v.literal('file'),
  kinds: v.pipe(v.array(v.picklist(FILE_KINDS)), v.maxLength(FILE_KINDS.length)),
  maxFiles: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_FILES)),
  /** Per file. */
  maxMegabytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_MEGABYTES)),
})

/** A file as an answer references it: the content is stored on the site under this id. */
export const sentFileSchema = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.maxLength(200)),
  /** Media type, detected from the content. */
  type: v.pipe(v.string(), v.maxLength(100)),
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
