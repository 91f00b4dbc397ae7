import { useNavigate } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { loadMapSearch } from '#app/features/areas/map/place-picker.queries.ts'
import { formatBox } from '#app/lib/geometry.ts'
import type { ActivityView } from '../record/contributions.schema.ts'
import { searchActivityMap } from './search-places.functions.ts'
import { useSearchTexts } from './use-search-texts.ts'

const MapSearch = lazy(loadMapSearch)

interface SearchInPlaceProps {
  /** Holds the text field and the button. */
  holder: RefObject<HTMLElement | null>
  activity: ActivityView
  hint: string
}

/** Suggests places for the map of all places as one types, and moves the map and the list to the chosen one. */
export default function SearchInPlace({ holder, activity, hint }: SearchInPlaceProps) {
  const { t } = useTranslation('contributions')
  const navigate = useNavigate()
  return (
    <Suspense>
      <MapSearch
        holder={holder}
        putsPin={false}
        texts={useSearchTexts(hint, false, t('places.unknown-list'))}
        search={(text, signal) => searchActivityMap({ data: { project: activity.project.slug, activity: activity.slug, text }, signal })}
        onFound={({ box }) =>
          void navigate({
            to: '.',
            search: ((last: object) => ({ ...last, bbox: formatBox(box), only: undefined, find: undefined, page: undefined })) as never,
            resetScroll: false,
            replace: true,
          })
        }
      />
    </Suspense>
  )
}
