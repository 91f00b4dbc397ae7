import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Answers, Definition, SurveyAccess } from './surveys.schema.ts'
import type { StepKind } from './questionnaire/steps.ts'
import { mapTexts } from './questionnaire/definition-texts.ts'

/** Whether answers are taken now; `preview` is a draft, or in a project that is not published, shown to those who may see it. */
export const SURVEY_STATES = ['preview', 'scheduled', 'open', 'closed'] as const
export type SurveyState = (typeof SURVEY_STATES)[number]

/** Why somebody may not answer an open survey. */
export type Refusal = 'sign-in' | 'confirm' | 'members' | 'group' | 'invitation' | 'answered' | 'guest'

export interface ProjectView {
  id: string
  slug: string
  title: LocalisedText
}

/** A survey as its page shows it to one person, with texts in the page's language alone. */
export interface SurveyView {
  id: string
  slug: string
  title: LocalisedText
  intro: LocalisedText
  thanks: LocalisedText
  access: SurveyAccess
  anonymous: boolean
  minutes: number | null
  /** When answers are taken, by its own times and its project's. */
  opensAt: Date | null
  closesAt: Date | null
  responses: number
  resultsPublic: boolean
  /** Whether everyone may find it: published, in a public project. */
  listed: boolean
  state: SurveyState
  refusal: Refusal | null
  /** The answers begun here will take the place of some that were sent. */
  changing: boolean
  project: ProjectView
}

export interface SurveyForAnswering {
  survey: SurveyView
  /** The version that is answered; 0 is the draft. */
  version: number
  definition: Definition
  /** How it is put: in sections, one question after the other, or null for all of it on one page. */
  steps: StepKind | null
  /** What was answered already, here or on another device; null where there is no draft. */
  draft: Answers | null
}

/** A text in one language where there is one, so that a page carries no more than it shows. */
function pickLanguage(text: Translated | undefined, language: Language, fallback: Language): Translated {
  for (const candidate of [language, fallback, ...(Object.keys(text ?? {}) as Language[])]) {
    const found = text?.[candidate]
    if (found?.trim()) return { [candidate]: found }
  }
  return {}
}

/** A definition in one language: the same ids, rules and order. */
export const localiseDefinition = <D extends { pages: readonly unknown[] }>(definition: D, language: Language, fallback: Language): D =>
  mapTexts(definition, (text) => pickLanguage(text, language, fallback))

/** What a receipt leads to. */
export interface Contribution {
  /** Null for the account that gave it: the code is stored nowhere. */
  code: string | null
  language: Language
  submittedAt: Date
  withdrawnAt: Date | null
  anonymous: boolean
  answers: Answers
  definition: Definition
  survey: Pick<SurveyView, 'id' | 'slug' | 'title' | 'thanks' | 'responses' | 'resultsPublic' | 'closesAt' | 'state'>
  project: ProjectView & { outcome: LocalisedText; reachable: boolean }
  mayWithdraw: boolean
  /** While the survey is open, where it allows that. */
  mayChange: boolean
  editedAt: Date | null
  /** What is said instead of thanks where the survey ended early. */
  ending: { title: LocalisedText; text: LocalisedText } | null
}

/** One line of what somebody's account has answered. */
export interface OwnAnswer {
  id: string
  submittedAt: Date
  editedAt: Date | null
  survey: LocalisedText
  project: LocalisedText
  /** It may be taken back. */
  open: boolean
  /** It may be changed as well. */
  changeable: boolean
  closesAt: Date | null
}
