import { useTranslation } from 'react-i18next'
import { DEFAULT_LANGUAGE, matchLanguage } from '#app/lib/languages.ts'
import type { Currency } from '#app/lib/vocabulary/budgets.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { createMoneyFormat } from '#app/lib/format-money.ts'

/** Formats amounts in minor units: whole ones without decimals. */
export function useMoney(currency: Currency): (minor: number) => string {
  const { i18n } = useTranslation()
  const { region } = useSite()
  return createMoneyFormat(matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE, region, currency)
}
