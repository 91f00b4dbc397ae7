import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, translated } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { PICTURE_TYPES } from '#app/lib/vocabulary/media.ts'
import { MAX_PICTURE_BYTES, PLACE_KINDS } from './media.schema.ts'

const perCent = v.pipe(v.number(), v.integer(), v.minValue(0, 'out-of-range'), v.maxValue(100, 'out-of-range'))
const nameSchema = v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(200))

export const mediaAssetShape = resourceShape({
  type: 'media-assets',
  summary: 'Pictures in the site’s library',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'remove'],
  attributes: {
    name: attribute(nameSchema, { create: 'optional', update: true }),
    alt: translated({ max: 300, create: 'optional', update: true }),
    /** Focal point kept in view when the picture is cropped, in per cent from the left and the top. */
    focalPoint: attribute(v.strictObject({ x: perCent, y: perCent }), { update: true }),
    /** Id of a completed `media-uploads`: the picture's content or, on update, its replacement. */
    upload: attribute(idSchema, { read: false, create: 'required', update: true }),
    mediaType: attribute(v.picklist(PICTURE_TYPES)),
    bytes: attribute(v.number()),
    width: attribute(v.number()),
    height: attribute(v.number()),
    version: attribute(v.number()),
    /** Permanent address for content; it does not change with the version. */
    address: attribute(v.string()),
    /** Address of the current version, as used on pages. */
    shown: attribute(v.string()),
    /** Where it is used; only in `get`. */
    places: attribute(v.array(v.strictObject({ kind: v.picklist(PLACE_KINDS), id: v.string(), title: v.nullable(v.string()) })), {
      read: 'sometimes',
    }),
    createdAt: attribute(timestampSchema),
    updatedAt: attribute(timestampSchema),
  },
  filters: {
    q: filter.text(200),
    /** Only pictures that lack alternative text in one of the site's languages. */
    missingAlternative: filter.flag(),
  },
  sorts: ['createdAt', 'name', 'bytes'],
  defaultSort: '-createdAt',
})

/**
 * An upload in progress. Send its bytes to `/media/uploads/{id}` in chunks: PATCH with `x-api-token`, `upload-offset` and
 * `application/offset+octet-stream`. `received` is the offset to continue from.
 */
export const mediaUploadShape = resourceShape({
  type: 'media-uploads',
  summary: 'Uploads in progress to the library',
  operations: ['get', 'create', 'remove'],
  attributes: {
    name: attribute(nameSchema, { create: 'required' }),
    bytes: attribute(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PICTURE_BYTES, 'out-of-range')), {
      create: 'required',
    }),
    received: attribute(v.number()),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'media-assets': typeof mediaAssetShape
    'media-uploads': typeof mediaUploadShape
  }
}
