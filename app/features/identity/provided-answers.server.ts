import { loadCellReaders } from '#app/features/profile/read-cells.server.ts'
import { addAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { ProvidedAnswer } from './identity.schema.ts'

/** What a provider says about a person, by the keys of the questions that it answers, as cells of a table. */
type Cells = Readonly<Record<string, string>>

/** Of a date of birth, as OpenID Connect and directories write it, only the year is kept. */
const YEAR_OF_DATE = /^(\d{4})-\d{2}-\d{2}(?:T.*)?$/

/** Leaves out cells without a live question, values that are no option of their question, and sensitive questions, which people answer themselves. */
async function readCells(ctx: Ctx, tx: Tx, cells: Cells, { locks }: { locks: boolean }) {
  if (Object.keys(cells).length === 0) return []
  return (await loadCellReaders(ctx, tx, { locks })).flatMap(({ row, read }) => {
    const said = Object.hasOwn(cells, row.key) ? cells[row.key] : undefined
    if (said === undefined) return []
    const cell = row.type === 'year-of-birth' ? (YEAR_OF_DATE.exec(said)?.[1] ?? said) : said
    const { answer, text } = read(cell)
    return answer === undefined ? [] : [{ row, cell, answer, text }]
  })
}

/** No more than what can be stored: this waits in a cookie until the person confirms it. */
export const selectProvidedCells = async (ctx: Ctx, tx: Tx, cells: Cells): Promise<Record<string, string>> =>
  Object.fromEntries((await readCells(ctx, tx, cells, { locks: false })).map(({ row, cell }) => [row.key, cell]))

/** For the person, before anything is stored. */
export async function describeProvidedAnswers(ctx: Ctx, tx: Tx, cells: Cells): Promise<ProvidedAnswer[]> {
  const t = getTranslator(ctx.language, 'account')
  return (await readCells(ctx, tx, cells, { locks: false })).map(({ row, text }) => {
    const purpose = localiseText(row.purpose, ctx.contentLanguage, ctx.site.locale).text.trim()
    return {
      key: row.key,
      label: localiseText(row.label, ctx.contentLanguage, ctx.site.locale),
      text,
      why: `${t('about-you.why', { purpose })} ${t('about-you.kept', { count: row.retentionMonths })}`,
    }
  })
}

/** Once, as the account is linked: what the person changes or deletes later stays so. What they said before stays too. */
export async function storeProvidedAnswers(ctx: Ctx, tx: Tx, userId: string, cells: Cells): Promise<void> {
  const read = await readCells(ctx, tx, cells, { locks: true })
  const given = read.map(({ row, answer }) => ({ userId, question: row, answer }))
  await addAnswers(ctx, tx, given, 'identity-provider')
}
