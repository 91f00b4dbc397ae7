import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Definition, Question, QuestionOf, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import { isLongList } from './choices/options.ts'
import type { QuestionProps } from './question-field.tsx'

/** A component that is loaded only if a survey has a question of its type. */
type LazyField<Q extends Question> = ComponentType<QuestionProps<Q>> & { preload?: () => Promise<unknown> }

const toLazyField = <Q extends Question>(component: unknown) => component as LazyField<Q>

const text = lazyRouteComponent(() => import('./text/TextQuestion.tsx'), 'TextQuestion')
const choices = lazyRouteComponent(() => import('./choices/ChoiceQuestion.tsx'), 'ChoiceQuestion')
const scales = lazyRouteComponent(() => import('./scales/ScaleQuestion.tsx'), 'ScaleQuestion')
const numbers = lazyRouteComponent(() => import('./numbers/NumberQuestion.tsx'), 'NumberQuestion')
const grid = lazyRouteComponent(() => import('./grid/GridQuestion.tsx'), 'GridQuestion')
const moment = lazyRouteComponent(() => import('./moment/MomentQuestion.tsx'), 'MomentQuestion')

const FIELDS: { [T in QuestionType]: LazyField<QuestionOf<T>> } = {
  short_text: toLazyField(text),
  long_text: toLazyField(text),
  email: toLazyField(text),
  phone: toLazyField(text),
  one_choice: toLazyField(choices),
  several_choices: toLazyField(choices),
  dropdown: toLazyField(choices),
  yes_no: toLazyField(choices),
  picture_choice: toLazyField(choices),
  consent: toLazyField(choices),
  demographic: toLazyField(choices),
  rating: toLazyField(scales),
  scale: toLazyField(scales),
  nps: toLazyField(scales),
  number: toLazyField(numbers),
  slider: toLazyField(numbers),
  likert: toLazyField(grid),
  matrix_one: toLazyField(grid),
  matrix_several: toLazyField(grid),
  ranking: toLazyField(lazyRouteComponent(() => import('./ranking/RankingQuestion.tsx'), 'RankingQuestion')),
  budget: toLazyField(lazyRouteComponent(() => import('./budget/BudgetQuestion.tsx'), 'BudgetQuestion')),
  date: toLazyField(moment),
  time: toLazyField(moment),
  address: toLazyField(lazyRouteComponent(() => import('./places/PlaceQuestion.tsx'), 'AddressQuestion')),
  place: toLazyField(lazyRouteComponent(() => import('./places/PlaceQuestion.tsx'), 'PlaceQuestion')),
  file: toLazyField(lazyRouteComponent(() => import('./files/FileQuestion.tsx'), 'FileQuestion')),
  info: toLazyField(lazyRouteComponent(() => import('./info/InfoBlock.tsx'), 'InfoBlock')),
}

const longChoice = toLazyField<Question>(lazyRouteComponent(() => import('./choices/LongChoiceQuestion.tsx'), 'LongChoiceQuestion'))

export const getQuestionField = (question: Question): LazyField<Question> =>
  isLongList(question) ? longChoice : (FIELDS[question.type] as unknown as LazyField<Question>)

/** Loads the components for a survey's questions: before rendering on the server, and with a page that links to it. */
export async function preloadFields({ pages }: Definition): Promise<void> {
  const questions = pages.flatMap((page) => page.questions)
  const types = new Set(questions.map((question) => question.type))
  // Of a long list, earlier answers may leave a few options.
  const fields = new Set([...questions.map(getQuestionField), ...Array.from(types, (type) => FIELDS[type])])
  await Promise.all(Array.from(fields, async (field) => field.preload?.()))
  // Browsers never render it.
  if (import.meta.env.SSR && types.has('place')) await (await import('./places/lazy-pressed-place.ts')).PressedPlace.preload?.()
}
