import { toSafeHref } from '#app/lib/rich-text.ts'
import { normaliseRuns, type RunBlock, type TextRun } from '#app/lib/rich-text-runs.ts'

type Marks = Omit<TextRun, 'text'>

/** Elements whose text is not part of the text. */
const SKIPPED = new Set(['STYLE', 'SCRIPT', 'HEAD', 'TITLE', 'META', 'LINK', 'TEMPLATE', 'NOSCRIPT', 'SVG', 'XML', 'W:SDTPR'])
const BLOCKS = new Set(
  (
    'P DIV SECTION ARTICLE HEADER FOOTER MAIN ASIDE NAV BLOCKQUOTE PRE ADDRESS HR FIGURE FIGCAPTION DL DT DD FORM FIELDSET DETAILS SUMMARY ' +
    'CENTER BODY HTML LI'
  ).split(' '),
)

/**
 * Reads pasted HTML, as Word, Google Docs, LibreOffice, mail programs and web pages write it: headings, paragraphs, lists, tables, links,
 * bold and emphasised text. Everything else goes: styles, classes, scripts, comments, foreign pictures.
 */
export function readHtml(root: Element): RunBlock[] {
  const collector = new Collector()
  collector.readChildren(root, {})
  collector.endBlock()
  return collector.blocks.flatMap((block) => normaliseRuns(block) ?? [])
}

class Collector {
  readonly blocks: RunBlock[] = []
  #lines: TextRun[][] = [[]]

  readChildren(element: Element, marks: Marks): void {
    for (const child of element.childNodes) {
      if (child.nodeType === 3) this.#lines.at(-1)?.push({ text: (child.nodeValue ?? '').replace(/[ \t\r\n\f]+/g, ' '), ...marks })
      else if (child.nodeType === 1) this.#readElement(child as Element, marks)
    }
  }

  #readElement(element: Element, marks: Marks): void {
    const name = element.nodeName.toUpperCase()
    if (SKIPPED.has(name) || isHidden(element)) return
    const level = readHeadingLevel(element, name)
    const item = readWordItem(element)
    if (name === 'BR') {
      if (!element.classList.contains('Apple-interchange-newline')) this.#lines.push([])
    } else if (name === 'IMG') this.#addPicture(element)
    else if (level) this.#readBlock(element, marks, (lines) => ({ type: 'heading', level, lines: withoutStrong(lines) }))
    else if (item) {
      this.#readBlock(element, marks, (lines) => ({ type: 'list', ...item, items: [joinLines(lines)] }))
      this.#joinLists()
    } else if (name === 'UL' || name === 'OL') this.#readList(element, name, marks)
    else if (name === 'TABLE') this.#readTable(element, marks)
    else if (BLOCKS.has(name)) this.#readBlock(element, marks, (lines) => ({ type: 'paragraph', lines }))
    else this.readChildren(element, readMarks(element, name, marks))
  }

  /** Ends what stands before the element and makes a block of what stands in it. */
  #readBlock(element: Element, marks: Marks, build: (lines: TextRun[][]) => RunBlock): void {
    this.endBlock()
    this.readChildren(element, readMarks(element, element.nodeName.toUpperCase(), marks))
    this.endBlock(build)
  }

  endBlock(build: (lines: TextRun[][]) => RunBlock = (lines) => ({ type: 'paragraph', lines })): void {
    if (this.#lines.some((line) => line.some(({ text }) => text.trim()))) this.blocks.push(build(this.#lines))
    this.#lines = [[]]
  }

  /** Light markup has no lists within lists: inner items follow the one they belong to. */
  #readList(element: Element, name: string, marks: Marks): void {
    this.endBlock()
    const items = Array.from(element.children).flatMap((child) => {
      const within = new Collector()
      within.readChildren(child.nodeName === 'LI' ? child : wrapElement(child), marks)
      within.endBlock()
      const own = within.blocks.flatMap((block): TextRun[][] => {
        if (block.type === 'paragraph' || block.type === 'heading') return [joinLines(block.lines)]
        if (block.type === 'list') return block.items
        return block.type === 'table' ? block.rows.map((row) => joinLines(row)) : []
      })
      const hasInnerList = child.querySelector('ul, ol') !== null || child.nodeName !== 'LI'
      return hasInnerList ? own : own.length ? [joinLines(own)] : []
    })
    const start = Number(element.getAttribute('start') ?? 1)
    if (items.length) this.blocks.push({ type: 'list', ...(name === 'OL' && { start: start >= 0 && start < 1000 ? start : 1 }), items })
  }

  /** Word writes each item of a list as a paragraph. */
  #joinLists(): void {
    const [before, last] = this.blocks.slice(-2)
    if (before?.type !== 'list' || last?.type !== 'list') return
    const isNext = last.start === undefined ? before.start === undefined : before.start !== undefined && last.start > 1
    if (!isNext) return
    before.items.push(...last.items)
    this.blocks.pop()
  }

  #readTable(element: Element, marks: Marks): void {
    this.endBlock()
    const rows = Array.from(element.querySelectorAll('tr')).filter((row) => row.closest('table') === element)
    const cells = rows.map((row) => Array.from(row.children).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH'))
    // A table of a single cell is a frame around a text.
    if (cells.flat().length <= 1) {
      for (const cell of cells.flat()) this.readChildren(cell, marks)
      return this.endBlock()
    }
    const grid: TextRun[][][] = cells.map(() => [])
    cells.forEach((row, at) => {
      let column = 0
      for (const cell of row) {
        while (grid[at]?.[column]) column++
        const within = new Collector()
        within.readChildren(cell, marks)
        within.endBlock()
        const words = joinLines(within.blocks.flatMap((block) => ('lines' in block ? block.lines : 'items' in block ? block.items : [])))
        const [wide, high] = [readSpan(cell, 'colspan'), readSpan(cell, 'rowspan')]
        for (let down = 0; down < high && at + down < grid.length; down++)
          for (let along = 0; along < wide; along++) (grid[at + down] ?? [])[column + along] = down || along ? [] : words
        column += wide
      }
    })
    const columns = Math.max(...grid.map((row) => row.length))
    this.blocks.push({ type: 'table', rows: grid.map((row) => Array.from({ length: columns }, (_, at) => row[at] ?? [])) })
  }

  /** Only pictures of this site's library: no page loads one from elsewhere. */
  #addPicture(element: Element): void {
    const src = /^\/media\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.exec(element.getAttribute('src') ?? '')?.[0]
    if (!src) return
    this.endBlock()
    this.blocks.push({ type: 'picture', src, alt: element.getAttribute('alt') ?? '' })
  }
}

function wrapElement(element: Element): Element {
  const outer = element.ownerDocument.createElement('div')
  outer.append(element.cloneNode(true))
  return outer
}

const readSpan = (cell: Element, name: string) => Math.min(50, Math.max(1, Math.trunc(Number(cell.getAttribute(name))) || 1))

const getStyle = (element: Element) => element.getAttribute('style') ?? ''

const isHidden = (element: Element) =>
  /mso-list:\s*ignore|display:\s*none|mso-hide:\s*all|mso-element:\s*(comment|field-begin)/i.test(getStyle(element))

function readHeadingLevel(element: Element, name: string): 2 | 3 | undefined {
  if (element.className.startsWith('MsoTitle')) return 2
  const level = Number(/^H([1-6])$/.exec(name)?.[1] ?? 0)
  return level ? (level < 3 ? 2 : 3) : undefined
}

/** Word marks items by a style, and writes bullet or number as text to be ignored. */
function readWordItem(element: Element): { start?: number } | undefined {
  if (!/mso-list:\s*l\d+\s+level\d/i.test(getStyle(element))) return undefined
  const marker = Array.from(element.querySelectorAll('[style]')).find((one) => /mso-list:\s*ignore/i.test(getStyle(one)))
  const number = /^\s*(?:(\d{1,3})|[a-z]{1,4})[.)]/i.exec(marker?.textContent ?? '')
  return number ? { start: Number(number[1] ?? 2) } : {}
}

function readMarks(element: Element, name: string, marks: Marks): Marks {
  const own: Marks = { ...marks }
  const style = getStyle(element)
  const weight = /(?<![-\w])font-weight:\s*(\w+)/i.exec(style)?.[1]
  if (weight ? /^(bold|bolder|[6-9]00)$/i.test(weight) : name === 'B' || name === 'STRONG') own.strong = true
  else if (weight) delete own.strong
  const slant = /(?<![-\w])font-style:\s*(\w+)/i.exec(style)?.[1]
  if (slant ? /^(italic|oblique)$/i.test(slant) : name === 'I' || name === 'EM') own.emphasis = true
  else if (slant) delete own.emphasis
  const href = name === 'A' ? toSafeHref((element.getAttribute('href') ?? '').trim()) : undefined
  if (href !== undefined) own.href = href
  return own
}

const joinLines = (lines: readonly TextRun[][]): TextRun[] => lines.flatMap((line, at) => [...(at ? [{ text: ' ' }] : []), ...line])

/** Headings are bold as they are. */
const withoutStrong = (lines: readonly TextRun[][]) =>
  lines.map((line) => line.map(({ text, emphasis, href }) => ({ text, ...(emphasis && { emphasis }), ...(href && { href }) })))
