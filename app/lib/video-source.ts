export interface VideoSource {
  /** The video's host. */
  host: 'YouTube' | 'Vimeo'
  /** URL of the frame. */
  frame: string
  /** Origin of the frame, for the page's content policy. */
  origin: string
}

/** Turns a copied YouTube or Vimeo address into its embed URL; undefined for any other address. */
export function parseVideoSource(address: string): VideoSource | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:') return undefined
  const host = url.hostname.replace(/^(www|m)\./, '')
  const youtube =
    host === 'youtu.be'
      ? url.pathname.slice(1)
      : host === 'youtube.com' || host === 'youtube-nocookie.com'
        ? (url.searchParams.get('v') ?? /^\/(?:embed|shorts)\/([\w-]+)$/.exec(url.pathname)?.[1])
        : undefined
  if (youtube && /^[\w-]{6,20}$/.test(youtube)) {
    const origin = 'https://www.youtube-nocookie.com'
    return { host: 'YouTube', frame: `${origin}/embed/${youtube}?autoplay=1&rel=0`, origin }
  }
  const vimeo = host === 'vimeo.com' || host === 'player.vimeo.com' ? /\/(\d{6,12})$/.exec(url.pathname)?.[1] : undefined
  if (!vimeo) return undefined
  const origin = 'https://player.vimeo.com'
  return { host: 'Vimeo', frame: `${origin}/video/${vimeo}?autoplay=1&dnt=1`, origin }
}

/** Origins of the frames that these videos would play in. */
export const listVideoOrigins = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.flatMap((address) => parseVideoSource(address)?.origin ?? [])),
]
