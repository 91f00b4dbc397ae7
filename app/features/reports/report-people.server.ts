import { inArray, sql } from 'drizzle-orm'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { countPeopleByOption } from '#app/features/profile-answers/profile-answers.server.ts'
import { selectPeople } from '#app/features/reach/who-took-part.server.ts'
import { type DescribedComparison, describeComparison } from '#app/features/reference-populations/describe-comparison.server.ts'
import { findPopulation, readPopulations } from '#app/features/reference-populations/reference-populations.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects as projectTable } from '#app/server/db/schema/projects.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { Describe } from './describe-report.server.ts'
import type { Period } from './report.search.ts'
import type { ReportPart } from './report.schema.ts'

/** Who took part with an account, against who lives there: a comparison for each question that has a census table. */
export interface ReportPeople {
  comparisons: DescribedComparison[]
  note: string
}

/** Numbers are to the nearest five, and small ones are hidden with those that would give them away, as on the report of reach. */
export function loadReportPeople(ctx: Ctx, projects: readonly string[], { from, until }: Period): Promise<ReportPeople | null> {
  if (projects.length === 0) return Promise.resolve(null)
  return ctx.db.read(async (tx) => {
    const tables = (await readPopulations(ctx, tx)).filter(({ cells }) => cells.length > 0)
    if (tables.length === 0) return null
    const people = selectPeople(ctx, inArray(projectTable.id, [...projects]), from, until)
    const counted = await tx.execute<{ all: number }>(sql`select count(*)::int as all from (${people}) people`)
    const all = counted.rows[0]?.all ?? 0
    if (all < SUPPRESSION_THRESHOLD) return null
    const said = await countPeopleByOption(tx, { siteId: ctx.site.id, now: ctx.now(), people, all })
    const nameLabel = (label: Translated) => localiseText(label, ctx.contentLanguage, ctx.site.locale).text
    const comparisons: DescribedComparison[] = []
    for (const table of tables) {
      const found = said.find(({ question }) => question.key === table.question.key)
      const population = await findPopulation(ctx, tx, table, projects)
      if (!found || !population) continue
      const silentOption = found.question.options.find(({ id }) => id === NO_ANSWER)
      comparisons.push(
        describeComparison(ctx, {
          title: getTranslation(table.question.label, ctx.contentLanguage, ctx.site.locale),
          options: [...table.options, ...(silentOption ? [silentOption] : [])].map(({ id, label }) => ({ id, label: nameLabel(label) })),
          took: found.options,
          silent: found.silent,
          all: Math.round(all / 5) * 5,
          population,
        }),
      )
    }
    return comparisons.length === 0 ? null : { comparisons, note: getTranslator(ctx.language, 'populations')('compared.nearest') }
  })
}

/** Undefined if nothing can be compared. */
export function describeReportPeople(people: ReportPeople | null): Pick<ReportPart, 'blocks' | 'figures'> | undefined {
  if (!people) return undefined
  return {
    blocks: [
      ...people.comparisons.flatMap(({ caption, heads, rows, notes }): ReportPart['blocks'] => [
        { kind: 'table', caption, heads, rows },
        ...notes.map((text) => ({ kind: 'text' as const, text })),
      ]),
      { kind: 'text', text: people.note },
    ],
    figures: ['engaged'],
  }
}

/** Groups with far fewer participants than their share of the people who live there. No grade: only both shares. */
export const describeUnheard: Describe = ({ people }, { t }) => {
  if (!people) return undefined
  const rows = people.comparisons.flatMap(({ unheard }) => unheard)
  const note = { kind: 'text' as const, text: t('unheard.note') }
  if (rows.length === 0) return { blocks: [{ kind: 'text', text: t('unheard.none') }, note], figures: ['engaged'] }
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.unheard'),
        textColumns: 2,
        heads: [t('heads.group'), t('heads.question'), t('heads.share-of-participants'), t('heads.share-of-population')],
        rows,
      },
      note,
    ],
    figures: ['engaged'],
  }
}
