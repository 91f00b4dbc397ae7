import { useTranslation } from 'react-i18next'
import { DEFAULT_LANGUAGE, matchLanguage } from '#app/lib/languages.ts'
import { toLocaleTag } from '#app/lib/locale-tag.ts'
import type { Currency } from '#app/lib/vocabulary/budgets.ts'
import { useSite } from '#app/shell/page-state.tsx'

const formats = new Map<string, Intl.NumberFormat>()

/** Formats amounts in minor units: whole ones without decimals. */
export function useMoney(currency: Currency): (minor: number) => string {
  const { i18n } = useTranslation()
  const { region } = useSite()
  const language = matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE
  const locale = language === 'en' ? toLocaleTag('en', region) : language === 'cy' ? 'en-GB' : language
  return (minor) => {
    const digits = minor % 100 === 0 ? 0 : 2
    const key = `${locale} ${currency} ${digits}`
    const format =
      formats.get(key) ??
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
    formats.set(key, format)
    // Versions of `Intl` differ in the kind of space they insert; without this, hydration would change the page.
    return format.format(minor / 100).replaceAll(/[\u202f\u2009]/g, '\u00a0')
  }
}
