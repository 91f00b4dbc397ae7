import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A rule of the stylesheet, or a block of rules such as `@layer base` or `@media print`. */
export type StyleRule = PlainRule | { opening: string; rules: readonly StyleRule[] }

interface PlainRule {
  text: string
  /** The file that a rule for a font loads. A page contains the rule if it preloads the file; other fonts would compete with its first screen. */
  font?: string
  /** For each selector, the words that a page must contain for it to match anything. Without them the rule belongs to every page. */
  selectors?: readonly (readonly string[])[]
}

/** The participants' stylesheet, as the build prepares it for `inlineUsedStyles`. */
export interface Stylesheet {
  href: string
  rules: readonly StyleRule[]
}

/** Where the build puts it. */
export const PREPARED_STYLESHEET = 'dist/page-styles.json'

const SCRIPT = /<script\b[^>]*>[\s\S]*?<\/script>/g
const WORD = /[\w-]+/g

/** Names of classes, elements and attributes consist of these, however a page or a stylesheet escapes what is between them. */
export const listWords = (text: string): string[] => text.toLowerCase().match(WORD) ?? []

/** @returns undefined if there is no build, as in development */
export async function loadStylesheet(root: string): Promise<Stylesheet | undefined> {
  const path = join(root, PREPARED_STYLESHEET)
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as Stylesheet) : undefined
}

/**
 * Lets a browser that has never been here paint the page before the stylesheet arrives: the rules that the page uses are in its head, and the
 * whole stylesheet follows at the end of its body, where nothing waits for it. React finds it there too.
 * @param nonce of a page for one person, whose content policy names no hashes
 * @returns the page unchanged if it does not link the stylesheet
 */
export function inlineUsedStyles(html: string, stylesheet: Stylesheet | undefined, nonce?: string): string {
  const start = stylesheet ? html.indexOf(`<link rel="stylesheet" href="${stylesheet.href}"`) : -1
  if (!stylesheet || start < 0) return html
  const end = html.indexOf('>', start) + 1
  const [headEnd, bodyEnd] = [html.indexOf('</head>', end), html.lastIndexOf('</body>')]
  if (headEnd < 0 || bodyEnd < headEnd) return html
  const used = selectRules(stylesheet.rules, { words: new Set(listWords(html.replace(SCRIPT, ''))), head: html.slice(0, headEnd) })
  return (
    html.slice(0, start) +
    html.slice(end, headEnd) +
    // After the style of the site's theme, as which React would otherwise take it.
    `<style${nonce ? ` nonce="${nonce}"` : ''}>${used}</style>` +
    html.slice(headEnd, bodyEnd) +
    html.slice(start, end) +
    html.slice(bodyEnd)
  )
}

interface PageContent {
  words: ReadonlySet<string>
  head: string
}

function selectRules(rules: readonly StyleRule[], page: PageContent): string {
  let css = ''
  for (const rule of rules) {
    if ('rules' in rule) {
      const inner = selectRules(rule.rules, page)
      // The first mention of a layer decides its place among the others.
      if (inner || rule.opening.startsWith('@layer')) css += `${rule.opening}{${inner}}`
    } else if (isUsed(rule, page)) css += rule.text
  }
  return css
}

const isUsed = ({ font, selectors }: PlainRule, { words, head }: PageContent): boolean =>
  (!font || head.includes(`href="${font}"`)) && (!selectors || selectors.some((needed) => needed.every((word) => words.has(word))))
