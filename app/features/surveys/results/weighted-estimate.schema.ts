import * as v from 'valibot'
import type { WeightingRefusal } from '#app/features/reference-populations/rake-weights.ts'

export const weightedEstimateSchema = v.strictObject({
  survey: v.pipe(v.string(), v.uuid()),
  question: v.pipe(v.string(), v.maxLength(60)),
})

/** What a survey's answers would be if those who answered were like those who live there: an estimate, and never shown as anything else. */
export interface WeightedEstimate {
  options: {
    label: string
    /** Of those who answered. */
    plain: number
    weighted: number
    /** Where the weighted share is at 95 per cent, under the assumptions that are printed with it. */
    from: number
    until: number
  }[]
  people: number
  effectivePeople: number
  cappedPeople: number
  least: number
  most: number
  /** The largest difference to the census that is left. */
  largestGap: number
  /** Questions that it is weighted by, and where their tables are from. */
  by: { question: string; source: string; year: number }[]
}

/** Why there is no estimate. */
export type EstimateRefusal =
  | { reason: 'no-margins' | 'too-few' | 'no-convergence' }
  | { reason: Extract<WeightingRefusal, { category: string }>['reason']; question: string; category: string }

export type EstimateResult = { estimate: WeightedEstimate } | { refusal: EstimateRefusal }
