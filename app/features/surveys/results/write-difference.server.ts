import { getFormatter } from '#app/lib/format.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { ComparedGroup, ComparedQuestion } from './group-comparison.schema.ts'

/** Below this many answers of a group, a share would sound more certain than it is. */
const FEW_ANSWERS = 30
/** How far a number to the nearest five may be from the exact one. */
const ROUNDED_BY = 2.5

interface GroupShare {
  label: string
  share: number
  least: number
  most: number
}

/**
 * How groups differ in the answer that most people gave: the groups with its largest and its smallest share. Only from figures that are
 * shown, of groups with 30 answers or more, and only if rounding cannot explain the difference. It says nothing of people who did not answer.
 */
export function writeDifference(
  { language, site }: Pick<Ctx, 'language' | 'site'>,
  { rows, answered }: ComparedQuestion,
  groups: readonly Pick<ComparedGroup, 'id' | 'label'>[],
  isInFives: boolean,
): string | undefined {
  const seen = rows.flatMap((row) => (row.all ? [{ ...row, all: row.all }] : []))
  const most = Math.max(0, ...seen.map(({ all }) => all))
  const first = seen.filter(({ all }) => all === most)
  const [row] = first
  if (!row || first.length > 1) return undefined
  const error = isInFives ? ROUNDED_BY : 0
  const shares = groups.flatMap(({ id, label }): GroupShare[] => {
    const count = row.cells.find(({ value }) => value === id)?.count ?? null
    const people = answered.find(({ value }) => value === id)?.count ?? null
    if (count === null || people === null || people < FEW_ANSWERS || count > people) return []
    return [
      {
        label,
        share: count / people,
        least: Math.max(0, count - error) / (people + error),
        most: Math.min(1, (count + error) / (people - error)),
      },
    ]
  })
  const [high, ...others] = shares.toSorted((a, b) => b.share - a.share)
  const low = others.at(-1)
  if (!high || !low || high.least <= low.most) return undefined
  const t = getTranslator(language, 'findings')
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const quote = (text: string) => t('quote', { text })
  const said = {
    option: quote(row.label),
    high: format.percent(high.share),
    highGroup: quote(high.label),
    low: format.percent(low.share),
    lowGroup: quote(low.label),
  }
  return isInFives ? t('compare.differs-about', said) : t('compare.differs', said)
}
