import sans from '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2?url'
import serif from '@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2?url'

/** Preload links for the two fonts that every page needs, so that they load together with the stylesheet rather than after it. */
export const fontPreloads = [sans, serif].map((href) => ({
  rel: 'preload',
  href,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous' as const,
}))
