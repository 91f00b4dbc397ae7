import { buildKeptAddress, buildShownAddress } from '#app/lib/picture-address.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { mediaAssetShape, mediaUploadShape } from './media.api.schema.ts'
import { canChangePicture } from './media.policy.server.ts'
import { createPicture, listPictures, removePicture, loadPicturesById, updatePicture } from './media.server.ts'
import { beginUpload, dropUpload, loadUploadsById } from './media.uploads.server.ts'

export const mediaAssetResource = implementResource(mediaAssetShape, {
  load: loadPicturesById,
  list: listPictures,
  can: ({ viewer }, row) => {
    const may = canChangePicture(viewer, row)
    return { update: may, remove: may }
  },
  lockVersion: (row) => row.lockVersion,
  attributes: (row) => ({
    name: row.name,
    alt: row.alt,
    focalPoint: { x: row.focalX, y: row.focalY },
    mediaType: row.mediaType,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    version: row.version,
    address: buildKeptAddress(row.id),
    shown: buildShownAddress(row),
    ...(row.places && { places: row.places }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }),
  create: createPicture,
  update: (ctx, row, input, lock) => updatePicture(ctx, row, input, lock.version),
  remove: (ctx, row) => removePicture(ctx, row),
})

export const mediaUploadResource = implementResource(mediaUploadShape, {
  load: loadUploadsById,
  attributes: ({ name, bytes, received }) => ({ name, bytes, received }),
  create: beginUpload,
  remove: (ctx, row) => dropUpload(ctx, row),
})
