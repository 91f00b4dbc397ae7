import { createHash } from 'node:crypto'
import { type DatasetFacts } from '../opencities.schema.ts'
import { PortalFault, type RowAnswer, type RowBatch, type RowRequest, type SourceRow, UNCHANGED } from './portal.server.ts'

const MAX_PAGES = 20_000

/** Pages by offset until there are no more. Gives up on a portal that repeats the same page forever. */
export async function* readPages(
  from: number,
  read: (offset: number) => Promise<{ rows: SourceRow[]; more: boolean }>,
): AsyncGenerator<RowBatch, void, undefined> {
  let offset = from
  let last = ''
  for (let count = 0; count < MAX_PAGES; count++) {
    const { rows, more } = await read(offset)
    if (rows.length === 0) return
    const mark = createHash('sha1').update(JSON.stringify(rows)).digest('base64')
    if (mark === last) throw new PortalFault('portal-endless', `the same page at ${offset}`)
    last = mark
    offset += rows.length
    yield { rows, cursor: { offset } }
    if (!more) return
  }
  throw new PortalFault('portal-endless', `more than ${MAX_PAGES} pages`)
}

/** Rows of a portal that says when its data last changed: `UNCHANGED` if that is as before. */
export function readRowsIfChanged(
  facts: Pick<DatasetFacts, 'updatedAt'>,
  { cursor, validators }: RowRequest,
  read: (offset: number) => Promise<{ rows: SourceRow[]; more: boolean }>,
): RowAnswer | typeof UNCHANGED {
  const { updatedAt } = facts
  if (updatedAt && validators?.modified === updatedAt) return UNCHANGED
  return { validators: updatedAt ? { modified: updatedAt } : {}, batches: readPages(Number(cursor?.['offset'] ?? 0), read) }
}
