import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { suppressibleCountSchema } from '#app/lib/suppressible-count-schema.ts'

const countsSchema = v.array(v.object({ value: v.string(), count: suppressibleCountSchema }))

/** Filter by the survey, and name the groups: `language`, `channel`, `area`, `question:<id>` or `profile:<key>`. */
export const groupComparisonShape = resourceShape({
  type: 'survey-comparisons',
  summary: 'The answers to each question of a survey, group by group. Small groups and numbers are suppressed as in cross-tables',
  operations: ['list'],
  attributes: {
    title: attribute(v.string()),
    /** Groups with figures; the people of `~` are in none of the others. */
    groups: attribute(v.array(v.object({ id: v.string(), label: v.string(), people: suppressibleCountSchema }))),
    /** Names of groups without figures. */
    hidden: attribute(v.array(v.string())),
    isFromAccounts: attribute(v.boolean()),
    /** Numbers are to the nearest five. */
    isInFives: attribute(v.boolean()),
    /** One for each question, or for each row of a grid. `cells` and `answered` are by group. */
    questions: attribute(
      v.array(
        v.object({
          id: v.string(),
          title: v.string(),
          isSeveral: v.boolean(),
          rows: v.array(v.object({ value: v.string(), label: v.string(), cells: countsSchema, all: suppressibleCountSchema })),
          answered: countsSchema,
          all: suppressibleCountSchema,
          finding: v.pipe(v.optional(v.string()), v.description('How two groups differ, in one sentence in the language of the request.')),
        }),
      ),
    ),
  },
  filters: { survey: filter.id(), by: filter.text(60), from: filter.timestamp(), to: filter.timestamp() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'survey-comparisons': typeof groupComparisonShape
  }
}
