import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFirstUse } from '#app/shell/use-first-use.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { stringifySearchParams } from '#app/lib/search-params.ts'
import type { ContributionListView } from '../record/contributions.schema.ts'
import { LayerLegend } from '../layers/MapLayers.tsx'
import { AreaKey } from '#app/ui/map-picture.tsx'
import { ListSearch } from './ListSearch.tsx'
import { BubbleLink, MoveLinks, PinDrawing, PinLink } from './MapLinks.tsx'
import { MapPicture } from './MapPicture.tsx'
import { useSizeText } from './use-size-text.ts'
import type { MapBubble, MapPin, PlacesMapView } from '../record/places.schema.ts'

const MapMover = lazy(() => import('./MapMover.tsx'))

/** All places that match: pins lead to them, and bubbles to a closer look. The list below shows the same. */
export function PlacesMap({ list, map }: { list: ContributionListView; map: PlacesMapView }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { activity, search, signs } = list
  const address = toLocalHref(`/projects/${activity.project.slug}/${activity.slug}`)
  const frame = useRef<HTMLDivElement>(null)
  const isUsed = useFirstUse()
  const { page: _, bbox: __, only: ___, ...unnarrowed } = search
  const narrowTo = (bbox: string | undefined) => address + stringifySearchParams(bbox ? { ...unnarrowed, bbox } : unnarrowed)
  const takesDrawings = activity.tools.places?.geometries.some((shape) => shape !== 'points')
  const openBubble = (bbox: string) =>
    takesDrawings ? address + stringifySearchParams({ ...unnarrowed, bbox, only: 'pins' }) : narrowTo(bbox)
  if (map.placed === 0 && map.outlines.length === 0 && !map.layers) return null
  const shown = t('places.shown', { count: map.placed, number: format.number(map.placed) })
  return (
    <figure className="places-map" id="map">
      <figcaption className="places-map-head">
        <h2>{t('places.on-map')}</h2>
        <p>
          {shown}
          {map.unplaced > 0 && <> · {t('places.unplaced', { count: map.unplaced, number: format.number(map.unplaced) })}</>}
        </p>
        <a className="places-map-skip no-print" href="#list">
          {t('places.to-list')}
        </a>
      </figcaption>
      {map.moves && <ListSearch list={list} map={map} address={address} />}
      <div className="places-map-frame" ref={frame}>
        <MapPicture picture={map} label={shown} holdsLinks hasKey>
          {map.bubbles.map((bubble) => (
            <Bubble key={bubble.spot.join()} bubble={bubble} href={openBubble(bubble.box)} />
          ))}
          {map.pins
            .toSorted((a, b) => b.rank - a.rank || b.number - a.number)
            .map((pin) => (
              <Pin key={pin.number} pin={pin} href={`${address}/${pin.number}`} />
            ))}
        </MapPicture>
      </div>
      <AreaKey picture={map} />
      {map.moves && <MoveLinks moves={map.moves} label={t('places.moves')} nameOf={(move) => t(`places.${move}`)} hrefOf={narrowTo} />}
      {isUsed && map.moves && (
        <Suspense>
          <MapMover frame={frame} moves={map.moves} />
        </Suspense>
      )}
      {map.isNarrowed && (
        <p className="places-map-tools no-print">
          <span>{t('places.narrowed')}</span>
          {map.wider && !map.moves && <a href={`${narrowTo(map.wider)}#map`}>{t('places.wider')}</a>}
          <a href={`${narrowTo(undefined)}#map`}>{t('places.whole')}</a>
        </p>
      )}
      <LayerLegend layers={map.layers} activity={activity} />
      <ul className="places-map-legend" aria-label={t('places.legend')}>
        {signs.map(({ code, label }) => (
          <li key={code}>
            <svg viewBox="-14 -36 28 38" aria-hidden="true">
              <PinDrawing sign={code} />
            </svg>
            {label}
          </li>
        ))}
        <li>
          <svg viewBox="-19 -19 38 38" aria-hidden="true">
            <g className="map-bubble">
              <circle r={17} />
              <text dy="0.35em">5</text>
            </g>
          </svg>
          {t('places.legend-bubble')}
        </li>
      </ul>
    </figure>
  )
}

function Pin({ pin, href }: { pin: MapPin; href: string }) {
  const { t } = useTranslation('contributions')
  const describeSize = useSizeText()
  const size = pin.drawn && describeSize(pin.drawn)
  const name = [t('number', { number: pin.number }), pin.title, size, pin.place].filter(Boolean).join(', ')
  return <PinLink pin={pin} name={name} href={href} />
}

function Bubble({ bubble, href }: { bubble: MapBubble; href: string }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { total, isSmallest, near } = bubble
  const counted = { count: total, number: format.number(total) }
  const name = near
    ? t(isSmallest ? 'places.bubble-list-near' : 'places.bubble-near', { ...counted, place: near })
    : t(isSmallest ? 'places.bubble-list' : 'places.bubble', counted)
  return <BubbleLink bubble={bubble} name={name} href={`${href}#${isSmallest ? 'list' : 'map'}`} />
}
