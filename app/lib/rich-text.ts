import { escapeHtml } from './escape-html.ts'
import type { LocalisedRichText, LocalisedText } from './localised-text.ts'

/**
 * The light markup that texts are stored in, as a tree. None of it is ever HTML: what the tree cannot express cannot reach a page. Decision
 * 0063 describes the language; `write-rich-text.ts` turns a tree back into markup.
 */
export type RichBlock =
  | { type: 'heading'; level: 2 | 3; content: RichInline[] }
  | { type: 'paragraph'; content: RichInline[] }
  /** `start` is the first number of a numbered list. */
  | { type: 'list'; start?: number; items: RichInline[][] }
  /** The first row is the head. */
  | { type: 'table'; rows: RichInline[][][] }
  /** A picture of the site's library. */
  | { type: 'picture'; alt: string; src: string }
  /** A video on a listed host, opened there. */
  | { type: 'video'; title: string; href: string; host: string }

export type RichInline =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'emphasis'; content: RichInline[] }
  | { type: 'link'; href: string; content: RichInline[] }

/** A block with the place of its lines in the source. */
export interface FoundBlock {
  block: RichBlock
  from: number
  to: number
}

/** Parses the whole text. Anything that is not markup is text, whatever it looks like. */
export const parseRichText = (source: string): RichBlock[] => findBlocks(source).map(({ block }) => block)

/** Parses a text in the language it was found in. */
export const parseLocalised = ({ text, ...found }: LocalisedText): LocalisedRichText => ({ blocks: parseRichText(text), ...found })

export function findBlocks(source: string): FoundBlock[] {
  const found: FoundBlock[] = []
  const lines = splitLines(source)
  /** True if the next line may continue the last paragraph or list. */
  let isOpen = false
  for (let at = 0; at < lines.length; at++) {
    const { text, from, to } = lines[at] as Line
    const rows = countTableRows(lines, at)
    const last: FoundBlock | undefined = isOpen ? found.at(-1) : undefined
    const block: RichBlock | undefined = rows ? readTable(lines.slice(at, at + rows)) : readLine(text, last?.block)
    if (last && block && continueBlock(last.block, block)) last.to = to
    else if (block) found.push({ block, from, to: lines[at + Math.max(0, rows - 1)]?.to ?? to })
    isOpen = block?.type === 'paragraph' || block?.type === 'list'
    at += Math.max(0, rows - 1)
  }
  return found
}

interface Line {
  text: string
  from: number
  to: number
}

function splitLines(source: string): Line[] {
  let to = 0
  return source.split(/(\r\n|\r|\n)/).flatMap((part, at) => {
    const from = to
    to += part.length
    return at % 2 ? [] : [{ text: part.trim(), from, to }]
  })
}

/** The block of a single line; undefined if it is empty. A number within a paragraph only begins a list if it is the first. */
function readLine(line: string, before: RichBlock | undefined): RichBlock | undefined {
  if (!line) return undefined
  const [, hashes, bullet, digits, rest] = /^(?:(###?)|(-)|(\d{1,3})\.) (.*)$/s.exec(line) ?? []
  const content = () => parseInline((rest ?? '').trim())
  if (hashes) return { type: 'heading', level: hashes === '##' ? 2 : 3, content: content() }
  if (bullet) return { type: 'list', items: [content()] }
  if (digits && (Number(digits) === 1 || before?.type !== 'paragraph')) return { type: 'list', start: Number(digits), items: [content()] }
  return (line.startsWith('![') && readMedia(line)) || { type: 'paragraph', content: parseInline(line) }
}

function continueBlock(open: RichBlock, next: RichBlock): boolean {
  if (open.type === 'paragraph' && next.type === 'paragraph') open.content.push({ type: 'break' }, ...next.content)
  else if (
    open.type === 'list' &&
    next.type === 'list' &&
    next.start === (open.start === undefined ? undefined : open.start + open.items.length)
  )
    open.items.push(...next.items)
  else return false
  return true
}

const TABLE_ROW = /^\|(?:(?:\\.|[^|\\])*\|)+$/s
const TABLE_RULE = /^\|(?: *:?-{3,}:? *\|)+$/

/** Number of lines of the table that begins here, if one does: a head, a rule below it, then rows. */
function countTableRows(lines: readonly Line[], at: number): number {
  if (!TABLE_RULE.test(lines[at + 1]?.text ?? '')) return 0
  let end = at
  while (TABLE_ROW.test(lines[end]?.text ?? '')) end++
  return end - at > 1 ? end - at : 0
}

function readTable(lines: readonly Line[]): RichBlock {
  const rows = lines
    .filter((_, at) => at !== 1)
    .map(({ text }) => (text.slice(1).match(/(?:\\.|[^|\\])*\|/gs) ?? []).map((cell) => parseInline(cell.slice(0, -1).trim())))
  const columns = Math.max(...rows.map((row) => row.length))
  return { type: 'table', rows: rows.map((row) => [...row, ...Array.from({ length: columns - row.length }, () => [])]) }
}

const LIBRARY_PICTURE = /^\/media\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const VIDEO_HOST = /^https:\/\/(?:(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be)|(?:www\.|player\.)?(vimeo)\.com)\//

/** `![words](address)` in a line of its own. */
function readMedia(line: string): RichBlock | undefined {
  const link = readLink(line, 1, true)
  if (link?.end !== line.length) return undefined
  const { href } = link
  const words = joinWords(parseInline(link.text.trim(), { isWithin: true }))
  if (LIBRARY_PICTURE.test(href)) return { type: 'picture', alt: words, src: href }
  const video = VIDEO_HOST.exec(href)
  return video && words ? { type: 'video', title: words, href, host: video[1] ? 'Vimeo' : 'YouTube' } : undefined
}

/** The lines of text in a block, each with its marks. */
export function listInlines(block: RichBlock): RichInline[][] {
  switch (block.type) {
    case 'list':
      return block.items
    case 'table':
      return block.rows.flat()
    case 'picture':
      return [[{ type: 'text', text: block.alt }]]
    case 'video':
      return [[{ type: 'text', text: block.title }]]
    default:
      return [block.content]
  }
}

/** Text without markup, for descriptions, searching and feeds. */
export const toPlainText = (source: string): string =>
  parseRichText(source)
    .map((block) => listInlines(block).map(joinWords).join('\n'))
    .join('\n')

/** Most letters of a page's description for search engines and shared links. */
export const DESCRIPTION_LETTERS = 200

/** Most letters of an introduction on a card. */
export const CARD_LETTERS = 240

/** The text in one line of at most `most` characters, cut between words. */
export function toExcerpt(source: string, most: number): string {
  const text = toPlainText(source).replace(/\s+/g, ' ').trim()
  if (text.length <= most) return text
  const words = /^.*(?=\s)/.exec(text.slice(0, most))?.[0] ?? text.slice(0, most - 1)
  return `${words.replace(/[\s,;:.–-]+$/, '')}…`
}

/** The beginning of a text in the language it was found in. */
export const localiseExcerpt = ({ text, ...found }: LocalisedText, most: number): LocalisedText => ({
  text: toExcerpt(text, most),
  ...found,
})

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

/** The marks that are read. Each is left out within itself. */
interface AllowedMarks {
  /** The text stands between marks. */
  isWithin?: boolean
  strong?: boolean
  emphasis?: boolean
  links?: boolean
}

/** A single pass from left to right; an unclosed mark is text, as is any after a backslash. */
function parseInline(source: string, allowed: AllowedMarks = { strong: true, emphasis: true, links: true }): RichInline[] {
  const content: RichInline[] = []
  let plain = ''
  const add = (part: RichInline, end: number) => {
    if (plain) content.push({ type: 'text', text: plain })
    plain = ''
    content.push(part)
    return end
  }
  let { strong: mayBeStrong, emphasis: mayBeEmphasis } = allowed
  for (let at = 0; at < source.length;) {
    const escaped = source[at] === '\\' ? readBackslashes(source, at, allowed.isWithin) : undefined
    if (escaped) {
      plain += escaped.text
      at = escaped.end
      continue
    }
    const strong = mayBeStrong && source.startsWith('**', at) ? readStrong(source, at) : undefined
    if (strong === null) mayBeStrong = false
    const emphasis = mayBeEmphasis && canOpenEmphasis(source, at) ? readEmphasis(source, at) : undefined
    if (emphasis === null) mayBeEmphasis = false
    const link = allowed.links && source[at] === '[' ? readLink(source, at) : undefined
    if (strong) at = add({ type: 'strong', content: parseInline(strong.text, { ...allowed, isWithin: true, strong: false }) }, strong.end)
    else if (emphasis)
      at = add({ type: 'emphasis', content: parseInline(emphasis.text, { ...allowed, isWithin: true, emphasis: false }) }, emphasis.end)
    else if (link)
      at = add({ type: 'link', href: link.href, content: parseInline(link.text, { ...allowed, isWithin: true, links: false }) }, link.end)
    else plain += source[at++] ?? ''
  }
  if (plain) content.push({ type: 'text', text: plain })
  return content
}

/** Marks that a backslash turns into text. Before anything else, a backslash is just a backslash. */
export const isMark = (letter: string | undefined): boolean => letter !== undefined && '*_[]#-|.'.includes(letter)

/** Two backslashes before a mark are one, and a single one makes it text. */
function readBackslashes(source: string, from: number, isWithin = false): { text: string; end: number } {
  let end = from
  while (source[end] === '\\') end++
  const count = end - from
  if (!(end < source.length ? isMark(source[end]) : isWithin)) return { text: source.slice(from, end), end }
  const isText = count % 2 === 1
  return { text: '\\'.repeat(count >> 1) + (isText ? (source[end] ?? '') : ''), end: isText ? end + 1 : end }
}

function isEscaped(source: string, at: number): boolean {
  let from = at
  while (source[from - 1] === '\\') from--
  return (at - from) % 2 === 1
}

/** Returns null if no closing mark follows, so that the rest need not be searched again. */
function readStrong(source: string, from: number): { text: string; end: number } | null | undefined {
  let close = source.indexOf('**', from + 2)
  while (close >= 0 && isEscaped(source, close)) close = source.indexOf('**', close + 1)
  if (close < 0) return null
  const text = source.slice(from + 2, close)
  return text.trim() ? { text, end: close + 2 } : undefined
}

const isLetter = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)
const isWordless = (source: string, at: number) => !source[at]?.trim() || (source[at] === '_' && !isEscaped(source, at))

/** Emphasis begins and ends with words: the `_` of `file_name` and of `____` are text. */
export const canOpenEmphasis = (source: string, at: number): boolean =>
  source[at] === '_' && !isLetter(source[at - 1]) && !isWordless(source, at + 1)
export const canCloseEmphasis = (source: string, at: number): boolean =>
  source[at] === '_' && !isLetter(source[at + 1]) && !isWordless(source, at - 1)

function readEmphasis(source: string, from: number): { text: string; end: number } | null {
  let close = from + 2
  while (close < source.length && !(canCloseEmphasis(source, close) && !isEscaped(source, close))) close++
  return close < source.length ? { text: source.slice(from + 1, close), end: close + 1 } : null
}

const MAX_HREF_LENGTH = 2000
const LABEL = /\[((?:\\.|[^[\\])*?)\]\(/sy

function readLink(source: string, from: number, mayBeEmpty = false): { text: string; href: string; end: number } | undefined {
  LABEL.lastIndex = from
  const [opening, text = ''] = LABEL.exec(source) ?? []
  if (!opening || !(mayBeEmpty || text.trim())) return undefined
  const start = from + opening.length
  const target = source.slice(start, start + MAX_HREF_LENGTH)
  const href = toSafeHref(target.slice(0, Math.max(0, target.indexOf(')'))))
  return href ? { text, href, end: start + href.length + 1 } : undefined
}

/** The text as HTML for feeds. `href` makes a path of this site absolute. */
export function renderRichTextHtml(source: string, href: (path: string) => string): string {
  const toAbsolute = (address: string) => escapeHtml(address.startsWith('/') ? href(address) : address)
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
          case 'emphasis':
            return `<em>${renderInlineHtml(part.content)}</em>`
          case 'link':
            return `<a href="${toAbsolute(part.href)}">${renderInlineHtml(part.content)}</a>`
        }
      })
      .join('')
  const renderRow = (row: RichInline[][], tag: 'th' | 'td') =>
    `<tr>${row.map((cell) => `<${tag}>${renderInlineHtml(cell)}</${tag}>`).join('')}</tr>`
  return parseRichText(source)
    .map((block) => {
      switch (block.type) {
        case 'list': {
          const tag = block.start === undefined ? 'ul' : 'ol'
          const start = block.start === undefined || block.start === 1 ? '' : ` start="${block.start}"`
          return `<${tag}${start}>${block.items.map((item) => `<li>${renderInlineHtml(item)}</li>`).join('')}</${tag}>`
        }
        case 'table':
          return `<table>${block.rows.map((row, at) => renderRow(row, at ? 'td' : 'th')).join('')}</table>`
        case 'picture':
          return `<p><img src="${toAbsolute(block.src)}" alt="${escapeHtml(block.alt)}"/></p>`
        case 'video':
          return `<p><a href="${escapeHtml(block.href)}">${escapeHtml(block.title)} (${block.host})</a></p>`
        default: {
          const tag = block.type === 'heading' ? `h${block.level}` : 'p'
          return `<${tag}>${renderInlineHtml(block.content)}</${tag}>`
        }
      }
    })
    .join('\n')
}
