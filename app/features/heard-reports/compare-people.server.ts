import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { describeComparison } from '#app/features/reference-populations/describe-comparison.server.ts'
import { findPopulation, readPopulations } from '#app/features/reference-populations/reference-populations.server.ts'
import { toPopulationOption } from '#app/features/reference-populations/survey-options.ts'
import { loadAskedSurveys, loadPublicFigures } from '#app/features/surveys/surveys.public-figures.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { PartContent } from '#app/features/heard/report-part.schema.ts'

/**
 * Who answered a project's surveys against who lives there, for questions linked to one about people that has a census table. The numbers are
 * those of the survey's own publication, so that small groups are hidden by one definition.
 */
export async function comparePeople(ctx: Ctx, tx: Tx, projectId: string): Promise<PartContent[]> {
  const tables = (await readPopulations(ctx, tx)).filter(({ cells }) => cells.length > 0)
  if (tables.length === 0) return []
  const nameText = (text: Translated) => localiseText(text, ctx.contentLanguage, ctx.site.locale).text
  const notToSay = getTranslator(ctx.language, 'account')('about-you.no-answer')
  const content: PartContent[] = []
  for (const placed of await loadAskedSurveys(ctx, tx, projectId)) {
    const figures = await loadPublicFigures(ctx, tx, placed)
    for (const { question, cells, answered } of figures?.questions ?? []) {
      const table = tables.find(({ question: { key } }) => key === question.profile)
      const population = table && (await findPopulation(ctx, tx, table, [projectId]))
      if (!figures || !table || !population) continue
      const took = cells.map(({ value, count }) => ({ option: toPopulationOption(value), people: count }))
      const offersSilence = took.some(({ option }) => option === NO_ANSWER)
      const { caption, heads, rows, notes } = describeComparison(ctx, {
        title: `${nameText(placed.survey.title)}, ${nameText(question.title)}`,
        options: [
          ...table.options.map(({ id, label }) => ({ id, label: nameText(label) })),
          ...(offersSilence ? [{ id: NO_ANSWER, label: notToSay }] : []),
        ],
        took,
        silent: answered === null ? null : figures.responses - answered,
        all: figures.responses,
        population,
      })
      content.push(
        { kind: 'table', caption: { text: caption }, heads, rows: rows.map((cell) => cell.map(({ text }) => ({ text }))), textColumns: 1 },
        ...notes.map((text) => ({ kind: 'text' as const, text })),
      )
    }
  }
  return content
}
