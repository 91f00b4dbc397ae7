import { type Expression, mapNames } from './parse-expression.ts'

/**
 * Why a condition is left out, the first that applies: it depends on data that is not in the file, on a question that is asked later, on a
 * pattern of characters, on a calculation with several answers; or ours cannot say it.
 */
const CONDITION_LOSSES = [
  'condition-outside',
  'condition-later',
  'condition-pattern',
  'condition-calculation',
  'condition-left-out',
] as const
export type ConditionLoss = (typeof CONDITION_LOSSES)[number]

/** @param others reasons besides the names that nothing is known of */
export function explainLoss(
  meant: Expression | undefined,
  isUnknown: (name: string) => boolean,
  explainName: (name: string) => ConditionLoss,
  others: readonly ConditionLoss[],
): ConditionLoss {
  const reasons = new Set(others)
  if (meant)
    mapNames(meant, (each) => {
      if (isUnknown(each.name)) reasons.add(explainName(each.name))
      return each
    })
  return CONDITION_LOSSES.find((reason) => reasons.has(reason)) ?? 'condition-left-out'
}
