import { lazy, Suspense } from 'react'
import type { PickerTexts } from '#app/features/areas/map/map-view.schema.ts'
import { loadPlacePicker } from '#app/features/areas/map/place-picker.queries.ts'
import { FieldGroup } from '#app/ui/field.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { TextField } from '#app/ui/text-field.tsx'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { buildControlId, buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { PressedPlace } from './lazy-pressed-place.ts'
import { listAddressParts } from './places.ts'

const AUTOCOMPLETE_TOKENS = { street: 'street-address', town: 'address-level2', postcode: 'postal-code' } as const

export function AddressQuestion(props: QuestionProps<QuestionOf<'address'>>) {
  const words = useSurveyWords()
  const { t } = words
  const { question, values, errors } = props
  const field = buildFieldProps(words, props)
  if (question.ask === 'postcode') {
    const name = buildFieldName(question.id, 'postcode')
    return (
      <TextField {...field} id={field.name} name={name} autoComplete="postal-code" width={10} defaultValue={toSingleValue(values[name])} />
    )
  }
  return (
    <FieldGroup field={{ ...field, error: undefined }}>
      <div className="stack">
        {listAddressParts(question).map((part, index) => {
          const name = buildFieldName(question.id, part)
          const error = errors.get(name) ?? (index === 0 ? errors.get(field.name) : undefined)
          return (
            <TextField
              key={part}
              id={buildControlId(question, index, part)}
              name={name}
              label={t(`address.${part}`)}
              autoComplete={AUTOCOMPLETE_TOKENS[part]}
              defaultValue={toSingleValue(values[name])}
              error={error}
              {...(part === 'postcode' && { width: 10 as const })}
            />
          )
        })}
      </div>
    </FieldGroup>
  )
}

const PlacePicker = lazy(loadPlacePicker)

/**
 * A place can be described in words, found by what the site knows, or given as a point: on a map, if the site has areas to draw, or by its
 * coordinates.
 */
export function PlaceQuestion(props: QuestionProps<QuestionOf<'place'>>) {
  const words = useSurveyWords()
  const { t } = words
  const { question, values, errors, map } = props
  const field = buildFieldProps(words, props)
  const partName = (part: string) => buildFieldName(question.id, part)
  const readPart = (part: string) => toSingleValue(values[partName(part)])
  const findError = (part: string) => errors.get(partName(part))
  const ready = useHydrated()
  const texts: PickerTexts = {
    map: t('place.map'),
    hint: t('place.map-hint'),
    nearer: t('place.nearer'),
    farther: t('place.farther'),
    remove: t('place.remove'),
    position: t('place.position'),
    positionFailed: t('place.position-failed'),
    describe: (point, area) => t(point ? (area ? 'place.in-area' : 'place.outside') : 'place.none', { area }),
  }
  const search = {
    label: t('place.find'),
    hint: map?.addressSource ? t('place.find-hint-service', { source: map.addressSource }) : t('place.find-hint'),
    button: t('place.find-button'),
    suggestions: t('place.suggestions'),
    count: (count: number) => t('place.suggested', { count }),
    none: t('place.none-suggested'),
    found: (name: string) => t('place.found', { name }),
    withoutNumber: (name: string) => t('place.found-street', { name }),
    unknown: t('faults.place-unknown'),
    failed: t('place.search-failed'),
  }
  return (
    <FieldGroup field={{ ...field, error: undefined }}>
      <div className="stack">
        <TextField
          id={field.name}
          name={partName('address')}
          label={t('place.address')}
          hint={t('place.address-hint')}
          defaultValue={readPart('address')}
          error={findError('address') ?? errors.get(field.name)}
        />
        {map && (
          <noscript>
            <PressedPlace
              question={question.id}
              map={map}
              typed={readPart('find')}
              error={findError('find')}
              search={search}
              texts={texts}
            />
          </noscript>
        )}
        {ready && (
          <Suspense>
            <PlacePicker
              lat={partName('lat')}
              lng={partName('lng')}
              texts={texts}
              search={{
                name: partName('find'),
                words: partName('address'),
                texts: search,
                typed: readPart('find'),
                error: findError('find'),
              }}
              focus={map?.focus ?? undefined}
            />
          </Suspense>
        )}
        <details open={['lat', 'lng'].some((part) => findError(part) || (!map && readPart(part)))}>
          <summary>{t('place.point')}</summary>
          <div className="field-row">
            {(['lat', 'lng'] as const).map((part) => (
              <TextField
                key={part}
                name={partName(part)}
                label={t(`place.${part}`)}
                inputMode="decimal"
                width={10}
                defaultValue={readPart(part)}
                error={findError(part)}
              />
            ))}
          </div>
        </details>
      </div>
    </FieldGroup>
  )
}
