import type { Question, QuestionType } from '../../surveys.schema.ts'
import { consent, demographic, dropdown, oneChoice, pictureChoice, severalChoices, yesNo } from './choices.tsx'
import { file } from './files.tsx'
import { likert, matrixOne, matrixSeveral } from './grids.tsx'
import { info } from './info.tsx'
import { date, time } from './moments.tsx'
import { number, slider } from './numbers.tsx'
import { address, place } from './places.tsx'
import type { QuestionEditor } from './question-editor.ts'
import { nps, rating, scale } from './scales.tsx'
import { budget, ranking } from './sharing.tsx'
import { email, longText, phone, shortText } from './texts.tsx'

/** An editor for each question type. A test fails if one is missing. */
const QUESTION_EDITORS: { readonly [T in QuestionType]?: QuestionEditor<T> } = {
  one_choice: oneChoice,
  several_choices: severalChoices,
  dropdown,
  yes_no: yesNo,
  picture_choice: pictureChoice,
  short_text: shortText,
  long_text: longText,
  email,
  phone,
  rating,
  scale,
  nps,
  likert,
  matrix_one: matrixOne,
  matrix_several: matrixSeveral,
  ranking,
  budget,
  number,
  slider,
  date,
  time,
  place,
  file,
  address,
  demographic,
  consent,
  info,
}

export const findQuestionEditor = (type: QuestionType): QuestionEditor<QuestionType> | undefined =>
  QUESTION_EDITORS[type] as QuestionEditor<QuestionType> | undefined

/** Types in the menu, grouped by similarity. */
export const OFFERED_TYPES: readonly (readonly QuestionType[])[] = [
  ['one_choice', 'several_choices', 'dropdown', 'yes_no', 'picture_choice'],
  ['short_text', 'long_text', 'email', 'phone'],
  ['rating', 'scale', 'nps', 'likert', 'matrix_one', 'matrix_several'],
  ['ranking', 'budget', 'number', 'slider'],
  ['date', 'time', 'place', 'address', 'file'],
  ['demographic', 'consent', 'info'],
]

/** A new question that can be saved, but is not yet ready to publish. */
export function createBlankQuestion(type: QuestionType, id: string): Question | undefined {
  const editor = findQuestionEditor(type)
  return editor && ({ ...editor.blank(), id, type, title: {} } as Question)
}

/** Changes a question's type, keeping common properties such as title and options. */
export function changeQuestionType(question: Question, type: QuestionType): Question {
  const blank = createBlankQuestion(type, question.id)
  if (!blank || question.type === type) return question
  const common = new Set([...Object.keys(blank), 'help', 'required', 'showIf'])
  const kept = Object.fromEntries(Object.entries(question).filter(([name]) => common.has(name) && !(name === 'scale')))
  return { ...blank, ...kept, type } as Question
}
