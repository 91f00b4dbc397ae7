import { buildDocx } from './build-docx.server.ts'
import type { DocumentContent, DocumentFormat } from './document.schema.ts'
import { typesetPdf } from './typeset.server.ts'

export interface DocumentOrder {
  format: DocumentFormat
  content: DocumentContent
  canTypeset: boolean
}

/** Writes a document. Runs in a process of its own, see `makeDocument`. */
export const writeDocument = ({ format, content, canTypeset }: DocumentOrder): Buffer | Promise<Buffer> =>
  format === 'pdf' ? typesetPdf(content) : buildDocx(content, { canTypeset })
