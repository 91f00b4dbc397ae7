import sans from '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2?url'
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url'

/** The two files every page needs, as links for its head: fetched beside the stylesheet rather than after it. */
export const fontPreloads = [sans, serif].map((href) => ({
  rel: 'preload',
  href,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous' as const,
}))
