import type { JSONContent } from '@tiptap/core'
import { parseRichText } from '#app/lib/rich-text.ts'
import { type RunBlock, type TextRun, toRunBlock } from '#app/lib/rich-text-runs.ts'

/** The editor's document of a text in light markup. */
export const toEditorDocument = (markup: string): JSONContent => toDocument(parseRichText(markup).map(toRunBlock))

export const toDocument = (blocks: readonly RunBlock[]): JSONContent => ({
  type: 'doc',
  content: blocks.length ? blocks.map(toNode) : [{ type: 'paragraph' }],
})

function toNode(block: RunBlock): JSONContent {
  switch (block.type) {
    case 'paragraph':
      return { type: 'paragraph', content: joinLines(block.lines) }
    case 'heading':
      return { type: 'heading', attrs: { level: block.level }, content: joinLines(block.lines) }
    case 'list':
      return {
        ...(block.start === undefined ? { type: 'bulletList' } : { type: 'orderedList', attrs: { start: block.start } }),
        content: block.items.map((item) => ({ type: 'listItem', content: [{ type: 'paragraph', content: toTexts(item) }] })),
      }
    case 'table':
      return {
        type: 'table',
        content: block.rows.map((row) => ({
          type: 'tableRow',
          content: row.map((cell) => ({ type: 'tableCell', content: [{ type: 'paragraph', content: toTexts(cell) }] })),
        })),
      }
    case 'picture':
      return { type: 'picture', attrs: { src: block.src, alt: block.alt } }
    case 'video':
      return { type: 'video', attrs: { href: block.href, title: block.title, host: block.host } }
  }
}

const joinLines = (lines: readonly TextRun[][]): JSONContent[] =>
  lines.flatMap((line, at) => [...(at ? [{ type: 'hardBreak' }] : []), ...toTexts(line)])

const toTexts = (runs: readonly TextRun[]): JSONContent[] =>
  runs
    .filter(({ text }) => text)
    .map(({ text, strong, emphasis, href }) => ({
      type: 'text',
      text,
      marks: [
        ...(href === undefined ? [] : [{ type: 'link', attrs: { href } }]),
        ...(strong ? [{ type: 'strong' }] : []),
        ...(emphasis ? [{ type: 'emphasis' }] : []),
      ],
    }))

/** The blocks of an editor's document, or of a part of it. */
export function readEditorDocument({ content = [] }: JSONContent): RunBlock[] {
  return content.flatMap((node): RunBlock[] => {
    const attrs = node.attrs ?? {}
    switch (node.type) {
      case 'paragraph':
        return splitAtEmptyLines(readLines(node)).map((lines) => ({ type: 'paragraph', lines }))
      case 'heading':
        return [{ type: 'heading', level: attrs['level'] === 3 ? 3 : 2, lines: readLines(node) }]
      case 'bulletList':
        return [{ type: 'list', items: readItems(node) }]
      case 'orderedList':
        return [{ type: 'list', start: Number(attrs['start'] ?? 1), items: readItems(node) }]
      case 'table':
        return [{ type: 'table', rows: (node.content ?? []).map(readItems) }]
      case 'picture':
        return [{ type: 'picture', src: String(attrs['src']), alt: String(attrs['alt'] ?? '') }]
      case 'video':
        return [{ type: 'video', href: String(attrs['href']), title: String(attrs['title']), host: String(attrs['host']) }]
      case 'text':
      case 'hardBreak':
        return []
      default:
        return readEditorDocument(node)
    }
  })
}

/** Each child in one line: items of a list and cells of a row have no breaks. */
const readItems = ({ content = [] }: JSONContent): TextRun[][] =>
  content.map(({ content: paragraphs = [] }) =>
    paragraphs.flatMap((paragraph) => readLines(paragraph).flatMap((line, at) => [...(at ? [{ text: ' ' }] : []), ...line])),
  )

function readLines({ content = [] }: JSONContent): TextRun[][] {
  const lines: TextRun[][] = [[]]
  for (const { type, text = '', marks = [] } of content) {
    if (type === 'hardBreak') lines.push([])
    else {
      const link = marks.find((mark) => mark.type === 'link')
      const has = (name: string) => marks.some((mark) => mark.type === name)
      lines.at(-1)?.push({
        text,
        ...(has('strong') && { strong: true }),
        ...(has('emphasis') && { emphasis: true }),
        ...(link && { href: String(link.attrs?.['href']) }),
      })
    }
  }
  return lines
}

/** In markup an empty line ends a paragraph. */
function splitAtEmptyLines(lines: readonly TextRun[][]): TextRun[][][] {
  const paragraphs: TextRun[][][] = [[]]
  for (const line of lines) {
    if (line.some(({ text }) => text.trim())) paragraphs.at(-1)?.push(line)
    else paragraphs.push([])
  }
  return paragraphs.filter((paragraph) => paragraph.length)
}
