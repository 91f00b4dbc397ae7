import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { loadMapSearch } from '#app/features/areas/map/place-picker.queries.ts'
import { formatBox } from '#app/lib/geometry.ts'
import { useFirstUse } from '#app/shell/use-first-use.ts'
import { Button } from '#app/ui/button.tsx'
import { FindPlace } from '#app/ui/find-place.tsx'
import type { ContributionListView } from '../record/contributions.schema.ts'
import type { PlacesMapView } from '../record/places.schema.ts'
import { searchActivityMap } from './search-places.functions.ts'
import { useSearchTexts } from './use-search-texts.ts'

const MapSearch = lazy(loadMapSearch)

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
  const navigate = useNavigate()
  const hint = addressSource ? t('places.find-list-hint-service', { source: addressSource }) : t('places.find-list-hint')
  const texts = useSearchTexts(hint, false, t('places.unknown-list'))
  const { page: _, bbox: __, only: ___, ...kept } = search
  const found = sought?.found
  return (
    <search className="place-search no-print">
      <form method="get" action={`${address}#map`}>
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div ref={holder}>
          <FindPlace
            field={{ name: 'find', label: texts.label, hint, error: sought && !found ? texts.unknown : undefined }}
            typed={sought?.text}
          >
            <Button type="submit" kind="secondary">
              {texts.button}
            </Button>
          </FindPlace>
        </div>
        {found && <output>{found.isWithoutNumber ? texts.withoutNumber(found.name) : texts.found(found.name)}</output>}
        {isUsed && (
          <Suspense>
            <MapSearch
              holder={holder}
              putsPin={false}
              texts={texts}
              search={(text, signal) =>
                searchActivityMap({ data: { project: activity.project.slug, activity: activity.slug, text }, signal })
              }
              onFound={({ box }) =>
                void navigate({
                  to: '.',
                  search: ((last: object) => ({
                    ...last,
                    bbox: formatBox(box),
                    only: undefined,
                    find: undefined,
                    page: undefined,
                  })) as never,
                  resetScroll: false,
                  replace: true,
                })
              }
            />
          </Suspense>
        )}
      </form>
    </search>
  )
}
