import * as v from 'valibot'
import { COUNTING_RULES } from '#app/lib/vocabulary/budgets.ts'

const outcomeSchema = v.object({ cost: v.number(), funded: v.array(v.string()) })
const potSchema = v.object({
  potId: v.string(),
  ballots: v.number(),
  outcomes: v.object(v.entriesFromList(COUNTING_RULES, outcomeSchema)),
})

/** What the administration shows of a count, from the API's document. */
export const readCountedPots = (pots: readonly Record<string, unknown>[]) => v.parse(v.array(potSchema), pots)
