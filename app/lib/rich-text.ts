import { escapeHtml } from './escape-html.ts'

/**
 * The light markup that people write texts in, as a tree. None of it is ever HTML: what the tree cannot express cannot reach a page. A
 * blank line starts a paragraph, `## ` and `### ` are headings, `- ` are list items, `[text](https://…)` is a link (also to `/path` and
 * `mailto:`), `**bold**` is strong.
 */
export type RichBlock =
  | { type: 'heading'; level: 2 | 3; content: RichInline[] }
  | { type: 'paragraph'; content: RichInline[] }
  | { type: 'list'; items: RichInline[][] }

export type RichInline =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'strong'; content: RichInline[] }
  | { type: 'link'; href: string; content: RichInline[] }

/** Parses the whole text. Anything that is not markup is text, whatever it looks like. */
export function parseRichText(source: string): RichBlock[] {
  const blocks: RichBlock[] = []
  let paragraph: string[] = []
  let items: RichInline[][] = []
  const flush = () => {
    if (paragraph.length)
      blocks.push({
        type: 'paragraph',
        content: paragraph.flatMap((line, at) => [...(at ? [{ type: 'break' as const }] : []), ...parseInline(line)]),
      })
    if (items.length) blocks.push({ type: 'list', items })
    paragraph = []
    items = []
  }
  for (const raw of source.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const heading = line.startsWith('### ') ? 3 : line.startsWith('## ') ? 2 : undefined
    if (line === '') flush()
    else if (heading) {
      flush()
      blocks.push({ type: 'heading', level: heading, content: parseInline(line.slice(heading + 1).trim()) })
    } else if (line.startsWith('- ')) {
      if (paragraph.length) flush()
      items.push(parseInline(line.slice(2).trim()))
    } else {
      if (items.length) flush()
      paragraph.push(line)
    }
  }
  flush()
  return blocks
}

/** Text without markup, for descriptions, searching and feeds. */
export function toPlainText(source: string): string {
  return parseRichText(source)
    .flatMap((block) => (block.type === 'list' ? block.items : [block.content]))
    .map(joinWords)
    .join('\n')
}

/** Most letters of a page's description for search engines and shared links. */
export const DESCRIPTION_LETTERS = 200

/** The text in one line of at most `most` characters, cut between words. */
export function toExcerpt(source: string, most: number): string {
  const text = toPlainText(source).replace(/\s+/g, ' ').trim()
  if (text.length <= most) return text
  const words = /^.*(?=\s)/.exec(text.slice(0, most))?.[0] ?? text.slice(0, most - 1)
  return `${words.replace(/[\s,;:.–-]+$/, '')}…`
}

const joinWords = (content: readonly RichInline[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : part.type === 'break' ? '\n' : joinWords(part.content))).join('')

/** The address if a link may lead there: another site by https or http, a path of this site, or a mailbox. */
export function toSafeHref(href: string): string | undefined {
  if (hasControlOrSpace(href) || href.includes('\\')) return undefined
  if (href.startsWith('/')) return href.startsWith('//') ? undefined : href
  if (/^mailto:[^@?#/]+@[^@/]+$/i.test(href)) return href
  if (!/^https?:\/\//i.test(href)) return undefined
  return URL.canParse(href) ? href : undefined
}

function hasControlOrSpace(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 127) return true
  return false
}

interface AllowedMarkup {
  strong: boolean
  links: boolean
}

/** A single pass from left to right; an unclosed mark is text. */
function parseInline(source: string, allowed: AllowedMarkup = { strong: true, links: true }): RichInline[] {
  const content: RichInline[] = []
  let plain = ''
  const flush = () => {
    if (plain) content.push({ type: 'text', text: plain })
    plain = ''
  }
  let strongEnds = allowed.strong
  for (let at = 0; at < source.length;) {
    const strong = strongEnds && source.startsWith('**', at) ? readStrong(source, at) : undefined
    if (strong === null) strongEnds = false
    const link = allowed.links && source[at] === '[' ? readLink(source, at) : undefined
    if (strong) {
      flush()
      content.push({ type: 'strong', content: parseInline(strong.text, { ...allowed, strong: false }) })
      at = strong.end
    } else if (link) {
      flush()
      content.push({ type: 'link', href: link.href, content: parseInline(link.text, { ...allowed, links: false }) })
      at = link.end
    } else plain += source[at++] ?? ''
  }
  flush()
  return content
}

/** Returns null if no closing mark follows, so that the rest need not be searched again. */
function readStrong(source: string, from: number): { text: string; end: number } | null | undefined {
  const close = source.indexOf('**', from + 2)
  if (close < 0) return null
  const text = source.slice(from + 2, close)
  return text.trim() ? { text, end: close + 2 } : undefined
}

const MAX_LABEL_LENGTH = 400
const MAX_HREF_LENGTH = 2000

function readLink(source: string, from: number): { text: string; href: string; end: number } | undefined {
  const label = source.slice(from + 1, from + 1 + MAX_LABEL_LENGTH)
  const text = label.slice(0, Math.max(0, label.indexOf('](')))
  if (!text.trim() || text.includes('[')) return undefined
  const start = from + 1 + text.length + 2
  const target = source.slice(start, start + MAX_HREF_LENGTH)
  const href = toSafeHref(target.slice(0, Math.max(0, target.indexOf(')'))))
  return href ? { text, href, end: start + href.length + 1 } : undefined
}

/** The text as HTML for feeds. `href` makes a path of this site absolute. */
export function renderRichTextHtml(source: string, href: (path: string) => string): string {
  const renderInlineHtml = (content: readonly RichInline[]): string =>
    content
      .map((part) => {
        switch (part.type) {
          case 'text':
            return escapeHtml(part.text)
          case 'break':
            return '<br/>'
          case 'strong':
            return `<strong>${renderInlineHtml(part.content)}</strong>`
          case 'link':
            return `<a href="${escapeHtml(part.href.startsWith('/') ? href(part.href) : part.href)}">${renderInlineHtml(part.content)}</a>`
        }
      })
      .join('')
  return parseRichText(source)
    .map((block) => {
      if (block.type === 'list') return `<ul>${block.items.map((item) => `<li>${renderInlineHtml(item)}</li>`).join('')}</ul>`
      const tag = block.type === 'heading' ? `h${block.level}` : 'p'
      return `<${tag}>${renderInlineHtml(block.content)}</${tag}>`
    })
    .join('\n')
}
