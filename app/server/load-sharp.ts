import type sharp from 'sharp'

/** The drawing library, loaded with the first picture that is drawn: it takes 20 MB, and most processes serve for long before they draw one. */
export const loadSharp = async (): Promise<typeof sharp> => (await import('sharp')).default
