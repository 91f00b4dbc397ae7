import { canCloseEmphasis, canOpenEmphasis, findBlocks, isMark, toSafeHref } from './rich-text.ts'
import { normaliseRuns, type RunBlock, type TextRun, toRunBlock } from './rich-text-runs.ts'

/** Writes blocks as markup. */
export const writeRichText = (blocks: readonly RunBlock[]): string => createMarkupWriter('')(blocks)

/**
 * Creates a writer for edited versions of `before`. A block that is already in it keeps its exact markup, and two neighbours keep what
 * separates them: nothing that was not edited changes by a byte.
 */
export function createMarkupWriter(before: string): (blocks: readonly RunBlock[]) => string {
  const old = findBlocks(before).map(({ block, from, to }) => ({ from, to, key: toKey(normaliseRuns(toRunBlock(block))) }))
  return (blocks) => {
    const wanted = blocks.flatMap((block) => normaliseRuns(block) ?? [])
    const kept = matchInOrder(
      wanted.map(toKey),
      old.map(({ key }) => key),
    )
    if (wanted.length === old.length && !kept.includes(undefined)) return before
    const textOf = (block: RunBlock, at: number): string => {
      const source = old[kept[at] ?? -1]
      return source ? before.slice(source.from, source.to) : writeBlock(block)
    }
    return wanted
      .map((block, at) => {
        const [last, next] = [kept[at - 1], kept[at]]
        const areNeighbours = last !== undefined && next === last + 1
        const gap = areNeighbours ? before.slice(old[last]?.to, old[next]?.from) : '\n\n'
        return (at ? gap : '') + textOf(block, at)
      })
      .join('')
  }
}

const toKey = (block: RunBlock | undefined) => JSON.stringify(block)

/** For each wanted key the place of its match among the old ones, in the same order: the longest common subsequence. */
function matchInOrder(wanted: readonly string[], old: readonly string[]): (number | undefined)[] {
  const width = old.length + 1
  const lengths = new Uint32Array((wanted.length + 1) * width)
  const lengthAt = (a: number, b: number) => lengths[a * width + b] ?? 0
  for (let a = wanted.length - 1; a >= 0; a--)
    for (let b = old.length - 1; b >= 0; b--)
      lengths[a * width + b] = wanted[a] === old[b] ? lengthAt(a + 1, b + 1) + 1 : Math.max(lengthAt(a + 1, b), lengthAt(a, b + 1))
  const kept: (number | undefined)[] = []
  for (let a = 0, b = 0; a < wanted.length; a++) {
    while (b < old.length && wanted[a] !== old[b] && lengthAt(a, b) === lengthAt(a, b + 1)) b++
    kept.push(wanted[a] === old[b] ? b++ : undefined)
  }
  return kept
}

function writeBlock(block: RunBlock): string {
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.lines.map((line) => writeLine(line)).join(' ')}`
    case 'paragraph':
      return block.lines.map((line) => escapeLineStart(writeLine(line))).join('\n')
    case 'list':
      return block.items.map((item, at) => `${block.start === undefined ? '-' : `${block.start + at}.`} ${writeLine(item)}`).join('\n')
    case 'table': {
      const rows = block.rows.map((row) => `| ${row.map((cell) => writeLine(cell, true)).join(' | ')} |`)
      return [rows[0], `|${' --- |'.repeat(block.rows[0]?.length ?? 0)}`, ...rows.slice(1)].join('\n')
    }
    case 'picture':
      return `![${escapeText(block.alt, { inLink: true, isMarked: true })}](${block.src})`
    case 'video':
      return `![${escapeText(block.title, { inLink: true, isMarked: true })}](${writeHref(block.href)})`
  }
}

const escapeLineStart = (line: string) => line.replace(/^(?=###? |- |\|)/, '\\').replace(/^(\d{1,3})(?=\. )/, '$1\\')

type Mark = 'href' | 'strong' | 'emphasis'
const MARKS: readonly Mark[] = ['href', 'strong', 'emphasis']

/** Opens the mark that reaches furthest first, so that marks lie within each other. */
function writeLine(runs: readonly TextRun[], inCell = false, open: readonly Mark[] = []): string {
  let markup = ''
  for (let at = 0; at < runs.length;) {
    const run = runs[at] as TextRun
    const reach = (mark: Mark) => {
      let end = at
      while (run[mark] !== undefined && runs[end]?.[mark] === run[mark]) end++
      return end
    }
    const [mark] = MARKS.filter((one) => run[one] !== undefined && !open.includes(one)).toSorted((a, b) => reach(b) - reach(a))
    if (mark) {
      const end = reach(mark)
      markup += wrapMark(mark, run, writeLine(runs.slice(at, end), inCell, [...open, mark]))
      at = end
    } else {
      const isMarked = open.length > 0
      const hasNeighbour = { before: isMarked || at > 0, after: isMarked || at < runs.length - 1 }
      markup += escapeText(run.text, { inLink: open.includes('href'), inCell, isMarked, hasNeighbour })
      at++
    }
  }
  return markup
}

function wrapMark(mark: Mark, { href }: TextRun, content: string): string {
  if (mark === 'strong') return `**${content}**`
  if (mark === 'emphasis') return `_${content}_`
  const address = writeHref(href ?? '')
  return toSafeHref(address) ? `[${content}](${address})` : content
}

/** Encodes what would end the link, or a mark around it. */
const writeHref = (href: string) =>
  href
    .replaceAll(')', '%29')
    .replaceAll('*', '%2A')
    .replaceAll('|', '%7C')
    .replace(/_(?![\p{L}\p{N}])/gu, '%5F')

interface Place {
  inLink: boolean
  inCell?: boolean
  isMarked: boolean
  hasNeighbour?: { before: boolean; after: boolean }
}

/** Puts a backslash before everything that would be read as a mark. */
function escapeText(
  text: string,
  { inLink, inCell = false, isMarked, hasNeighbour = { before: isMarked, after: isMarked } }: Place,
): string {
  // A neighbour may be a mark, or a word.
  const isEdge = (at: number) => (at < 0 ? hasNeighbour.before : at >= text.length && hasNeighbour.after)
  const mustEscapeUnderscores = (at: number): boolean => {
    let [from, to] = [at, at]
    while (text[from - 1] === '_') from--
    while (text[to] === '_') to++
    const line = Array.from({ length: to - from }, (_, index) => from + index)
    return isEdge(from - 1) || isEdge(to) || line.some((one) => canOpenEmphasis(text, one) || canCloseEmphasis(text, one))
  }
  const mustEscape = (at: number): boolean => {
    switch (text[at]) {
      case '*':
        return [at - 1, at + 1].some((near) => text[near] === '*' || isEdge(near))
      case '_':
        return mustEscapeUnderscores(at)
      case '[':
        return inLink
      case ']':
        return text[at + 1] === '('
      case '|':
        return inCell
      default:
        return false
    }
  }
  let markup = ''
  for (let at = 0; at < text.length; at++) {
    let end = at
    while (text[end] === '\\') end++
    // Backslashes before a mark count in pairs.
    if (end > at && (isMark(text[end]) || isEdge(end))) markup += text.slice(at, end)
    if (end > at) {
      markup += text.slice(at, end)
      at = end - 1
    } else markup += (mustEscape(at) ? '\\' : '') + text[at]
  }
  return markup
}
