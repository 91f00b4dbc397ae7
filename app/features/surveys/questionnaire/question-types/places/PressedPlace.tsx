import type { PickerTexts, SearchTexts } from '#app/features/areas/map/map-view.schema.ts'
import { Button } from '#app/ui/button.tsx'
import { FindPlace } from '#app/ui/find-place.tsx'
import { AreaPicture, MapPoint, PressedMap } from '#app/ui/map-picture.tsx'
import { buildFieldName } from '../../field-names.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { MAP_FIELD, type PlaceMapView } from './place-map.schema.ts'

interface PressedPlaceProps {
  /** Its id. */
  question: string
  map: PlaceMapView
  typed: string | undefined
  error: string | undefined
  search: SearchTexts
  texts: PickerTexts
}

/** The search and the map without JavaScript: each press sends the form, and the server finds or draws the point. */
export function PressedPlace({
  question,
  map: { picture, view, focus, spot, state, area },
  typed,
  error,
  search,
  texts,
}: PressedPlaceProps) {
  const { t } = useSurveyWords()
  const name = buildFieldName(question)
  const formAction = `#${name}.find`
  const isMissed = state === 'missed'
  const steps = [
    ['nearer', texts.nearer],
    ...(focus ? ([['farther', texts.farther]] as const) : []),
    ...(spot ? ([['clear', texts.remove]] as const) : []),
  ]
  return (
    <div className="place-press">
      {/* A form sent by its Enter key goes on: without this it would press the first button. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      <FindPlace field={{ name: buildFieldName(question, 'find'), label: search.label, hint: search.hint, error }} typed={typed}>
        <Button type="submit" kind="secondary" name={MAP_FIELD} value={`find ${question}`} formAction={formAction}>
          {search.button}
        </Button>
      </FindPlace>
      {!picture && (
        <div>
          <Button type="submit" kind="secondary" size="small" name={MAP_FIELD} value={`whole ${question}`} formAction={formAction}>
            {t('place.whole')}
          </Button>
        </div>
      )}
      {picture && (
        <>
          <input type="hidden" name={buildFieldName(question, 'view')} value={view} />
          <PressedMap name={`${name}.`} alt={t('place.image')} formAction={formAction}>
            <AreaPicture picture={picture}>{spot && <MapPoint spot={spot} />}</AreaPicture>
          </PressedMap>
          <output className={isMissed ? 'place-state field-error' : 'place-state'}>
            {isMissed ? t('place.missed') : texts.describe(state === 'none' ? undefined : state, area)}
          </output>
          <div className="row">
            {steps.map(([step, label]) => (
              <Button
                key={step}
                type="submit"
                kind="secondary"
                size="small"
                name={MAP_FIELD}
                value={`${step} ${question}`}
                formAction={formAction}
              >
                {label}
              </Button>
            ))}
          </div>
        </>
      )}
    </div>
  )
}
