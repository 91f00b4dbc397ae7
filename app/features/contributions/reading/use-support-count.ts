import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { ActivityView } from '../contributions.schema.ts'

/** How many support it, or ask the same. */
export function useSupportCount({ tools }: Pick<ActivityView, 'tools'>): (supports: number) => string {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return (supports) => t(tools.question ? 'question.joined' : 'supports', { count: supports, number: format.number(supports) })
}
