import type { Question, QuestionOf, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import { budget } from './budget/budget.ts'
import { consent, oneChoice, pictureChoice, severalChoices, yesNo } from './choices/choices.ts'
import { file } from './files/files.ts'
import { grid } from './grid/grid.ts'
import { info } from './info/info.ts'
import { moment, time } from './moment/moment.ts'
import { number } from './numbers/numbers.ts'
import { address, place } from './places/places.ts'
import type { QuestionModule } from './question-type.ts'
import { ranking } from './ranking/ranking.ts'
import { scale } from './scales/scales.ts'
import { email, longText, phone, shortText } from './text/text.ts'

/** The module of each question type. A missing type does not compile. */
const QUESTION_MODULES: { [T in QuestionType]: QuestionModule<QuestionOf<T>> } = {
  short_text: shortText,
  long_text: longText,
  one_choice: oneChoice,
  several_choices: severalChoices,
  dropdown: oneChoice,
  yes_no: yesNo,
  picture_choice: pictureChoice,
  rating: scale,
  scale,
  nps: scale,
  likert: grid,
  matrix_one: grid,
  matrix_several: grid,
  ranking,
  number,
  slider: number,
  budget,
  date: moment,
  time,
  email,
  phone,
  address,
  place,
  file,
  consent,
  demographic: oneChoice,
  info,
}

/** The module for the question's type, to be called with this same question. */
export const getQuestionModule = (question: Pick<Question, 'type'>): QuestionModule =>
  QUESTION_MODULES[question.type] as unknown as QuestionModule
