import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'

const OFFERED = [3, 6, 12, 24, 36, 60, 84, 120]

/** Durations to choose from, in words. */
export function useMonthChoices() {
  const { t } = useTranslation('privacy')
  const format = useFormat()
  const nameMonths = (months: number | null): string =>
    months === null ? t('kept.never') : t('kept.months', { count: months, number: format.number(months) })
  /** @param current the present choice, which may have come through the API */
  const listChoices = (current: number | null) =>
    [...new Set([...OFFERED, ...(current === null ? [] : [current])])]
      .toSorted((a, b) => a - b)
      .map((months) => ({ value: String(months), label: nameMonths(months) }))
  return { nameMonths, listChoices }
}
