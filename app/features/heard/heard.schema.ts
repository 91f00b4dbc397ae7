import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { Delivery, EvidenceSource, Outcome, Stance } from '#app/lib/vocabulary/heard.ts'
import type { DecisionSearch } from './decision-search.schema.ts'

/** Longest texts, in characters. A tag on a written answer is a theme's title. */
export const MAX_THEME = { title: 120, description: 1000 }
export const MAX_DECISION = { title: 200, text: 4000, reason: 4000, body: 200, note: 2000 }
export const MAX_QUOTE = 4000
/** Length of `TextSource.key`. */
export const MAX_SOURCE_KEY = 100
/** Of one suggestion: the clearest. */
export const MAX_SUGGESTED_PASSAGES = 100

/** A theme that this many people raised needs a decision before the decisions of its project are published. */
export const PEOPLE_OWED_A_DECISION = 5
/** From one person, on the public page. */
export const MAX_QUOTES_OF_ONE = 5

/** What people wrote, as one can choose it for reading. */
export interface TextSource {
  /** `question:<survey>:<question>`, `activity:<id>` or `replies:<id>`. */
  key: string
  kind: 'question' | 'activity' | 'replies'
  title: string
  /** Of the survey or activity. */
  within: string
}

/** A passage that was coded to a theme. `start` and `end` count characters, not UTF-16 units; both are 0 for the whole text. */
export interface CodedPassage {
  id: string
  theme: string
  start: number
  end: number
  isQuoted: boolean
  state: 'suggested' | 'confirmed' | 'rejected'
}

export interface TextToRead {
  source: EvidenceSource
  id: string
  /** Of the survey; empty for contributions and replies. */
  question: string
  text: string
  language: ContentLanguage
  at: string
  version: number
  isRead: boolean
  passages: CodedPassage[]
}

export interface ReadingProgress {
  language: ContentLanguage
  total: number
  read: number
}

export interface ThemeFigures {
  people: number
  passages: number
}

export interface QuoteView {
  text: string
  language: ContentLanguage
}

export interface DecidedThemeView {
  id: string
  title: LocalisedText
  stance: Stance
  /** At publication. */
  people: number
  /** People whose words were withdrawn since. */
  gone: number
  quotes: QuoteView[]
}

export interface DecisionView {
  number: number
  title: LocalisedText
  text: LocalisedText
  outcome: Outcome
  reason: LocalisedText
  body: LocalisedText
  /** A date as `2026-03-27`, like those below. */
  decidedOn: string
  delivery: Delivery
  note: LocalisedText
  dueOn: string | null
  isLate: boolean
  delays: { before: string; after: string | null; reason: LocalisedText }[]
  themes: DecidedThemeView[]
}

/** Everything on a project's public page of decisions. */
export interface DecisionsView {
  project: { slug: string; title: LocalisedText }
  version: number
  publishedAt: string
  texts: number
  textsRead: number
  themes: { id: string; title: LocalisedText; people: number }[]
  /** Withdrawn since the figures were published. */
  gone: number
  total: number
  outcomes: Record<Outcome, number>
  deliveries: Record<Delivery, number>
  late: { number: number; title: LocalisedText; days: number }[]
  search: DecisionSearch
  hasReport: boolean
  decisions: DecisionView[]
}

export const listDecisionTexts = ({
  title,
  text,
  reason,
  body,
  deliveryNote,
}: Record<'title' | 'text' | 'reason' | 'body' | 'deliveryNote', Translated>): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: MAX_DECISION.title },
  { pointer: '/textTranslations', text, max: MAX_DECISION.text },
  { pointer: '/reasonTranslations', text: reason, isNeeded: true, max: MAX_DECISION.reason },
  { pointer: '/bodyTranslations', text: body, max: MAX_DECISION.body },
  { pointer: '/deliveryNoteTranslations', text: deliveryNote, max: MAX_DECISION.note },
]

/** Promised for an earlier day, and neither done nor stopped. @param today as `2026-03-27`, on the site's clocks */
export const isOverdue = ({ delivery, dueOn }: { delivery: Delivery; dueOn: string | null }, today: string): boolean =>
  dueOn !== null && dueOn < today && (delivery === 'planned' || delivery === 'under_way')
