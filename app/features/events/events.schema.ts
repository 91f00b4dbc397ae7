import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { EventPhase, SignUpState } from '#app/lib/vocabulary/events.ts'
import type { SignUpQuestion } from './sign-up-questions.schema.ts'

/** What everybody sees of an event, but not how to join it online. Times are ISO 8601. */
export interface EventView {
  id: string
  slug: string
  title: LocalisedText
  description: LocalisedText
  place: LocalisedText
  accessInfo: LocalisedText
  phase: EventPhase
  startsAt: string | null
  endsAt: string | null
  /** Null: no limit. */
  capacity: number | null
  /** Free places; null without a limit. */
  free: number | null
  waiting: number
  hasWaitingList: boolean
  project: { slug: string; title: LocalisedText }
  /** In lists and search engines. */
  listed: boolean
  now: string
}

/** An event with the form to sign up. */
export interface EventPageView {
  event: EventView
  questions: readonly SignUpQuestion[]
  refusal: AccessRefusal | null
  /** The account's name and address, to start from. */
  person: { name: string; email: string }
  /** The account's number, in international format; null if the reader cannot be reminded by text. */
  phone: string | null
  sending: Sending
  /** The browser or the account holds a sign-up for this event that stands. */
  isSignedUp: boolean
  isOpen: boolean
}

export interface SignUpReceiptView {
  event: EventView
  /** Null if the browser holds no receipt of this event. */
  receipt: {
    code: string
    state: SignUpState
    /** Place on the waiting list, from 1 on. */
    position: number | null
    /** How to join online, for people with a place. */
    joinLink: string
    canCancel: boolean
    /** They will be reminded by text too. */
    remindByText: boolean
    answers: readonly { id: string; title: LocalisedText; lines: string[] }[]
  } | null
  /** Where receipts are looked up. */
  address: string
}

export interface EventCardView {
  slug: string
  title: LocalisedText
  place: LocalisedText
  phase: EventPhase
  startsAt: string | null
  endsAt: string | null
  free: number | null
  hasWaitingList: boolean
}

interface EventTexts {
  title: Translated
  description: Translated
  place: Translated
  accessInfo: Translated
  questions: readonly SignUpQuestion[]
}

/** Longest texts of an event, in characters. */
export const MAX_EVENT_TEXT = { title: 140, description: 4000, place: 300, accessInfo: 1000 }

/** The translated texts of an event, with those of its questions. */
export const listEventTexts = ({ title, description, place, accessInfo, questions }: EventTexts): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: MAX_EVENT_TEXT.title },
  { pointer: '/descriptionTranslations', text: description, format: 'text', max: MAX_EVENT_TEXT.description },
  { pointer: '/placeTranslations', text: place, isNeeded: true, max: MAX_EVENT_TEXT.place },
  { pointer: '/accessInfoTranslations', text: accessInfo, format: 'text', max: MAX_EVENT_TEXT.accessInfo },
  ...questions.flatMap((question, at): TranslatedText[] =>
    question.removed
      ? []
      : [
          { pointer: `/questions/${at}/title`, text: question.title, isNeeded: true, max: 200 },
          { pointer: `/questions/${at}/help`, text: question.help, max: 500 },
          ...('options' in question
            ? question.options.flatMap(({ label, removed }, option): TranslatedText[] =>
                removed ? [] : [{ pointer: `/questions/${at}/options/${option}/label`, text: label, isNeeded: true, max: 200 }],
              )
            : []),
        ],
  ),
]
