import { CONTENT_LANGUAGES, type ContentLanguage } from '#app/lib/languages.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { Translated } from '#app/lib/translated.ts'

/** What texts can belong to. */
export const TEXT_KINDS = [
  'homepage',
  'pages',
  'hubs',
  'topics',
  'areas',
  'projects',
  'project-documents',
  'project-updates',
  'activities',
  'contribution-statuses',
  'moderation-rules',
  'surveys',
  'budget-rounds',
  'budget-pots',
  'budget-options',
  'events',
  'decisions',
  'profile-questions',
  'newsletters',
] as const
export type TextKind = (typeof TEXT_KINDS)[number]

export const TEXT_STATES = ['missing', 'stale', 'machine', 'done'] as const
export type TextState = (typeof TEXT_STATES)[number]

export const TEXT_AUDIENCES = ['public', 'draft'] as const

export const TEXTS_PER_PAGE = 40

/** Most texts that one request changes. */
export const TEXTS_AT_ONCE = 40

/** What can be done with several texts: say that they are right, take the source as it is, have a machine translate them. */
export const TEXT_ACTS = ['confirm', 'same', 'machine'] as const
export type TextAct = (typeof TEXT_ACTS)[number]

export const ACT_STATES: Record<TextAct, readonly TextState[]> = {
  confirm: ['stale', 'machine'],
  same: ['missing'],
  machine: ['missing'],
}

/** What became of a batch of texts. */
export interface TextBatch {
  changed: number
  /** Stay as they are. */
  refused: number
  /** Why, of the last one that an editor refused. */
  reason: string | null
  /** The last text of the batch, if more match. */
  next: string | null
}

/** Which text it is, on the whole site. */
export interface TextAddress {
  kind: TextKind
  /** Of what it belongs to; the site's id for its own homepage. */
  subject: string
  /** Its place in that. */
  pointer: string
}

/** A text in one language, beside its source. */
export interface DeskText extends TextAddress, Pick<TranslatedText, 'format' | 'max'> {
  id: string
  /** Of what it belongs to. */
  title: string
  project: { id: string; title: string } | null
  isPublic: boolean
  /** Address of the screen that edits it. */
  editor: string
  state: TextState
  from: ContentLanguage
  to: ContentLanguage
  source: string
  translation: string
  /** What the source said when it was translated, and when that changed; only of a stale one. */
  formerSource?: string
  changedAt?: string
  /** The service that wrote the translation, as long as nobody confirmed it. */
  service?: string
}

export interface DeskSearch {
  state?: TextState
  to?: ContentLanguage
  kind?: TextKind
  project?: string
  audience?: (typeof TEXT_AUDIENCES)[number]
  q?: string
  /** The text that is open, as `formatTextId` writes it. */
  text?: string
  page?: number
}

const pickKnown = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined => values.find((one) => one === given)

export const readDeskSearch = (given: Record<string, unknown>): DeskSearch => {
  const page = Number(given['page'])
  return omitUndefined({
    state: pickKnown(TEXT_STATES, given['state']),
    to: pickKnown(CONTENT_LANGUAGES, given['to']),
    kind: pickKnown(TEXT_KINDS, given['kind']),
    project: readTextParam(given['project'], 36),
    audience: pickKnown(TEXT_AUDIENCES, given['audience']),
    q: readTextParam(given['q'], 200),
    text: readTextParam(given['text'], 400),
    page: Number.isSafeInteger(page) && page > 1 && page < 100_000 ? page : undefined,
  })
}

export const formatTextId = ({ kind, subject, pointer }: TextAddress): string => `${kind}/${subject}${pointer}`

/** @returns undefined if it is no id of a text */
export function parseTextId(id: string): TextAddress | undefined {
  const [, kind, subject = '', pointer = ''] = /^([a-z-]+)\/([0-9a-f-]{36})(\/.+)$/.exec(id) ?? []
  const known = pickKnown(TEXT_KINDS, kind)
  return known && { kind: known, subject, pointer }
}

/** One page of the desk, with the counts of each state under the other filters. */
export interface DeskPage {
  texts: DeskText[]
  total: number
  state: TextState
  counts: Record<TextState, number>
  from: ContentLanguage
  to: ContentLanguage
  open: DeskText | null
  /** The open text is in a draft that the viewer may publish. */
  canPublish: boolean
  /** The service that can translate the open text. */
  translator: string | null
  /** The service that can translate into this language. */
  service: string | null
}

/** The text at a place of JSON content; undefined if there is none. */
export function findText(content: unknown, pointer: string): Translated | undefined {
  let at = content
  for (const step of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  return typeof at === 'object' && at !== null ? at : undefined
}

/** The same content with another text at that place. */
export function replaceText<Content>(content: Content, pointer: string, text: Translated): Content {
  const [step = '', ...rest] = pointer.split('/').slice(1)
  if (step === '') return text as Content
  const inside = (content as Record<string, unknown>)[step]
  const next = replaceText(inside, rest.length > 0 ? `/${rest.join('/')}` : '', text)
  return (
    Array.isArray(content) ? content.map((one: unknown, at) => (at === Number(step) ? next : one)) : { ...content, [step]: next }
  ) as Content
}
