import { useTranslation } from 'react-i18next'

export interface NotShown {
  /** In place of any number that is hidden. One text for all of them: telling which of them are small would reveal what they protect. */
  notShown: string
  /** One sentence that says why numbers are hidden. */
  whyNotShown: string
}

/** The texts about numbers that readers may not know. */
export function useNotShown(): NotShown {
  const { t } = useTranslation()
  return { notShown: t('not-shown'), whyNotShown: t('not-shown-why') }
}
