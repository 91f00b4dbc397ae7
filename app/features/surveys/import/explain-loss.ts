import { type Expression, mapNames } from './parse-expression.ts'

/** Why a condition is left out: ours cannot say it, or it depends on what is asked later or comes from elsewhere. */
export type ConditionLoss = 'condition-left-out' | 'condition-later' | 'condition-outside'

/** The reason that all the unknown names of a condition share. */
export function explainLoss(
  meant: Expression | undefined,
  isUnknown: (name: string) => boolean,
  explainName: (name: string) => ConditionLoss,
): ConditionLoss {
  const reasons = new Set<ConditionLoss>()
  if (meant)
    mapNames(meant, (each) => {
      if (isUnknown(each.name)) reasons.add(explainName(each.name))
      return each
    })
  const [reason = 'condition-left-out'] = reasons
  return reasons.size === 1 ? reason : 'condition-left-out'
}
