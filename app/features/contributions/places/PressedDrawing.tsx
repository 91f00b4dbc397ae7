import { useTranslation } from 'react-i18next'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { PressedMap } from '#app/ui/map-picture.tsx'
import { type DrawnShape, parsePoints } from '../record/drawing.schema.ts'
import { MapPicture, MapShape } from './MapPicture.tsx'
import type { PlaceWritingView } from '../record/places.schema.ts'
import { PointList } from './PointList.tsx'
import { useDrawingWords } from './use-drawing-words.ts'

/** Drawing without JavaScript: each press on the map sends the form, and the server adds the point. */
export function PressedDrawing({ shape, place }: { shape: DrawnShape; place: PlaceWritingView }) {
  const { t } = useTranslation('contributions')
  const { describeDrawing } = useDrawingWords(shape)
  const formAction = `${useFormAction()}#geometry`
  const { picture, spots, drawn, isFinished, state } = place
  if (!picture) return null
  const points = parsePoints(place.points)
  const steps = [
    'nearer',
    ...(place.focus ? (['farther'] as const) : []),
    ...(points.length > 0 ? (['undo', isFinished ? 'resume' : 'finish', 'clear'] as const) : []),
  ] as const
  return (
    <div className="place-press">
      <p className="field-hint">{t(`drawing.press-hint.${shape}`)}</p>
      <PressedMap alt={t('drawing.image')} formAction={formAction}>
        <MapPicture picture={picture}>
          {drawn && <MapShape drawn={drawn} />}
          {spots.map(({ spot }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- a point is its number
            <g key={at} className="place-press-point" transform={`translate(${spot.join(' ')})`}>
              <circle r={5} />
              <text y={-9}>{at + 1}</text>
            </g>
          ))}
        </MapPicture>
      </PressedMap>
      <output className={state === 'missed' ? 'place-state field-error' : 'place-state'}>
        {state === 'missed' ? t('places.missed') : points.length > 0 ? describeDrawing(points) : t('drawing.none')}
        {isFinished && ` ${t('drawing.finished')}`}
      </output>
      <div className="row">
        {steps.map((step) => (
          <Button key={step} type="submit" kind="secondary" name="place" value={step} formAction={formAction}>
            {step === 'nearer' || step === 'farther'
              ? t(`places.${step}`)
              : t(step === 'finish' ? `drawing.finish.${shape}` : `drawing.${step}`)}
          </Button>
        ))}
      </div>
      <PointList shape={shape} points={points} areas={spots.map(({ area }) => area)} formAction={formAction} />
    </div>
  )
}
