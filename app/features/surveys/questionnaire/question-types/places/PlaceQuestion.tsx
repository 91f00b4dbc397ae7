import { lazy, Suspense } from 'react'
import { FieldGroup } from '#app/ui/field.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { TextField } from '#app/ui/text-field.tsx'
import { fieldName } from '../../answers.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { controlId, fieldOf, first, type QuestionProps } from '../question-field.tsx'
import { partsOf } from './places.ts'

const FILLED_IN_BY = { street: 'street-address', town: 'address-level2', postcode: 'postal-code' } as const

export function AddressQuestion(props: QuestionProps<QuestionOf<'address'>>) {
  const words = useSurveyWords()
  const { t } = words
  const { question, values, errors } = props
  const field = fieldOf(words, props)
  if (question.ask === 'postcode') {
    const name = fieldName(question.id, 'postcode')
    return <TextField {...field} id={field.name} name={name} autoComplete="postal-code" width={10} defaultValue={first(values[name])} />
  }
  return (
    <FieldGroup field={{ ...field, error: undefined }}>
      <div className="stack">
        {partsOf(question).map((part, index) => {
          const name = fieldName(question.id, part)
          const error = errors.get(name) ?? (index === 0 ? errors.get(field.name) : undefined)
          return (
            <TextField
              key={part}
              id={controlId(question, index, part)}
              name={name}
              label={t(`address.${part}`)}
              autoComplete={FILLED_IN_BY[part]}
              defaultValue={first(values[name])}
              error={error}
              {...(part === 'postcode' && { width: 10 as const })}
            />
          )
        })}
      </div>
    </FieldGroup>
  )
}

const PlaceMap = lazy(() => import('./PlaceMap.tsx'))

/** Words say a place as well as a point does. The point may be shown on a map, where the site has areas to draw, or given by its coordinates. */
export function PlaceQuestion(props: QuestionProps<QuestionOf<'place'>>) {
  const words = useSurveyWords()
  const { t } = words
  const { question, values, errors } = props
  const field = fieldOf(words, props)
  const name = (part: string) => fieldName(question.id, part)
  const ready = useHydrated()
  const hasPoint = [name('lat'), name('lng')].some((each) => values[each] || errors.has(each))
  return (
    <FieldGroup field={{ ...field, error: undefined }}>
      <div className="stack">
        <TextField
          id={field.name}
          name={name('address')}
          label={t('place.address')}
          hint={t('place.address-hint')}
          defaultValue={first(values[name('address')])}
          error={errors.get(name('address')) ?? errors.get(field.name)}
        />
        {ready && (
          <Suspense>
            <PlaceMap lat={name('lat')} lng={name('lng')} />
          </Suspense>
        )}
        <details open={hasPoint}>
          <summary>{t('place.point')}</summary>
          <div className="field-row">
            {(['lat', 'lng'] as const).map((part) => (
              <TextField
                key={part}
                name={name(part)}
                label={t(`place.${part}`)}
                inputMode="decimal"
                width={10}
                defaultValue={first(values[name(part)])}
                error={errors.get(name(part))}
              />
            ))}
          </div>
        </details>
      </div>
    </FieldGroup>
  )
}
