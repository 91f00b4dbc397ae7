/** Accepted picture types, detected by content. No SVG: it can contain scripts. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]
