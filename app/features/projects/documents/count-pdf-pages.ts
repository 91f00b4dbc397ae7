import { inflateSync } from 'node:zlib'

/** What is unpacked to find the page tree of one file. */
const MAX_UNPACKED_BYTES = 16_000_000
const MAX_DICTIONARY_CHARACTERS = 400_000

/**
 * Number of pages of a PDF, read without a PDF library: a file made for the web says it at its start, every other in the root of its page
 * tree, which may stand in a compressed stream. Undefined if the file is encrypted or says it in a way that is not understood.
 */
export function countPdfPages(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1')
  if (/\/Encrypt\b/.test(text)) return undefined
  const roots = [...listPageRoots(text), ...unpackObjectStreams(bytes, text).flatMap(listPageRoots)]
  // A file that was saved again keeps its former tree before the new one.
  return roots.at(-1) ?? readLinearized(text)
}

function readLinearized(text: string): number | undefined {
  const [, pages] = /\/Linearized\b[^>]{0,200}?\/N\s+(\d{1,6})\b/.exec(text.slice(0, 2048)) ?? []
  return toPageCount(pages)
}

/** Page counts of the trees' roots, which have no parent, in the order of the text. */
function listPageRoots(text: string): number[] {
  return [...text.matchAll(/\/Type\s*\/Pages\b/g)].flatMap(({ index }) => {
    const dictionary = readDictionaryAround(text, index)
    if (dictionary === undefined || /\/Parent\b/.test(dictionary)) return []
    return toPageCount(/\/Count\s+(\d{1,6})\b/.exec(dictionary)?.[1]) ?? []
  })
}

const toPageCount = (digits: string | undefined): number | undefined => (digits && Number(digits) > 0 ? Number(digits) : undefined)

/** The innermost `<< … >>` around a place. */
function readDictionaryAround(text: string, at: number): string | undefined {
  const from = findBracket(text, at, -1)
  const to = findBracket(text, at, 1)
  return from === undefined || to === undefined ? undefined : text.slice(from, to)
}

function findBracket(text: string, at: number, step: 1 | -1): number | undefined {
  const [outer, inner] = step === 1 ? ['>>', '<<'] : ['<<', '>>']
  let depth = 0
  for (let place = at; place >= 0 && place < text.length && Math.abs(place - at) < MAX_DICTIONARY_CHARACTERS; place += step) {
    const pair = text.slice(place, place + 2)
    if (pair === inner) depth += 1
    else if (pair === outer && depth > 0) depth -= 1
    else if (pair === outer) return place
    else continue
    place += step
  }
  return undefined
}

/** The texts of compressed streams that hold objects, up to a limit for all of them. */
function unpackObjectStreams(bytes: Buffer, text: string): string[] {
  const unpacked: string[] = []
  let left = MAX_UNPACKED_BYTES
  for (const { index } of text.matchAll(/\/Type\s*\/ObjStm\b/g)) {
    const begin = /stream\r?\n/.exec(text.slice(index, index + 2000))
    if (!begin || left <= 0) continue
    const from = index + begin.index + begin[0].length
    const to = text.indexOf('endstream', from)
    if (to < 0) continue
    try {
      const stream = inflateSync(bytes.subarray(from, to), { maxOutputLength: left }).toString('latin1')
      left -= stream.length
      unpacked.push(stream)
    } catch {
      // Packed in another way, or too large.
    }
  }
  return unpacked
}
