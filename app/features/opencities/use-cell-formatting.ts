import { useTranslation } from 'react-i18next'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { type CellFormatting, createCellFormatting } from './format-cell.ts'

export function useCellFormatting(): CellFormatting {
  const { t } = useTranslation('city-data')
  const { timeZone, region } = useSite()
  return createCellFormatting({ language: useLanguage(), timeZone, region, yes: t('yes'), no: t('no') })
}
