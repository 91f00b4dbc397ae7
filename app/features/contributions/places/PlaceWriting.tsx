import { type Dispatch, lazy, memo, type SetStateAction, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KeptForm } from '#app/features/participation/keeping/KeptForm.tsx'
import type { FoundOnMap } from '#app/features/areas/map/find-on-map.server.ts'
import { loadMapSearch, loadPlacePicker } from '#app/features/areas/map/place-picker.queries.ts'
import type { Box } from '#app/lib/geometry.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useSendWithBrowserToken } from '#app/shell/browser-token.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFirstUse } from '#app/shell/use-first-use.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { FindPlace } from '#app/ui/find-place.tsx'
import { MapPoint, PressedMap } from '#app/ui/map-picture.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Select } from '#app/ui/select.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { describeTyped } from '../fields/describe-typed.ts'
import type { ActivityView, SimilarView } from '../record/contributions.schema.ts'
import { DrawnLayers, LayerLegend } from '../layers/MapLayers.tsx'
import type { PersonalDataWarning } from '../record/personal-data.schema.ts'
import { PersonalDataNotice } from '../parts/PersonalDataNotice.tsx'
import { SimilarNotice } from '../parts/SimilarNotice.tsx'
import { Photos } from '../photos/Photos.tsx'
import type { KeptPhotoView } from '../record/photos.schema.ts'
import { PlainText } from '../parts/contribution-parts.tsx'
import { DrawnFields, type Drawing } from './DrawnFields.tsx'
import { formatPoints, isDrawnShape, parsePoints, type Shape, SHAPES } from '../record/drawing.schema.ts'
import { MapPicture, MapShape } from './MapPicture.tsx'
import type { PlaceWritingView } from '../record/places.schema.ts'
import { searchActivityMap } from './search-places.functions.ts'
import { useSearchTexts } from './use-search-texts.ts'
import { useSizeText } from './use-size-text.ts'
import { TrapField } from '../parts/sender-fields.tsx'
import { buildWritingAddress } from '../parts/writing-address.ts'

const PlacePicker = lazy(loadPlacePicker)
const MapSearch = lazy(loadMapSearch)

interface PlaceFieldsProps {
  activity: ActivityView
  place: PlaceWritingView
  typed: (field: string) => string | undefined
  error: (field: string) => string | undefined
}

/** "Where is it?": on the map, by postcode or area, from a list, or in words. Any of them is enough. */
export function PlaceFields({ activity, place, typed, error }: PlaceFieldsProps) {
  const { t } = useTranslation('contributions')
  const isReady = useHydrated()
  const [shape, setShape] = useState(place.shape)
  const [found, setFound] = useState<FoundBox>()
  const action = useFormAction()
  const [drawing, setDrawing] = useState<Drawing>({ points: parsePoints(place.points), finished: place.isFinished ? place.shape : '' })
  const message = error('geometry') ?? error('coordinates')
  return (
    <fieldset className="place-fields" id="geometry" tabIndex={-1} aria-describedby="place-hint">
      <legend>{t('write.place')}</legend>
      <p className="field-hint" id="place-hint">
        {t('places.hint')}
      </p>
      {message && <p className="field-error">{message}</p>}
      <PinInputs lng={place.lng} lat={place.lat} />
      <input type="hidden" name="view" value={place.view} />
      {place.shapes.some(isDrawnShape) && <DrawingInputs drawing={drawing} onRestore={setDrawing} />}
      {place.hasAreas && (
        <PlaceSearch
          activity={activity}
          place={place}
          typed={typed('find')}
          error={error('find')}
          putsPin={!isDrawnShape(shape)}
          formAction={`${action}${SEARCH_ANCHOR}`}
          onFound={({ box }) => setFound((last) => ({ box, number: (last?.number ?? 0) + 1 }))}
        />
      )}
      <ShapeChoice shapes={place.shapes} shape={shape} onChange={setShape} />
      {isDrawnShape(shape) ? (
        <DrawnFields key={found?.number} shape={shape} place={place} focus={found?.box} drawing={drawing} onChange={setDrawing} />
      ) : isReady && place.hasAreas ? (
        <PickedPlace key={found?.number} place={place} focus={found?.box} />
      ) : (
        <PressedPlace place={place} formAction={`${action}${SEARCH_ANCHOR}`} />
      )}
      <LayerLegend layers={place.layers} activity={activity} />
      {place.shapes.includes('lines') && (
        <div className="place-ends">
          <TextField
            name="from"
            label={t('drawing.from')}
            hint={t('drawing.ends-hint')}
            optional={t('write.optional')}
            defaultValue={typed('from')}
          />
          <TextField name="to" label={t('drawing.to')} optional={t('write.optional')} defaultValue={typed('to')} />
        </div>
      )}
      {activity.areas.length > 0 && (
        <Select
          key={place.areaId}
          name="areaId"
          label={t('write.area')}
          options={[{ value: '', label: t('write.no-area') }, ...activity.areas]}
          defaultValue={place.areaId}
          error={error('areaId')}
        />
      )}
      <TextField
        name="placeText"
        label={t('places.words')}
        hint={t('write.place-hint')}
        optional={t('write.optional')}
        defaultValue={typed('placeText')}
        error={error('placeText')}
      />
    </fieldset>
  )
}

/** What the maps write into. React would reset a hidden field each time it renders it, so they are rendered for another place of the server only. */
const PinInputs = memo(({ lng, lat }: Pick<PlaceWritingView, 'lng' | 'lat'>) => (
  <>
    <input type="hidden" name="lng" data-kept="" defaultValue={lng} key={`lng ${lng}`} />
    <input type="hidden" name="lat" data-kept="" defaultValue={lat} key={`lat ${lat}`} />
  </>
))

interface DrawingInputsProps {
  drawing: Drawing
  onRestore: Dispatch<SetStateAction<Drawing>>
}

/** What is drawn, as it is sent. What keeps the form hears of each change, and puts back what it has kept. */
function DrawingInputs({ drawing: { points, finished }, onRestore }: DrawingInputsProps) {
  const input = useRef<HTMLInputElement>(null)
  const sent = { points: formatPoints(points), drawn: finished }
  /** As the form knows it. */
  const known = useRef(sent)
  useEffect(() => {
    if (known.current.points === sent.points && known.current.drawn === sent.drawn) return
    known.current = { points: sent.points, drawn: sent.drawn }
    input.current?.form?.dispatchEvent(new Event('input'))
  }, [sent.points, sent.drawn])
  const restorePoints = (value: string) => {
    known.current = { ...known.current, points: value }
    onRestore((last) => ({ ...last, points: parsePoints(value) }))
  }
  const restoreFinished = (value: string) => {
    const drawn = SHAPES.find((shape) => shape === value) ?? ''
    known.current = { ...known.current, drawn }
    onRestore((last) => ({ ...last, finished: drawn }))
  }
  return (
    <>
      <input
        ref={input}
        type="hidden"
        name="points"
        data-kept=""
        value={sent.points}
        onInput={({ currentTarget }) => restorePoints(currentTarget.value)}
      />
      <input
        type="hidden"
        name="drawn"
        data-kept=""
        value={sent.drawn}
        onInput={({ currentTarget }) => restoreFinished(currentTarget.value)}
      />
    </>
  )
}

/** Where the page opens again after a press on the map without JavaScript: the map is below the search. */
const SEARCH_ANCHOR = '#place-search'

/** What was found last. */
interface FoundBox {
  box: Box
  /** Counts the searches: the map is rendered again for each. */
  number: number
}

interface PlaceSearchProps extends Pick<PlaceFieldsProps, 'activity' | 'place'> {
  typed: string | undefined
  error: string | undefined
  putsPin: boolean
  formAction: string
  onFound: (found: FoundOnMap) => void
}

/** The search of the map: with a script in place, without one by sending the form. */
function PlaceSearch({ activity, place, typed, error, putsPin, formAction, onFound }: PlaceSearchProps) {
  const { t } = useTranslation('contributions')
  const isUsed = useFirstUse()
  const holder = useRef<HTMLDivElement>(null)
  /** What the server has found is what was found last. */
  const [isReplaced, setReplaced] = useState(false)
  const { found, addressSource } = place
  const hint = addressSource ? t('places.find-hint-service', { source: addressSource }) : t('places.find-hint')
  const texts = useSearchTexts(hint, putsPin, t('places.unknown'))
  return (
    <div className="place-search" id="place-search">
      <div ref={holder}>
        <FindPlace field={{ name: 'find', label: texts.label, hint, error }} typed={typed}>
          <Button type="submit" kind="secondary" name="place" value="find" formAction={formAction}>
            {texts.button}
          </Button>
        </FindPlace>
      </div>
      {found && !isReplaced && <output>{found.isWithoutNumber ? texts.withoutNumber(found.name) : texts.found(found.name)}</output>}
      {isUsed && (
        <Suspense>
          <MapSearch
            holder={holder}
            fields={{ lat: 'lat', lng: 'lng', area: 'areaId' }}
            putsPin={putsPin}
            texts={texts}
            search={(text, signal) =>
              searchActivityMap({ data: { project: activity.project.slug, activity: activity.slug, text }, signal })
            }
            onFound={(each) => {
              setReplaced(true)
              onFound(each)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

interface ShapeChoiceProps {
  shapes: readonly Shape[]
  shape: Shape
  onChange: (shape: Shape) => void
}

/** A point, a line or an area; nothing is asked if there is only one. */
function ShapeChoice({ shapes, shape, onChange }: ShapeChoiceProps) {
  const { t } = useTranslation('contributions')
  if (shapes.length < 2) return <input type="hidden" name="shape" value={shape} />
  return (
    <div className="place-shapes" role="radiogroup" aria-labelledby="place-shapes">
      <span id="place-shapes">{t('drawing.shape')}</span>
      {shapes.map((each) => (
        <label key={each}>
          <input type="radio" name="shape" value={each} data-kept="" defaultChecked={each === shape} onInput={() => onChange(each)} />
          {t(`drawing.shapes.${each}`)}
        </label>
      ))}
    </div>
  )
}

function usePointText(): (place: Pick<PlaceWritingView, 'state' | 'area'>) => string {
  const { t } = useTranslation('contributions')
  return ({ state, area }) => (state === 'in-area' ? t('places.in-area', { area }) : t(`places.${state}`))
}

/** The map without JavaScript: an image button sends where it was pressed, and the server draws the point. */
function PressedPlace({ place, formAction }: { place: PlaceWritingView; formAction: string }) {
  const { t } = useTranslation('contributions')
  const describePoint = usePointText()
  const { picture, spot, state } = place
  if (!picture) return null
  return (
    <div className="place-press">
      <PressedMap alt={t('places.image')} formAction={formAction}>
        <MapPicture picture={picture}>{spot && <MapPoint spot={spot} />}</MapPicture>
      </PressedMap>
      <output className={state === 'missed' ? 'place-state field-error' : 'place-state'}>{describePoint(place)}</output>
      <div className="row">
        {(['nearer', ...(place.focus ? (['farther'] as const) : []), ...(place.lng ? (['clear'] as const) : [])] as const).map((step) => (
          <Button key={step} type="submit" kind="secondary" size="small" name="place" value={step} formAction={formAction}>
            {t(step === 'clear' ? 'places.remove' : `places.${step}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** The map with JavaScript. */
function PickedPlace({ place, focus }: { place: PlaceWritingView; focus: Box | undefined }) {
  const { t } = useTranslation('contributions')
  return (
    <div className="place-picked">
      <Suspense>
        <PlacePicker
          lat="lat"
          lng="lng"
          focus={focus ?? place.focus ?? undefined}
          drawLayers={(zoom) => <DrawnLayers layers={place.layers} zoom={zoom} />}
          texts={{
            map: t('places.map'),
            hint: t('places.map-hint'),
            nearer: t('places.nearer'),
            farther: t('places.farther'),
            remove: t('places.remove'),
            position: t('places.position'),
            positionFailed: t('places.position-failed'),
            describe: (point, area) => (point ? (area ? t('places.in-area', { area }) : t('places.outside')) : t('places.none')),
          }}
        />
      </Suspense>
    </div>
  )
}

/** Fields of the form that the last step does not send again. */
const STEP_FIELDS = new Set([
  'place',
  'find',
  'website',
  'areaId',
  'lng',
  'lat',
  'shape',
  'points',
  'large.x',
  'large.y',
  'small.x',
  'small.y',
  'similar',
  'personal',
])

interface CheckPlaceProps {
  activity: ActivityView
  place: PlaceWritingView
  form: FormState
  similar: readonly SimilarView[]
  personal: PersonalDataWarning | null
  photos: readonly KeptPhotoView[]
}

/** The last step: everything as it will be sent, with the ways back and on. */
export function CheckPlace({ activity, place, form, similar, personal, photos }: CheckPlaceProps) {
  const { t } = useTranslation('contributions')
  const describeSize = useSizeText()
  const action = useFormAction()
  const { values } = form
  const readValue = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  const chosen = [values['categories'] ?? []].flat()
  const size = place.drawn && describeSize(place.drawn)
  const words = [size, place.words, place.area].filter(Boolean).join(', ')
  const kept = Object.entries(values).flatMap(([name, value]) =>
    STEP_FIELDS.has(name) ? [] : [value].flat().map((each) => [name, each] as const),
  )
  const names = activity.categories.filter(({ value }) => chosen.includes(value)).map(({ label }) => label)
  return (
    <form
      id={getReturnedId(true)}
      method="post"
      action={action}
      className="form place-check"
      noValidate
      onSubmit={useSendWithBrowserToken()}
    >
      {kept.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="areaId" value={place.areaId} />
      <input type="hidden" name="lng" value={place.lng} />
      <input type="hidden" name="lat" value={place.lat} />
      <input type="hidden" name="shape" value={place.shape} />
      <input type="hidden" name="points" value={place.points} />
      <input type="hidden" name="similar" value="seen" />
      <h2>{t('places.check')}</h2>
      {personal && <PersonalDataNotice warning={personal} isHeld={activity.moderation === 'before'} />}
      {similar.length > 0 && <SimilarNotice activity={activity} similar={similar} />}
      {place.state === 'outside' && (
        <Notice kind="warning" title={t(place.drawn ? 'drawing.outside-title' : 'places.outside-title')}>
          {t(place.drawn ? 'drawing.outside-text' : 'places.outside-text')}
        </Notice>
      )}
      <article className="receipt">
        <header className="receipt-head">
          <h3>{readValue('title')}</h3>
        </header>
        <PlainText text={readValue('body')} />
        <Photos photos={photos} />
        <DefinitionList
          items={[
            { term: t('places.check-place'), value: words || t(place.spot ? 'places.point' : 'places.none') },
            ...activity.fields.flatMap((field) => {
              const value = describeTyped(field, values, t)
              return value ? [{ term: field.title.text, value }] : []
            }),
            ...(names.length > 0 ? [{ term: t('detail.categories'), value: names.join(', ') }] : []),
          ]}
        />
        {place.picture && (place.spot ?? place.drawn) && (
          <div className="places-map-frame">
            <MapPicture picture={place.picture} label={words || t('places.point')}>
              {place.drawn && <MapShape drawn={place.drawn} />}
              {place.spot && <MapPoint spot={place.spot} />}
            </MapPicture>
          </div>
        )}
      </article>
      <TrapField />
      <p className="form-promise">{t(`write.${activity.moderation}`, { number: activity.moderationDays })}</p>
      <div className="form-actions">
        <Button type="submit" name="place" value="send">
          {personal ? t(`personal.${activity.moderation}`) : similar.length > 0 ? t('write.anyway') : t(`kinds.${activity.kind}.send`)}
        </Button>
        <Button type="submit" kind="secondary" name="place" value="change">
          {t('places.change')}
        </Button>
      </div>
      <p className="visually-hidden">
        <Text words={activity.title} />
      </p>
      <KeptForm address={buildWritingAddress(activity)} isReturned />
    </form>
  )
}
