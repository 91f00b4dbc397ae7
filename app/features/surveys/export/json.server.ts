import { encodeLines } from '#app/server/encode-lines.ts'
import type { ExportedRow, ExportPlan } from './export-plan.ts'
import { OWN_FORMAT } from './own-format.schema.ts'

/**
 * The survey with its settings, its draft and every published definition, newest first, and its responses as given: complete, where the
 * other formats are flattened.
 */
export async function* streamJson(plan: ExportPlan, pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string | Uint8Array> {
  const { survey, settings, draft, at, versions, columns } = plan
  const head = {
    format: OWN_FORMAT,
    schema: 1,
    exportedAt: at.toISOString(),
    survey: { ...survey, ...settings },
    definition: draft,
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
