import { encodeLines } from '#app/server/encode-lines.ts'
import type { ExportedRow, ExportPlan } from './export-plan.ts'

/** The name by which a file of ours is known again when it is imported. */
export const OWN_FORMAT = 'parley-survey'

/**
 * The survey with every published definition, and its responses as they were given: what the other formats flatten is whole here.
 * The newest version stands first, so that who imports the file finds the survey at its head.
 */
export async function* streamJson(plan: ExportPlan, pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string | Uint8Array> {
  const { survey, at, versions, columns } = plan
  const head = {
    format: OWN_FORMAT,
    schema: 1,
    exportedAt: at.toISOString(),
    survey,
    versions: [...versions].toReversed().map(([number, definition]) => ({ number, definition })),
    columns: columns.map(({ code, label, holds }) => ({ code, label, ...holds })),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"responses":[\n`
  let first = true
  for await (const rows of pages) {
    if (rows.length === 0) continue
    const isFirst = first
    yield encodeLines(rows, (row, index) => `${isFirst && index === 0 ? '' : ',\n'}${JSON.stringify(toJsonRow(row, plan.personal))}`)
    first = false
  }
  yield '\n]}\n'
}

const toJsonRow = ({ login, email, ...row }: ExportedRow, personal: boolean) => (personal ? { ...row, login, email } : row)
