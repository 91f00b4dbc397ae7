import { habitsOf } from '../cells.ts'
import type { DatasetFacts } from '../opencities.schema.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { type Portal, PortalFault, UNCHANGED, validatorsOf } from './portal.server.ts'
import type { PortalReader } from './reader.server.ts'
import { csvRows, inBatches, sampledColumns } from './table-file.server.ts'

const ACCEPT = 'text/csv, text/plain;q=0.8, */*;q=0.5'
const NO_TABLE = /^(text\/html|application\/(xhtml\+xml|json|geo\+json|xml|rss\+xml|pdf|zip))/

/** One CSV file at an address of its own: a catalogue of one dataset. */
export const csvPortal: Portal = {
  async detect(reader, address) {
    const answer = await reader.file(address, ACCEPT)
    if (!answer) return undefined
    const type = answer.headers['content-type'] ?? ''
    const isTable = !NO_TABLE.test(type) && (/csv|tab-separated/.test(type) || /\.(csv|tsv)(\?|$)/i.test(address))
    const rows = csvRows(answer.body, type)
    try {
      return isTable && !(await rows.next()).done ? { url: address, name: fileName(address) } : undefined
    } finally {
      await rows.return(undefined)
    }
  },
  async search(reader, url, { page }) {
    if (page > 1) return { datasets: [], total: 1 }
    const { id, title, description, licence, updatedAt, rows } = await this.describe(reader, url, url)
    return { datasets: [{ id, title, description, licence, updatedAt, rows }], total: 1 }
  },
  async describe(reader, _, id): Promise<DatasetFacts> {
    const answer = await open(reader, id)
    const modified = Date.parse(answer.headers['last-modified'] ?? '')
    const columns = await sampledColumns(
      csvRows(answer.body, answer.headers['content-type']),
      habitsOf(matchLanguage(reader.language) ?? 'en', ''),
    )
    return {
      id,
      title: fileName(id),
      description: '',
      licence: '',
      licenceUrl: null,
      publisher: new URL(id).hostname,
      page: null,
      language: null,
      updatedAt: Number.isNaN(modified) ? null : new Date(modified).toISOString(),
      rows: null,
      columns,
    }
  },
  async rows(reader, _, id, { cursor, validators }) {
    const answer = await reader.file(id, ACCEPT, validators)
    if (!answer) return UNCHANGED
    return {
      validators: validatorsOf(answer),
      batches: inBatches(csvRows(answer.body, answer.headers['content-type']), Number(cursor?.['row'] ?? 0)),
    }
  },
  credentials: (token) => ({ authorization: `Bearer ${token}` }),
}

async function open(reader: PortalReader, address: string) {
  const answer = await reader.file(address, ACCEPT)
  if (!answer) throw new PortalFault('portal-not-understood', 'unchanged since never')
  return answer
}

const fileName = (address: string): string =>
  decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '')
    .replace(/\.(csv|tsv|txt)$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim() || new URL(address).hostname
