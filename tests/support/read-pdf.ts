import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

interface PdfNode {
  role: string
  /** What is read out: the alternative text, or the texts inside. */
  text: string
  children: PdfNode[]
}

export interface ReadPdf {
  language: string | null
  title: string
  pages: number
  text: string
  /** Every element of the structure, in reading order. */
  nodes: PdfNode[]
  texts: (role: string) => string[]
}

interface StructNode {
  role?: string
  alt?: string
  type?: string
  id?: string
  children?: StructNode[]
}

/** Reads a PDF as assistive technology does: its language, title, structure and texts. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const { info } = (await document.getMetadata()) as { info: { Language: string | null; Title: string } }
  const nodes: PdfNode[] = []
  let text = ''
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const content = await page.getTextContent({ includeMarkedContent: true })
    const marked = new Map<string, string>()
    const open: string[] = []
    for (const item of content.items) {
      if ('str' in item) {
        text += item.str
        const id = open.findLast((each) => each !== '')
        if (id !== undefined) marked.set(id, (marked.get(id) ?? '') + item.str)
      } else if (item.type === 'endMarkedContent') open.pop()
      else open.push(item.id ?? '')
    }
    const toNode = (node: StructNode): PdfNode[] => {
      if (!node.role) return []
      const children = (node.children ?? []).flatMap(toNode)
      const said = (each: StructNode): string =>
        each.alt ?? (each.type === 'content' ? (marked.get(each.id ?? '') ?? '') : (each.children ?? []).map(said).join(''))
      const read = { role: node.role, text: said(node), children }
      nodes.push(read)
      return [read]
    }
    toNode(await page.getStructTree())
  }
  const pages = document.numPages
  await document.loadingTask.destroy()
  return {
    language: info.Language,
    title: info.Title,
    pages,
    text,
    nodes,
    texts: (role) => nodes.filter((node) => node.role === role).map((node) => node.text.trim()),
  }
}
