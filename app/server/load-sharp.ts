import type sharp from 'sharp'

/**
 * The drawing library, loaded with the first picture that is drawn: it takes 20 MB, and most processes serve for long before they draw one. It keeps
 * nothing of what it has drawn, since what is drawn is stored.
 */
export const loadSharp = async (): Promise<typeof sharp> => {
  const { default: library } = await import('sharp')
  library.cache(false)
  return library
}
