import { useTranslation } from 'react-i18next'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { type CellWords, cellWords } from './cell-text.ts'

export function useCellWords(): CellWords {
  const { t } = useTranslation('city-data')
  const { timeZone, region } = useSite()
  return cellWords({ language: useLanguage(), timeZone, region, yes: t('yes'), no: t('no') })
}
