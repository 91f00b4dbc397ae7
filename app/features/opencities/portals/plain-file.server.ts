import type { DatasetFacts } from '../opencities.schema.ts'
import { getAcceptHeader, readFileFacts, type FileFormat, readFileRows, detectFormat, rowsOfFormat } from './file-formats.server.ts'
import { type Portal, PortalFault } from './portal.server.ts'

/** A single file at its own address: a catalogue of one dataset. */
export const createFilePortal = (format: FileFormat): Portal => ({
  async detect(reader, address) {
    const answer = await reader.file(address, getAcceptHeader(format))
    if (!answer) return undefined
    const said = detectFormat(answer.headers['content-type'], new URL(address).pathname)
    const isJson = said === 'json' && format === 'geojson'
    const isXml = /\b(xml|rss)\b/.test(answer.headers['content-type'] ?? '') && format === 'rss'
    const rows = rowsOfFormat[format](answer)
    try {
      if (said !== format && !isJson && !isXml) return undefined
      return (await rows.next()).done ? undefined : { url: address, name: toFileName(address) }
    } catch (error) {
      if (error instanceof PortalFault && error.code === 'portal-not-understood') return undefined
      throw error
    } finally {
      await rows.return(undefined)
      await answer.body.return(undefined)
    }
  },
  async search(reader, url, { page }) {
    if (page > 1) return { datasets: [], total: 1 }
    const { id, title, description, licence, updatedAt, rows } = await this.describe(reader, url, url)
    return { datasets: [{ id, title, description, licence, updatedAt, rows }], total: 1 }
  },
  async describe(reader, _, id): Promise<DatasetFacts> {
    return {
      id,
      title: toFileName(id),
      description: '',
      licence: '',
      licenceUrl: null,
      publisher: new URL(id).hostname,
      page: null,
      language: null,
      rows: null,
      ...(await readFileFacts(reader, id, format)),
    }
  },
  rows: (reader, _, id, request) => readFileRows(reader, id, format, request),
  credentials: (token) => ({ authorization: `Bearer ${token}` }),
})

const toFileName = (address: string): string =>
  decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '')
    .replace(/\.(csv|tsv|txt|json|geojson|rss|xml|atom)$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim() || new URL(address).hostname
