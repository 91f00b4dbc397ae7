import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { compareGroups } from './compare-groups.server.ts'
import { groupComparisonShape } from './group-comparison.api.schema.ts'
import { type GroupComparison, parseGrouping } from './group-comparison.schema.ts'

export const groupComparisonResource = implementResource(groupComparisonShape, {
  list: async (ctx, { filter: { survey, by = '', from, to } }) => {
    if (!survey) throw new AppError('invalid-parameter', { parameter: 'filter[survey]' })
    const grouping = parseGrouping(by)
    if (!grouping) throw new AppError('invalid-parameter', { parameter: 'filter[by]' })
    const compared = await compareGroups(ctx, {
      surveyId: survey,
      by: grouping,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    })
    return { rows: [{ id: survey, ...compared }], total: 1 }
  },
  attributes: ({ title, groups, hidden, isFromAccounts, isInFives, questions }: GroupComparison & { id: string }) => ({
    title,
    groups,
    hidden,
    isFromAccounts,
    isInFives,
    questions,
  }),
})
