/** Parts of a regular expression that stand for one character each, and our sign for it. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\\d|\[0-9\]|\[:digit:\])/, '9'],
  [/^(?:\[A-Z\]|\[a-z\]|\[A-Za-z\]|\[a-zA-Z\]|\\p\{L\})/, 'A'],
  [/^(?:\[A-Z0-9\]|\[A-Za-z0-9\]|\[a-zA-Z0-9\]|\[0-9A-Z\]|\[0-9A-Za-z\]|\[a-z0-9\])/, '*'],
]
const MAX_PATTERN = 60

/**
 * A regular expression as our kind of pattern (`A9999`): only those of a fixed length made of letters, digits and fixed signs.
 * @returns undefined for any other
 */
export function convertPattern(expression: string): string | undefined {
  let rest = expression
    .trim()
    .replace(/^\/(.*)\/[a-z]*$/s, '$1')
    .replace(/^\^/, '')
    .replace(/\$$/, '')
  let pattern = ''
  while (rest !== '') {
    const sign = SIGNS.find(([part]) => part.test(rest))
    const length = sign?.[0].exec(rest)?.[0].length ?? 0
    const [fixed = '', escaped] = /^(?:\\([^\w\s])|[^\\[\](){}.*+?^$|A9])/.exec(rest) ?? []
    const found = sign ? sign[1] : fixed ? (escaped ?? fixed) : undefined
    if (found === undefined || (found === '*' && !sign)) return undefined
    rest = rest.slice(sign ? length : fixed.length)
    const [count = '', times = '1'] = /^\{(\d{1,2})\}/.exec(rest) ?? []
    rest = rest.slice(count.length)
    pattern += found.repeat(Number(times))
    if (pattern.length > MAX_PATTERN || /^[*+?{]/.test(rest)) return undefined
  }
  return pattern || undefined
}
