import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { unpackWoff } from '../unpack-woff.ts'
import { findColumnShares } from './column-shares.ts'
import type { DocumentChart, DocumentContent } from './document.schema.ts'

const TEMPLATE = new URL('template.typ', import.meta.url)
const FAMILY = 'Source Serif 4'
/** The typesetter takes one font of each family for a style: the font with the letters ŵ and ŷ needs a family of its own, of the same length. */
const FAMILY_OF_FURTHER_LETTERS = 'Source Serif X'
const STYLES = ['400-normal', '600-normal'] as const

/** Sets a document as PDF/UA-1. The same content gives the same bytes. @throws {Error} with the typesetter's words */
export function typesetPdf(content: DocumentContent): Buffer {
  const compiler = getCompiler()
  const { document } = compileDocument(compiler, content)
  return compiler.pdf(document, { pdfStandard: 'ua-1', creationTimestamp: content.madeAt })
}

/** Draws a chart as a document has it. @returns SVG without fonts */
export function drawChartSvg(content: DocumentContent, chart: DocumentChart): string {
  const compiler = getCompiler()
  return compiler.plainSvg(compileDocument(compiler, { ...content, sections: [], only: chart }).document)
}

function compileDocument(compiler: NodeCompiler, content: DocumentContent & { only?: DocumentChart }) {
  const [lang, region = null] = content.language.split('-')
  const compiled = compiler.compile({
    mainFileContent: readFileSync(TEMPLATE, 'utf8'),
    inputs: { data: JSON.stringify({ ...content, sections: content.sections.map(shareColumns), lang, region }) },
  })
  const { result } = compiled
  const error = compiled.takeError()
  if (!result || error) throw new Error(`The document was not set: ${error ? JSON.stringify(compiler.fetchDiagnostics(error)) : ''}`)
  return { document: result }
}

/** With this many columns of numbers, a table would not fit if the typesetter chose their widths. */
const MANY_NUMBERS = 5

/** Says how wide the columns of crowded tables are, and of those that only have texts, where a long one needs more room than a date. */
const shareColumns = (section: DocumentContent['sections'][number]) => ({
  ...section,
  blocks: section.blocks.map((block) => {
    if (block.kind !== 'table') return block
    const numbers = block.heads.length - (block.textColumns ?? 1)
    const isCrowded = numbers >= MANY_NUMBERS
    return isCrowded || numbers === 0 ? { ...block, isCrowded, shares: findColumnShares(block) } : block
  }),
})

let known: NodeCompiler | undefined

/** Reading its fonts takes longer than drawing a chart. */
const getCompiler = (): NodeCompiler => (known ??= createCompiler())

function createCompiler(): NodeCompiler {
  const require = createRequire(import.meta.url)
  const typst = require('@myriaddreamin/typst-ts-node-compiler') as typeof import('@myriaddreamin/typst-ts-node-compiler')
  const readFont = (subset: string, style: string) =>
    unpackWoff(readFileSync(require.resolve(`@fontsource/source-serif-4/files/source-serif-4-${subset}-${style}.woff`)))
  const fontBlobs = STYLES.flatMap((style) => [readFont('latin', style), renameFamily(readFont('latin-ext', style))])
  return typst.NodeCompiler.create({ workspace: '/', fontArgs: [{ fontBlobs }] })
}

/** Gives a font another family name of the same length, wherever its names are. */
function renameFamily(font: Buffer): Buffer {
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const [from, to] = [FAMILY, FAMILY_OF_FURTHER_LETTERS].map((name) => {
      const bytes = Buffer.from(name, encoding)
      // Names in fonts are big-endian.
      return encoding === 'utf16le' ? bytes.swap16() : bytes
    }) as [Buffer, Buffer]
    for (let at = font.indexOf(from); at >= 0; at = font.indexOf(from, at + 1)) to.copy(font, at)
  }
  return font
}
