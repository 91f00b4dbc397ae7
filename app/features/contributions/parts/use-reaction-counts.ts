import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { ActivityView } from '../record/contributions.schema.ts'

/** How many support it, ask the same, or agree and disagree. */
export function useReactionCounts({ tools }: Pick<ActivityView, 'tools'>): (counts: { supports: number; disagrees: number }) => string[] {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return ({ supports, disagrees }) => {
    const counted = { count: supports, number: format.number(supports) }
    if (!tools.reactions.includes('disagree')) return [t(tools.question ? 'question.joined' : 'supports', counted)]
    return [t('opinions.agree-count', counted), t('opinions.disagree-count', { count: disagrees, number: format.number(disagrees) })]
  }
}
