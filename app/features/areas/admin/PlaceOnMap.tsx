import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { areaMapQuery } from '../area-map.queries.ts'
import { isDrawable } from '../area-map.schema.ts'
import type { FoundOnMap } from '../map/find-on-map.server.ts'
import { loadPlacePicker } from '../map/place-picker.queries.ts'
import type { Point } from '../polygons.schema.ts'

const PlacePicker = lazy(loadPlacePicker)

interface PlaceOnMapProps {
  place: Point | undefined
  onChange: (place: Point | undefined) => void
  /** A search has found a place with this name. */
  onFound: (name: string, place: Point) => void
  /** Shown if the site has no map, instead of how else a place can be typed. */
  noMap?: string
}

/** A place to choose on the site's map of streets and areas, by pointer, keys or the name of a street. */
export function PlaceOnMap({ place, onChange, onFound, noMap }: PlaceOnMapProps) {
  const { t } = useTranslation('areas-admin')
  const { data: map } = useQuery(areaMapQuery)
  if (!map) return null
  if (!isDrawable(map)) return <p>{noMap ?? t('place.no-map')}</p>
  const describe = (point: string | undefined, area: string | undefined) => {
    if (!point) return t('place.none')
    if (area) return t('place.in-area', { area })
    return t(map.areas.length > 0 ? 'place.outside' : 'place.set')
  }
  return (
    <Suspense>
      <PlacePicker
        held={{ place, onChange, onFound: ({ name, point }: FoundOnMap) => point && onFound(name, point) }}
        isWhole
        texts={{
          map: t('place.map'),
          hint: t('place.hint'),
          nearer: t('place.nearer'),
          farther: t('place.farther'),
          remove: t('place.remove'),
          position: t('place.position'),
          positionFailed: t('place.position-failed'),
          describe,
        }}
        search={{
          name: 'place.find',
          texts: {
            label: t('place.find'),
            hint: t('place.find-hint'),
            button: t('place.find-button'),
            suggestions: t('place.suggestions'),
            count: (count) => t('place.suggestions-found', { count }),
            none: t('place.none-found'),
            found: (name) => t('place.found', { name }),
            withoutNumber: (name) => t('place.without-number', { name }),
            unknown: t('place.unknown'),
            failed: t('place.failed'),
          },
        }}
      />
    </Suspense>
  )
}
