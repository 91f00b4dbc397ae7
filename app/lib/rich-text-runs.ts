import { type RichBlock, type RichInline } from './rich-text.ts'

/** Text with its marks, side by side instead of one within the other: how an editor sees it. */
export interface TextRun {
  text: string
  strong?: true
  emphasis?: true
  href?: string
}

/** One line per break. */
export type RunLines = TextRun[][]

export type RunBlock =
  | { type: 'heading'; level: 2 | 3; lines: RunLines }
  | { type: 'paragraph'; lines: RunLines }
  | { type: 'list'; start?: number; items: RunLines }
  | { type: 'table'; rows: TextRun[][][] }
  | Extract<RichBlock, { type: 'picture' | 'video' }>

export function toRunBlock(block: RichBlock): RunBlock {
  switch (block.type) {
    case 'list':
      return { ...block, items: block.items.map((item) => flattenInline(item).flat()) }
    case 'table':
      return { ...block, rows: block.rows.map((row) => row.map((cell) => flattenInline(cell).flat())) }
    case 'heading':
      return { type: block.type, level: block.level, lines: flattenInline(block.content) }
    case 'paragraph':
      return { type: block.type, lines: flattenInline(block.content) }
    default:
      return block
  }
}

function flattenInline(content: readonly RichInline[], marks: Omit<TextRun, 'text'> = {}): RunLines {
  const lines: RunLines = [[]]
  for (const part of content) {
    if (part.type === 'break') lines.push([])
    else if (part.type === 'text') lines.at(-1)?.push({ text: part.text, ...marks })
    else {
      const own =
        part.type === 'link' ? { href: part.href } : part.type === 'strong' ? { strong: true as const } : { emphasis: true as const }
      lines.at(-1)?.push(...flattenInline(part.content, { ...marks, ...own }).flat())
    }
  }
  return lines
}

/**
 * The block as markup can express it; undefined if nothing is left. Markup has no empty lines within a block, no white space around lines,
 * and emphasis covers whole words.
 */
export function normaliseRuns(block: RunBlock): RunBlock | undefined {
  switch (block.type) {
    case 'heading':
    case 'paragraph': {
      const lines = block.lines.map(normaliseLine).filter((line) => line.length)
      if (!lines.length) return undefined
      return block.type === 'heading'
        ? { ...block, lines: [normaliseLine(lines.flatMap((line) => [...line, { text: ' ' }]))] }
        : { ...block, lines }
    }
    case 'list': {
      const items = block.items.map(normaliseLine).filter((item) => item.length)
      const start = block.start === undefined ? {} : { start: Math.min(block.start, 999) }
      return items.length ? { type: 'list', ...start, items } : undefined
    }
    case 'table': {
      const columns = Math.max(0, ...block.rows.map((row) => row.length))
      if (!columns) return undefined
      return { type: 'table', rows: block.rows.map((row) => Array.from({ length: columns }, (_, at) => normaliseLine(row[at] ?? []))) }
    }
    case 'picture':
      return { ...block, alt: joinWhiteSpace(block.alt).trim() }
    case 'video':
      return { ...block, title: joinWhiteSpace(block.title).trim() || block.host }
  }
}

const joinWhiteSpace = (text: string) => text.replace(/[\r\n\t]+/g, ' ')
const isSame = (a: TextRun, b: TextRun) => a.strong === b.strong && a.emphasis === b.emphasis && a.href === b.href

function normaliseLine(runs: readonly TextRun[]): TextRun[] {
  const letters = runs.flatMap((run) => Array.from(joinWhiteSpace(run.text), (letter): TextRun => ({ ...run, text: letter })))
  const isSpace = (at: number) => !letters[at]?.text.trim()
  let [from, to] = [0, letters.length]
  while (from < to && isSpace(from)) from++
  while (to > from && isSpace(to - 1)) to--
  const line = letters.slice(from, to)
  trimMarks(line)
  extendEmphasis(line)
  return mergeRuns(line)
}

/** White space at the edge of bold text or of a link is outside of it. At that of emphasis too, and wherever another mark begins or ends within. */
function trimMarks(line: TextRun[]): void {
  for (const mark of ['strong', 'emphasis', 'href'] as const) {
    for (const order of [line, line.toReversed()]) {
      let before: TextRun | undefined
      for (const letter of order) {
        const isAtEdge = before?.[mark] !== letter[mark] || (mark === 'emphasis' && before !== undefined && !isSame(before, letter))
        if (isAtEdge && !letter.text.trim()) delete letter[mark]
        before = letter
      }
    }
  }
}

function extendEmphasis(line: TextRun[]): void {
  for (const order of [line, line.toReversed()]) {
    let before: TextRun | undefined
    for (const letter of order) {
      if (before?.emphasis && /[\p{L}\p{N}]/u.test(letter.text)) letter.emphasis = true
      before = letter
    }
  }
}

function mergeRuns(letters: readonly TextRun[]): TextRun[] {
  const runs: TextRun[] = []
  for (const letter of letters) {
    const last = runs.at(-1)
    if (last && isSame(last, letter)) last.text += letter.text
    else runs.push({ ...letter })
  }
  return runs
}
