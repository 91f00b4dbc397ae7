import { useTranslation } from 'react-i18next'
import { BubbleLink, MoveLinks, PinDrawing, PinLink } from '#app/features/contributions/places/MapLinks.tsx'
import { MapPicture } from '#app/features/contributions/places/MapPicture.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { AreaKey } from '#app/ui/map-picture.tsx'
import { Text } from '#app/ui/text.tsx'
import type { OptionsMapView, OptionView } from '../budgets.schema.ts'

interface OptionsMapProps {
  map: OptionsMapView
  options: readonly Pick<OptionView, 'number' | 'title'>[]
  /** Where the list of all options begins. */
  listId: string
  /** The same page with the map narrowed to a box, or with the whole map. */
  narrowTo: (bbox: string | undefined) => string
  /** What became of an option, on the page of a result. */
  outcomeOf?: (number: number) => string
  /** What signs mean; without them, each pin shows the number of its option. */
  signs?: readonly { code: string; label: string }[]
}

/** The options that have a point: pins lead to their entries in the list, and bubbles to a closer look. */
export function OptionsMap({ map, options, listId, narrowTo, outcomeOf, signs }: OptionsMapProps) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  const shown = t('map.shown', { count: map.placed, number: format.number(map.placed) })
  const findTitle = (number: number) => options.find((option) => option.number === number)?.title ?? { text: '' }
  const nameBubble = ({ total, near, numbers }: OptionsMapView['bubbles'][number]) => {
    const counted = { count: total, number: format.number(total) }
    if (numbers.length > 0) return t('map.together', { ...counted, options: numbers.map((number) => findTitle(number).text).join('; ') })
    return near ? t('map.bubble-near', { ...counted, place: near }) : t('map.bubble', counted)
  }
  return (
    <figure className="places-map" id="map">
      <figcaption className="places-map-head">
        <h2>{t('map.title')}</h2>
        <p>
          {shown}
          {map.unplaced > 0 && <> · {t('map.unplaced', { count: map.unplaced, number: format.number(map.unplaced) })}</>}
        </p>
        <a className="places-map-skip no-print" href={`#${listId}`}>
          {t('map.to-list')}
        </a>
      </figcaption>
      <div className="places-map-frame">
        <MapPicture picture={map} label={shown} holdsLinks hasKey>
          {map.bubbles.map((bubble) => (
            <BubbleLink
              key={bubble.spot.join()}
              bubble={bubble}
              name={nameBubble(bubble)}
              href={bubble.numbers.length > 0 ? `#option-${bubble.numbers[0]}` : `${narrowTo(bubble.box)}#map`}
            />
          ))}
          {map.pins.map((pin) => (
            <PinLink
              key={pin.number}
              pin={pin}
              name={[t('number', { number: pin.number }), pin.title, pin.place, outcomeOf?.(pin.number)].filter(Boolean).join(', ')}
              href={`#option-${pin.number}`}
            />
          ))}
        </MapPicture>
      </div>
      <AreaKey picture={map} />
      {map.moves && <MoveLinks moves={map.moves} label={t('map.moves')} nameOf={(move) => t(`map.${move}`)} hrefOf={narrowTo} />}
      {map.isNarrowed && (
        <p className="places-map-tools no-print">
          <span>{t('map.narrowed')}</span>
          <a href={`${narrowTo(undefined)}#map`}>{t('map.whole')}</a>
        </p>
      )}
      {map.bubbles.some(({ numbers }) => numbers.length > 0) && (
        <ul className="options-together" aria-label={t('map.at-one-place')}>
          {map.bubbles
            .filter(({ numbers }) => numbers.length > 0)
            .map(({ numbers, spot }) => (
              <li key={spot.join()}>
                {t('map.here', { count: numbers.length, number: format.number(numbers.length) })}{' '}
                {numbers.map((number) => (
                  <a key={number} href={`#option-${number}`}>
                    <Text words={findTitle(number)} />
                  </a>
                ))}
              </li>
            ))}
        </ul>
      )}
      {signs ? (
        <ul className="places-map-legend" aria-label={t('map.legend')}>
          {signs.map(({ code, label }) => (
            <li key={code}>
              <svg viewBox="-14 -36 28 38" aria-hidden="true">
                <PinDrawing sign={code} />
              </svg>
              {label}
            </li>
          ))}
        </ul>
      ) : (
        <p className="meta">{t('map.signs')}</p>
      )}
    </figure>
  )
}
