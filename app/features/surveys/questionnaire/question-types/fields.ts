import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Definition, Question, QuestionOf, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import type { QuestionProps } from './question-field.tsx'

/** A component that is loaded when a survey has a question of its type. */
type Lazy<Q extends Question> = ComponentType<QuestionProps<Q>> & { preload?: () => Promise<unknown> }

const lazy = <Q extends Question>(component: unknown) => component as Lazy<Q>

const text = lazyRouteComponent(() => import('./text/TextQuestion.tsx'), 'TextQuestion')
const choices = lazyRouteComponent(() => import('./choices/ChoiceQuestion.tsx'), 'ChoiceQuestion')
const scales = lazyRouteComponent(() => import('./scales/ScaleQuestion.tsx'), 'ScaleQuestion')
const numbers = lazyRouteComponent(() => import('./numbers/NumberQuestion.tsx'), 'NumberQuestion')
const grid = lazyRouteComponent(() => import('./grid/GridQuestion.tsx'), 'GridQuestion')
const moment = lazyRouteComponent(() => import('./moment/MomentQuestion.tsx'), 'MomentQuestion')

const FIELDS: { [T in QuestionType]: Lazy<QuestionOf<T>> } = {
  short_text: lazy(text),
  long_text: lazy(text),
  email: lazy(text),
  phone: lazy(text),
  one_choice: lazy(choices),
  several_choices: lazy(choices),
  dropdown: lazy(choices),
  yes_no: lazy(choices),
  picture_choice: lazy(choices),
  consent: lazy(choices),
  demographic: lazy(choices),
  rating: lazy(scales),
  scale: lazy(scales),
  nps: lazy(scales),
  number: lazy(numbers),
  slider: lazy(numbers),
  likert: lazy(grid),
  matrix_one: lazy(grid),
  matrix_several: lazy(grid),
  ranking: lazy(lazyRouteComponent(() => import('./ranking/RankingQuestion.tsx'), 'RankingQuestion')),
  budget: lazy(lazyRouteComponent(() => import('./budget/BudgetQuestion.tsx'), 'BudgetQuestion')),
  date: lazy(moment),
  time: lazy(moment),
  address: lazy(lazyRouteComponent(() => import('./places/PlaceQuestion.tsx'), 'AddressQuestion')),
  place: lazy(lazyRouteComponent(() => import('./places/PlaceQuestion.tsx'), 'PlaceQuestion')),
  file: lazy(lazyRouteComponent(() => import('./files/FileQuestion.tsx'), 'FileQuestion')),
  info: lazy(lazyRouteComponent(() => import('./info/InfoBlock.tsx'), 'InfoBlock')),
}

export const fieldFor = (type: QuestionType): Lazy<Question> => FIELDS[type] as unknown as Lazy<Question>

/** Loads what a survey's questions are shown with: before it is rendered on the server, and with a page that leads to it. */
export async function preloadFields({ pages }: Definition): Promise<void> {
  const types = new Set(pages.flatMap((page) => page.questions.map((question) => question.type)))
  await Promise.all(Array.from(types, async (type) => fieldFor(type).preload?.()))
}
