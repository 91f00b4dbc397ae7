import { useTranslation } from 'react-i18next'
import { stringifySearchParams } from '#app/lib/search-params.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import type { ActivityView, ContributionView } from '../record/contributions.schema.ts'
import { AreaKey, MapPoint } from '#app/ui/map-picture.tsx'
import { LayerLegend } from '../layers/MapLayers.tsx'
import { MapPicture, MapShape } from './MapPicture.tsx'
import type { ContributionMapView } from '../record/places.schema.ts'
import { useSizeText } from './use-size-text.ts'

/** Where one contribution lies, and the ways to its neighbours. */
export function ContributionMap({
  activity,
  contribution,
  map,
}: {
  activity: ActivityView
  contribution: ContributionView
  map: ContributionMapView
}) {
  const { t } = useTranslation('contributions')
  const address = toLocalHref(`/projects/${activity.project.slug}/${activity.slug}`)
  const { area, place } = contribution
  const describeSize = useSizeText()
  return (
    <figure className="places-map contribution-map">
      <div className="places-map-frame">
        <MapPicture
          picture={map}
          hasKey
          label={[map.drawn && describeSize(map.drawn), place].filter(Boolean).join(', ') || t('places.point')}
        >
          {map.drawn && <MapShape drawn={map.drawn} />}
          <MapPoint spot={map.spot} />
        </MapPicture>
      </div>
      <AreaKey picture={map} />
      <LayerLegend layers={map.layers} activity={activity} />
      <p className="places-map-tools">
        <a href={`${address}${stringifySearchParams({ bbox: map.box })}#map`}>{t('places.see-map')}</a>
        {area && <a href={address + stringifySearchParams({ area: area.id })}>{t('places.in-this-area', { area: area.name })}</a>}
      </p>
    </figure>
  )
}
