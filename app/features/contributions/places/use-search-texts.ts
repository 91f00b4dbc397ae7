import { useTranslation } from 'react-i18next'
import type { SearchTexts } from '#app/features/areas/map/map-view.schema.ts'

/**
 * What the search of a map says, the same for writing a place and for looking at all of them.
 * @param putsPin there is a point to be moved where a house number is not known
 * @param unknown said if nothing was found
 */
export function useSearchTexts(hint: string, putsPin: boolean, unknown: string): SearchTexts {
  const { t } = useTranslation('contributions')
  const describeFound = (name: string) => t('places.found', { name })
  return {
    label: t('places.find'),
    hint,
    button: t('places.find-button'),
    suggestions: t('places.suggestions'),
    count: (count) => t('places.suggested', { count }),
    none: t('places.none-suggested'),
    found: describeFound,
    withoutNumber: (name) => (putsPin ? t('places.found-street', { name }) : describeFound(name)),
    unknown,
    failed: t('places.search-failed'),
  }
}
