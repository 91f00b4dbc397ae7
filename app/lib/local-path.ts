const LONGEST = 2000

/** A path of this site that is safe to redirect to, else undefined: never another host's, and nothing a browser would rewrite. */
export function parseLocalPath(path: string | undefined | null): string | undefined {
  if (!path?.startsWith('/') || path.startsWith('//') || path.includes('\\') || path.length > LONGEST) return undefined
  if (/[\p{Cc}\s]/u.test(path)) return undefined
  const url = URL.parse(path, 'http://here.invalid')
  if (url?.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
