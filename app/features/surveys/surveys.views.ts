import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { SurveyAccess } from '#app/lib/vocabulary/surveys.ts'
import type { Answers, Definition } from './surveys.schema.ts'
import type { StepKind } from './questionnaire/steps.ts'
import { mapTexts } from './questionnaire/definition-texts.ts'

/** Whether answers are accepted now; `preview` means a draft, or a project that is not published, shown to people who may see it. */
export const SURVEY_STATES = ['preview', 'scheduled', 'open', 'closed'] as const
export type SurveyState = (typeof SURVEY_STATES)[number]

/** Why somebody may not answer an open survey. */
export type Refusal = AccessRefusal | 'answered'

export interface ProjectView {
  id: string
  slug: string
  title: LocalisedText
}

/** A survey as its page shows it to one person, with texts only in the page's language. */
export interface SurveyView {
  id: string
  slug: string
  title: LocalisedText
  intro: LocalisedText
  /** The beginning of its introduction, for search engines and shared links. */
  description: string
  thanks: LocalisedText
  access: SurveyAccess
  anonymous: boolean
  minutes: number | null
  /** From the survey's own times and its project's. */
  opensAt: Date | null
  closesAt: Date | null
  responses: number
  resultsPublic: boolean
  /** Whether everyone can find it: published, in a public project. */
  listed: boolean
  state: SurveyState
  refusal: Refusal | null
  /** The answers in progress will replace ones already sent. */
  changing: boolean
  /** The word that starts it by text message, and the number to text. */
  byText: { keyword: string; number: string } | null
  project: ProjectView
}

/** What somebody has already sent to a survey. */
export interface GivenAnswers {
  /** The page that shows it, without the language. */
  path: string
  mayChange: boolean
  /** The survey's rules allow another response. */
  mayAnswerAgain: boolean
}

/** What another device sent while this change of sent answers was being made. */
export interface SavedMeanwhile {
  /** Names this version of the answers. */
  edit: string
  answers: Answers
  editedAt: Date
}

/** What the viewer said about themselves, in a survey that asks some of it again. */
export interface ProfileUse {
  /** Answers that the form begins with, by question. */
  filled: Answers
  /** Questions of an anonymous survey whose answers are added if the person asks for it. */
  offered: string[]
  /** Questions whose answer the person may also keep as what they say about themselves. */
  keepable: string[]
}

export interface SurveyForAnswering {
  survey: SurveyView
  /** The version to answer; 0 is the draft. */
  version: number
  definition: Definition
  /** Sections, one question at a time, or null for everything on one page. */
  steps: StepKind | null
  /** Answers so far, from this or another device; null without a draft. */
  draft: Answers | null
  meanwhile?: SavedMeanwhile | null
}

/** A text in a single language if it has any, so that a page carries no more than it shows. */
function pickLanguage(text: Translated | undefined, language: ContentLanguage, fallback: Language): Translated {
  for (const candidate of [language, fallback, ...(Object.keys(text ?? {}) as ContentLanguage[])]) {
    const found = text?.[candidate]
    if (found?.trim()) return { [candidate]: found }
  }
  return {}
}

/** A definition in one language: the same ids, rules and order. */
export const localiseDefinition = <D extends { pages: readonly unknown[] }>(
  definition: D,
  language: ContentLanguage,
  fallback: Language,
): D => mapTexts(definition, (text) => pickLanguage(text, language, fallback))

/** What a receipt shows. */
export interface Contribution {
  /** Null if found by account: the code is not stored anywhere. */
  code: string | null
  language: ContentLanguage
  submittedAt: Date
  withdrawnAt: Date | null
  /** False until somebody has looked at unusually many from one place. */
  counted: boolean
  anonymous: boolean
  answers: Answers
  definition: Definition
  survey: Pick<SurveyView, 'id' | 'slug' | 'title' | 'thanks' | 'responses' | 'resultsPublic' | 'closesAt' | 'state'>
  project: ProjectView & { outcome: LocalisedText; reachable: boolean }
  mayWithdraw: boolean
  /** True while the survey is open, if it allows changes. */
  mayChange: boolean
  editedAt: Date | null
  /** Shown instead of the thanks if the survey ended early. */
  ending: { title: LocalisedText; text: LocalisedText } | null
}

/** One line in the list of an account's answers. */
export interface OwnAnswer {
  id: string
  submittedAt: Date
  editedAt: Date | null
  survey: LocalisedText
  project: LocalisedText
  /** The answer can be withdrawn. */
  open: boolean
  /** The answer can also be changed. */
  changeable: boolean
  closesAt: Date | null
}
