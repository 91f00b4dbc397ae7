import type { Language } from './languages.ts'
import { toLocaleTag } from './locale-tag.ts'
import type { Currency } from './vocabulary/budgets.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Formats amounts in minor units: whole ones without decimals. @param region of the site */
export function createMoneyFormat(
  language: Language,
  region: Parameters<typeof toLocaleTag>[1],
  currency: Currency,
): (minor: number) => string {
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
