import type { CsvCell } from '#app/lib/csv.ts'
import { AppError } from '#app/lib/app-error.ts'
import { RETENTION } from '#app/lib/retention.ts'
import { createCsvResponse } from '#app/server/csv-file.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { PRIVACY_RECORD } from './privacy-record.ts'

const HEADS = ['what', 'table', 'column', 'purpose', 'basis', 'retention', 'seen', 'download', 'erasure'] as const

/** The record as CSV, one line for each field, for every role. */
export function exportRecord({ context: { ctx } }: { context: RequestContext }): Promise<Response> {
  const t = getTranslator(ctx.language, 'privacy')
  return createCsvResponse(ctx, () => {
    if (ctx.viewer.kind !== 'user') return Promise.reject(new AppError('unauthenticated'))
    if (ctx.viewer.roles.length === 0) return Promise.reject(new AppError('forbidden'))
    return Promise.resolve({ filename: 'privacy-record.csv', heads: HEADS.map((head) => t(`heads.${head}`)), rows: streamRows(t) })
  })
}

async function* streamRows(t: ReturnType<typeof getTranslator<'privacy'>>): AsyncGenerator<CsvCell[][]> {
  for (const entry of PRIVACY_RECORD)
    yield entry.fields.map((field) => {
      const [table = '', column = ''] = field.split('.')
      return [
        t(`entries.${entry.id}.what`),
        table,
        column,
        t(`entries.${entry.id}.purpose`),
        t(`bases.${entry.basis}`),
        t(`retentions.${entry.retention}`, RETENTION),
        entry.seenBy.map((viewer) => t(`viewers.${viewer}`)).join('; '),
        entry.download.length > 0 ? t('included') : t('not-included'),
        t(`erasures.${entry.erasure}`),
      ]
    })
}
