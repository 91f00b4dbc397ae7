const LONGEST = 2000

/** A path of this very site to go on to, or undefined: never another host's, however it is disguised, and nothing a browser would mend. */
export function parseLocalPath(path: string | undefined | null): string | undefined {
  if (!path?.startsWith('/') || path.startsWith('//') || path.includes('\\') || path.length > LONGEST) return undefined
  if (/[\p{Cc}\s]/u.test(path)) return undefined
  const url = URL.parse(path, 'http://here.invalid')
  if (url?.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
