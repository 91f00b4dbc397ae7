import type { PictureType } from '#app/lib/vocabulary/media.ts'

/** Storage keys of the library. All files of an asset share its prefix. */
export const buildAssetKey = (siteId: string, id: string): string => `${siteId}/media/${id}`
export const buildVersionKey = (siteId: string, id: string, version: number): string => `${buildAssetKey(siteId, id)}/${version}`
export const buildOriginalKey = (siteId: string, id: string, version: number): string => `${buildVersionKey(siteId, id, version)}/original`
export const buildSizeKey = (siteId: string, id: string, version: number, width: number, mediaType: PictureType): string =>
  `${buildVersionKey(siteId, id, version)}/${width}.${mediaType.slice('image/'.length)}`
export const buildUploadKey = (siteId: string, id: string): string => `${siteId}/uploads/${id}`
