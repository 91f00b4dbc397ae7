import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { PointMap } from '#app/ui/point-map.tsx'
import type { MapView } from './dataset-views.schema.ts'

/** Table rows are numbered; the map uses the same numbers. */
export function DatasetMap({ map, first }: { map: MapView; first: number }) {
  const { t } = useTranslation('city-data')
  const format = useFormat()
  return (
    <PointMap
      background={map.background}
      points={map.points}
      numbered={map.ofRows.flatMap((point, index) => (point ? [{ point, number: first + index }] : []))}
      caption={t('map.note', { count: map.points.length, number: format.number(map.points.length) })}
    />
  )
}
