import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Text } from '#app/ui/text.tsx'
import type { LayerPattern } from '#app/lib/vocabulary/contributions.ts'
import type { ActivityView } from '../record/contributions.schema.ts'
import type { LayerName, LayerPicture } from './layers.schema.ts'

interface Drawing {
  /** What fills areas: a path in a tile of 8 units. */
  tile: string
  /** What marks points: a path around the origin. */
  mark: string
  isHollow?: boolean
}

/** Dashes of lines are in the style sheet. */
const DRAWINGS: Record<LayerPattern, Drawing> = {
  hatching: { tile: 'M-1 1 1-1M-1 9 9-1M7 9 9 7', mark: 'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z' },
  dots: { tile: 'M4 4h.01', mark: 'M-4-4H4V4H-4Z' },
  stripes: { tile: 'M0 4H8', mark: 'M0-5.5 5.5 4.5H-5.5Z' },
  grid: { tile: 'M0 4H8M4 0V8', mark: 'M0-6 6 0 0 6-6 0Z' },
  'back-hatching': { tile: 'M-1 7 1 9M-1-1 9 9M7-1 9 1', mark: 'M-5-4.5H5L0 5.5Z' },
  columns: { tile: 'M4 0V8', mark: 'M-1.75-5.5h3.5v3.75h3.75v3.5h-3.75v3.75h-3.5v-3.75h-3.75v-3.5h3.75Z' },
  crosses: { tile: 'M2 2 6 6M6 2 2 6', mark: 'M-5-5 5 5M5-5-5 5', isHollow: true },
  rings: { tile: 'M2 4a2 2 0 1 0 4 0a2 2 0 1 0-4 0', mark: 'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z', isHollow: true },
  waves: { tile: 'M0 5q2-4 4 0t4 0', mark: 'M-4.5-4.5H4.5V4.5H-4.5Z', isHollow: true },
  outline: { tile: '', mark: 'M0-6 6 0 0 6-6 0Z', isHollow: true },
}

const TILE = 8
/** Room for the largest mark. */
const MARK = 16

/** Layers behind the pins of a map. @param zoom how much the picture is enlarged: patterns and marks keep their size */
export const DrawnLayers = ({ layers, zoom = 1 }: { layers: readonly LayerPicture[] | undefined; zoom?: number }) =>
  layers?.map((layer) => {
    const { number, pattern, areas, lines, points } = layer
    return (
      <g key={number} className={`map-layer map-layer-${pattern}`} aria-hidden="true">
        {areas && <LayerFilling pattern={pattern} zoom={zoom} />}
        {points && <LayerMark pattern={pattern} zoom={zoom} />}
        {areas && <path className="map-layer-area" d={areas} fill={`url(#filling-${pattern})`} />}
        {lines && <path className="map-layer-line" d={lines} />}
        {points && (
          <path
            className="map-layer-points"
            d={points}
            markerStart={`url(#mark-${pattern})`}
            markerMid={`url(#mark-${pattern})`}
            markerEnd={`url(#mark-${pattern})`}
          />
        )}
      </g>
    )
  })

const LayerFilling = ({ pattern, zoom }: { pattern: LayerPattern; zoom: number }) => (
  <pattern id={`filling-${pattern}`} width={TILE} height={TILE} patternUnits="userSpaceOnUse" patternTransform={`scale(${1 / zoom})`}>
    <path className="map-layer-tile" d={DRAWINGS[pattern].tile} />
  </pattern>
)

const LayerMark = ({ pattern, zoom }: { pattern: LayerPattern; zoom: number }) => (
  <marker
    id={`mark-${pattern}`}
    viewBox={`${-MARK / 2} ${-MARK / 2} ${MARK} ${MARK}`}
    markerWidth={MARK / zoom}
    markerHeight={MARK / zoom}
    markerUnits="userSpaceOnUse"
    overflow="visible"
  >
    <MarkPath pattern={pattern} />
  </marker>
)

const MarkPath = ({ pattern }: { pattern: LayerPattern }) => (
  <path className={DRAWINGS[pattern].isHollow ? 'map-layer-mark map-layer-mark-hollow' : 'map-layer-mark'} d={DRAWINGS[pattern].mark} />
)

/** Pattern and name of each layer; the name leads to its table. */
export function LayerLegend({ layers, activity }: { layers: readonly LayerName[] | undefined; activity: ActivityView }) {
  const { t } = useTranslation('contributions')
  if (!layers || layers.length === 0) return null
  return (
    <ul className="places-map-legend map-layer-legend" aria-label={t('layers.legend')}>
      {layers.map(({ number, name, pattern, parts }) => (
        <li key={number}>
          <LayerSample pattern={pattern} parts={parts} />
          <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/layers/${number}`)}>
            <Text words={name} />
          </a>
        </li>
      ))}
    </ul>
  )
}

/** How a layer looks on the map. Its tile has an id of its own: the map's may be out of sight. */
export const LayerSample = ({ pattern, parts }: Pick<LayerName, 'pattern' | 'parts'>) => (
  <svg viewBox="0 0 32 24" width="32" height="24" className={`map-layer map-layer-${pattern}`} aria-hidden="true">
    {parts.includes('areas') && (
      <>
        <pattern id={`sample-${pattern}`} width={TILE} height={TILE} patternUnits="userSpaceOnUse">
          <path className="map-layer-tile" d={DRAWINGS[pattern].tile} />
        </pattern>
        <path className="map-layer-area" d="M2 2H30V22H2Z" fill={`url(#sample-${pattern})`} />
      </>
    )}
    {parts.includes('lines') && !parts.includes('areas') && <path className="map-layer-line" d="M1 12H31" />}
    {parts.includes('points') && (
      <g transform="translate(16 12)">
        <MarkPath pattern={pattern} />
      </g>
    )}
  </svg>
)
