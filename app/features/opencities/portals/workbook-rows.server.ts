import { isAppError } from '#app/lib/app-error.ts'
import type { OutgoingAnswer } from '#app/server/outgoing/send-outgoing.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { PortalFault, type SourceRow } from './portal.server.ts'
import type { WorkbookTable } from './read-workbook.server.ts'
import { createRowReader } from './table-file.server.ts'

/** A workbook has to be whole in memory to be unpacked. */
const LARGEST_WORKBOOK = 20_000_000

/** Rows of the first sheet of a workbook (XLSX), which is unpacked in a process of its own. @throws {PortalFault} */
export async function* readWorkbookRows({ body, url }: OutgoingAnswer): AsyncGenerator<SourceRow, void, undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > LARGEST_WORKBOOK) throw new PortalFault('portal-too-large', 'a workbook of more than 20 MB')
    pieces.push(piece)
  }
  const { header, records } = await readWorkbook(new Uint8Array(Buffer.concat(pieces)), new URL(url).origin)
  const toRow = createRowReader(header)
  for (const record of records) yield toRow(record)
}

async function readWorkbook(file: Uint8Array, owner: string): Promise<WorkbookTable> {
  try {
    return await readInOwnProcess<WorkbookTable>('city-workbook', { file }, owner)
  } catch (error) {
    if (isAppError(error) && error.code === 'invalid') throw new PortalFault('portal-too-many-rows', 'a workbook larger than we read')
    if (isAppError(error)) throw new PortalFault('portal-busy', 'too many workbooks at once')
    throw new PortalFault('portal-not-understood', error instanceof Error ? error.message : 'no workbook')
  }
}
