import { parseCell, toSourceLocale } from '#app/features/opencities/parse-cells.ts'
import type { DatasetFacts } from '#app/features/opencities/opencities.schema.ts'
import { detectPortal } from '#app/features/opencities/portals/open-portal.server.ts'
import { type Cursor, type SourceRow, UNCHANGED, type Validators } from '#app/features/opencities/portals/portal.server.ts'
import { PortalReader } from '#app/features/opencities/portals/portal-reader.server.ts'
import { PORTALS } from '#app/features/opencities/portals/portal-registry.server.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'

const ctx = { runtime: { env: { OUTGOING_LOOPBACK: true } } } as unknown as Pick<Ctx, 'runtime'>

/** The steps of a site administrator with a portal: detect, search, inspect, copy. */
export async function connectPortal(address: string, language: Language = 'en', token?: string) {
  const { kind, url, name } = await detectPortal(ctx, address, token, language)
  const portal = PORTALS[kind]
  const reader = new PortalReader({
    policy: { loopback: true },
    home: url,
    language,
    pause: () => Promise.resolve(),
    ...(token ? { secrets: portal.credentials(token) } : {}),
  })
  const read = async (id: string, options: { cursor?: Cursor; validators?: Validators } = {}) => {
    const answer = await portal.rows(reader, url, id, { columns: [], cursor: options.cursor, validators: options.validators })
    if (answer === UNCHANGED) return { rows: [] as SourceRow[], cursors: [] as Cursor[], validators: undefined }
    const [rows, cursors] = [[] as SourceRow[], [] as Cursor[]]
    for await (const batch of answer.batches) {
      rows.push(...batch.rows)
      cursors.push(batch.cursor)
    }
    return { rows, cursors, validators: answer.validators }
  }
  return {
    kind,
    name,
    search: (words = '') => portal.search(reader, url, { words, page: 1, size: 20 }),
    describe: (id: string) => portal.describe(reader, url, id),
    read,
    /** Cells of a row as they would be stored. */
    cells: (facts: DatasetFacts, row: SourceRow | undefined) =>
      facts.columns.map(({ key, type }) => parseCell(type, row?.[key], toSourceLocale(language, 'Canada'))),
  }
}

export const mapColumnTypes = (facts: DatasetFacts) => Object.fromEntries(facts.columns.map(({ label, type }) => [label, type]))
