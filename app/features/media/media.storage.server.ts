import type { PictureType } from './media.schema.ts'

/** Keys of the library's files in storage. Everything of an asset lies below its own. */
export const assetKey = (siteId: string, id: string): string => `${siteId}/media/${id}`
export const versionKey = (siteId: string, id: string, version: number): string => `${assetKey(siteId, id)}/${version}`
export const originalKey = (siteId: string, id: string, version: number): string => `${versionKey(siteId, id, version)}/original`
export const sizeKey = (siteId: string, id: string, version: number, width: number, mediaType: PictureType): string =>
  `${versionKey(siteId, id, version)}/${width}.${mediaType.slice('image/'.length)}`
export const uploadKey = (siteId: string, id: string): string => `${siteId}/uploads/${id}`
