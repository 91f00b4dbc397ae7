import { createRequire } from 'node:module'
import { AppError, isAppError } from '../../lib/app-error.ts'
import { readInOwnProcess } from '../read-in-own-process.ts'
import type { DocumentContent, DocumentFormat } from './document.schema.ts'
import type { DocumentOrder } from './write-document.server.ts'

const TYPESETTER = '@myriaddreamin/typst-ts-node-compiler'
const BOUNDS = { seconds: 30, heapMb: 384, wholeMb: 900 }
const { resolve } = createRequire(import.meta.url)

let isThere: boolean | undefined

/** Whether this installation has the typesetter's native file for its system. Without it there are no PDFs, and no charts in DOCX. */
export const canTypeset = (): boolean => (isThere ??= findNativeFile(`${process.platform}-${process.arch}`, resolve))

/** @param system as `linux-x64` */
export function findNativeFile(system: string, find: (name: string) => string): boolean {
  return ['', '-gnu', '-musl', '-msvc'].some((library) => {
    try {
      return find(`${TYPESETTER}-${system}${library}`) !== ''
    } catch {
      return false
    }
  })
}

/**
 * A document as a file, written in a process without secrets or database, with bounds on its time and memory.
 * @throws {AppError} `unavailable` if too many are written at once, if this one is too large, or for a PDF without the typesetter
 */
export async function makeDocument(owner: string, format: DocumentFormat, content: DocumentContent): Promise<Uint8Array> {
  if (format === 'pdf' && !canTypeset()) throw new AppError('unavailable')
  const order: DocumentOrder = { format, content, canTypeset: canTypeset() }
  try {
    return await readInOwnProcess<Uint8Array>('document', order, owner, BOUNDS)
  } catch (error) {
    // The process ran out of time or memory.
    if (isAppError(error) && error.code === 'invalid') throw new AppError('unavailable')
    throw error
  }
}
