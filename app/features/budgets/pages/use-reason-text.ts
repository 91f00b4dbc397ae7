import { useTranslation } from 'react-i18next'
import type { Currency } from '#app/lib/vocabulary/budgets.ts'
import { useFormat } from '#app/shell/use-format.ts'
import type { ResultRowView } from '../budgets.schema.ts'
import type { Reason } from '../counting/election.ts'
import { useMoney } from '../use-money.ts'

/** Why an option was funded or not, in a sentence. */
export function useReasonText(currency: Currency, rows: readonly ResultRowView[]): (reason: Reason) => string {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const money = useMoney(currency)
  const nameOption = (id: string) => rows.find(({ number }) => String(number) === id)?.title.text ?? id
  return (reason) => {
    switch (reason.kind) {
      case 'fits':
        return t('reasons.fits', { place: format.number(reason.place), left: money(reason.left) })
      case 'does-not-fit':
        return t('reasons.does-not-fit', { left: money(reason.left) })
      case 'stopped':
        return t('reasons.stopped', { option: nameOption(reason.at) })
      case 'paid':
        return t(reason.isEqual ? 'reasons.paid' : 'reasons.paid-at-most', {
          count: reason.supporters,
          number: format.number(reason.supporters),
          had: money(reason.had),
          paid: money(reason.paid),
        })
      case 'short':
        return [
          t('reasons.short', {
            count: reason.supporters,
            number: format.number(reason.supporters),
            had: money(reason.had),
            short: money(reason.short),
          }),
          t('reasons.needed', { count: reason.moreSupporters, number: format.number(reason.moreSupporters) }),
        ].join(' ')
      case 'no-votes':
        return t('reasons.no-votes')
      case 'below-threshold':
        return t('reasons.below-threshold', { count: reason.threshold, number: format.number(reason.threshold) })
      case 'group':
        return t('reasons.group', { option: nameOption(reason.other) })
    }
  }
}
