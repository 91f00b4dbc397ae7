import type { Translated } from '#app/lib/translated.ts'
import type { Definition, Option, Row } from '../surveys.schema.ts'

/** A ready-made survey to start from, in every language. */
export interface SurveyTemplate {
  id: string
  title: Translated
  /** What it is for, in one sentence. */
  text: Translated
  intro: Translated
  minutes: number
  definition: Definition
}

/** One text in the three languages. */
export const toTranslated = (en: string, fr: string, cy: string) => ({ en, 'fr-CA': fr, cy })

/** Options or rows from ids and texts in the three languages. */
export const createItems = (...lines: (readonly [id: string, en: string, fr: string, cy: string])[]): (Option & Row)[] =>
  lines.map(([id, en, fr, cy]) => ({ id, label: toTranslated(en, fr, cy) }))

export const OTHER_OPTION: Option = { id: 'other', label: toTranslated('Something else', 'Autre chose', 'Rhywbeth arall'), other: true }
export const NONE_OPTION: Option = {
  id: 'none',
  label: toTranslated('None of these', 'Rien de tout cela', 'Dim un o’r rhain'),
  exclusive: true,
}

export const AGREEMENT = createItems(
  ['1', 'Strongly disagree', 'Tout à fait en désaccord', 'Anghytuno’n gryf'],
  ['2', 'Disagree', 'En désaccord', 'Anghytuno'],
  ['3', 'Neither', 'Ni l’un ni l’autre', 'Y naill na’r llall'],
  ['4', 'Agree', 'En accord', 'Cytuno'],
  ['5', 'Strongly agree', 'Tout à fait en accord', 'Cytuno’n gryf'],
).map((item) => ({ ...item, id: `c${item.id}` }))
