import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFirstUse } from '#app/shell/use-first-use.ts'
import { Button } from '#app/ui/button.tsx'
import { FindPlace } from '#app/ui/find-place.tsx'
import type { ContributionListView } from '../record/contributions.schema.ts'
import type { PlacesMapView } from '../record/places.schema.ts'

const SearchInPlace = lazy(() => import('./SearchInPlace.tsx'))

interface ListSearchProps {
  list: ContributionListView
  map: PlacesMapView
  /** The activity's page, with its language. */
  address: string
}

/** Finds a street, an address or an area on the map of all places: with a script in place, without one by opening the page there. */
export function ListSearch({ list: { activity, search, sought }, map: { addressSource }, address }: ListSearchProps) {
  const { t } = useTranslation('contributions')
  const isUsed = useFirstUse()
  const holder = useRef<HTMLDivElement>(null)
  const hint = addressSource ? t('places.find-list-hint-service', { source: addressSource }) : t('places.find-list-hint')
  const { page: _, bbox: __, only: ___, ...kept } = search
  const found = sought?.found
  return (
    <search className="place-search no-print" aria-label={t('places.on-map')}>
      <form method="get" action={`${address}#map`}>
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div ref={holder}>
          <FindPlace
            field={{ name: 'find', label: t('places.find'), hint, error: sought && !found ? t('places.unknown-list') : undefined }}
            typed={sought?.text}
          >
            <Button type="submit" kind="secondary">
              {t('places.find-button')}
            </Button>
          </FindPlace>
        </div>
        {found && <output>{t('places.found', { name: found.name })}</output>}
        {isUsed && (
          <Suspense>
            <SearchInPlace holder={holder} activity={activity} hint={hint} />
          </Suspense>
        )}
      </form>
    </search>
  )
}
