import type { LedgerProof } from '#app/features/ledger/proof.ts'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import type { OpenFormat } from '../results/activity-export.schema.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
import type {
  ActivityAccess,
  AnswerVisibility,
  ContributionState,
  ModerationMode,
  ReactionValue,
  ReplyRole,
  ShownName,
  StageKind,
} from '#app/lib/vocabulary/contributions.ts'
import type { Tools } from '../kinds/define-kind.ts'
import type { ActivityKind } from '../kinds/kinds.ts'
import type { FieldAnswerView, FieldView } from './fields.schema.ts'
import type { LinkedContributionView, MergedIntoView, OwnMergeView } from './merging.schema.ts'
import type { PhotoView } from './photos.schema.ts'
import type { DrawnSize } from './drawing.schema.ts'
import type { PageTranslations, TranslatableView } from './translations.schema.ts'
import type { ContributionMapView, PlacesMapView, PlaceWritingView } from './places.schema.ts'

export const CONTRIBUTIONS_PER_PAGE = 20
export const MAX_REPLY_LENGTH = 2000
export const MAX_SHOWN_NAME = 80
export const MAX_PLACE_TEXT = 200
export const MAX_SIMILAR = 5
export const EDITABLE_FOR_MINUTES = 30
/** The name of the form with a code from an invitation. */
export const INVITATION_FORM = 'invitation'
/** The name of the form that sends the team what was written when an activity closed. */
export const LATE_FORM = 'late'

/** A form comes back with one of these although nothing in it is wrong: there is something to look at, or a step to take. */
const NEXT_STEP_CODES: readonly string[] = ['similar-first', 'not-sent-yet', 'personal-data-first']
export const isNextStep = ({ code }: { code: string }): boolean => NEXT_STEP_CODES.includes(code)

/** `unseen` brings up what has had little attention; the order is the same on each load. */
export const CONTRIBUTION_SORTS = ['newest', 'supported', 'discussed', 'unseen'] as const
export type ContributionSort = (typeof CONTRIBUTION_SORTS)[number]

/** The query parameters of an activity's list. */
export interface ContributionSearch {
  q?: string
  category?: string
  area?: string
  status?: string
  /** The part of the map to look at: west, south, east, north. */
  bbox?: string
  /** What a bubble counts: places whose pin stands in that part, without lines and areas that only reach into it. */
  only?: 'pins'
  /** A street, a place or an address to look for: it becomes a part of the map. */
  find?: string
  sort?: ContributionSort
  page?: number
  /** Which entries the reader asked to see translated, as `parseShown` reads it. */
  translated?: string
}

/** Unknown or broken parameters are dropped rather than refused. */
export const readContributionSearch = (search: Record<string, unknown>): ContributionSearch =>
  omitUndefined({
    q: readTextParam(search['q'], 200),
    category: readTextParam(search['category'], 40),
    area: readTextParam(search['area'], 40),
    status: readTextParam(search['status'], 40),
    bbox: readTextParam(search['bbox'], 60),
    only: readChoiceParam(search['only'], ['pins']),
    find: readTextParam(search['find'], 120),
    sort: readChoiceParam(search['sort'], CONTRIBUTION_SORTS),
    page: readIntegerParam(search['page'], 1, 10_000),
    translated: readTextParam(search['translated'], 2000),
  })

/** What the head of an activity's page says to search engines and link previews. */
export interface ActivityPageHead {
  title: string
  description: string
  path: string
  card: string
  hidden: boolean
  feed?: string
}

export const STAGE_STATES = ['upcoming', 'current', 'past'] as const
export type StageState = (typeof STAGE_STATES)[number]

export interface StageView {
  id: string
  title: LocalisedText
  summary: LocalisedText
  kind: StageKind
  startsAt: string
  endsAt: string | null
  state: StageState
  activities: { slug: string; title: LocalisedText }[]
}

/** preview: not published yet. */
export const ACTIVITY_STATES = ['preview', 'scheduled', 'open', 'closed'] as const
export type ActivityState = (typeof ACTIVITY_STATES)[number]

export interface ActivityCardView {
  slug: string
  kind: ActivityKind
  title: LocalisedText
  /** Its beginning, as plain text. */
  intro: LocalisedText
  state: ActivityState
  opensAt: string | null
  closesAt: string | null
  contributions: number
  needsAccount: boolean
  position: number
}

export interface ProjectActivitiesView {
  stages: StageView[]
  activities: ActivityCardView[]
  now: string
}

export interface NamedOption {
  value: string
  label: string
}

export interface ActivityView {
  id: string
  slug: string
  kind: ActivityKind
  title: LocalisedText
  intro: LocalisedText
  state: ActivityState
  opensAt: string | null
  closesAt: string | null
  moderation: ModerationMode
  moderationDays: number
  postAccess: ActivityAccess
  tools: Tools
  maxTitle: number
  maxBody: number
  /** Categories that can be chosen. */
  categories: NamedOption[]
  /** Empty if the activity does not ask for one. */
  areas: NamedOption[]
  shownNames: readonly ShownName[]
  /** Extra questions that are asked. */
  fields: readonly FieldView[]
  /** Found by search engines. */
  listed: boolean
  /** In which everybody may download what is published; empty unless it is open data. */
  openFormats: readonly OpenFormat[]
  /** Hashes of what was sent are in a public chain. */
  hasLedger: boolean
  project: { slug: string; title: LocalisedText }
}

/** What an official answer said until `at`. */
export interface FormerWordingView {
  id: string
  text: LocalisedText
  /** The same in the other languages in which the team wrote it, each with its own name. */
  others: { language: ContentLanguage; name: string; text: string }[]
  team: LocalisedText
  at: string
}

export interface OfficialAnswerView {
  /** Null in lists. */
  id: string | null
  status: LocalisedText | null
  text: LocalisedText
  team: LocalisedText
  at: string
  visibility: AnswerVisibility
  editedAt: string | null
  /** What it said, the newest first. Empty in lists. */
  former: FormerWordingView[]
  /** Why the team took it back: its words are gone. Null in lists. */
  withdrawn: { at: string; reason: LocalisedText } | null
}

/** One entry of a list. Texts of the public come in the language they were written in. */
export interface ContributionEntry {
  number: number
  title: string
  excerpt: string
  /** Set if it is not the page's language. */
  lang?: ContentLanguage
  author: AuthorView
  categories: LocalisedText[]
  place: string
  /** Set if it is a line or an area. */
  drawn: DrawnSize | null
  status: LocalisedText | null
  /** Also those who agree. */
  supports: number
  disagrees: number
  replies: number
  publishedAt: string
  answer: OfficialAnswerView | null
  /** Of a question: who can read the answer. */
  answered: AnswerVisibility | null
  photos: PhotoView[]
  /** Absent for one that is in the page's language, or that cannot be translated. */
  translation?: TranslatableView
}

/** A name, "A resident of Northgate", or nothing. */
export interface AuthorView {
  name?: string
  residentOf?: string
}

export interface ContributionListView {
  activity: ActivityView
  entries: ContributionEntry[]
  total: number
  page: number
  pages: number
  search: ContributionSearch
  statuses: NamedOption[]
  mayPost: AccessRefusal | null
  /** Of an activity for invited people: whether the viewer still has to bring their code. Null for others, and unless it is open. */
  invitation: 'needed' | 'accepted' | null
  /** Null if the activity has no map. */
  map: PlacesMapView | null
  /** What was looked for on the map, and what was found; null if nothing was. */
  sought: { text: string; found: { name: string } | null } | null
  /** Codes of the statuses, for the signs on the map. */
  signs: { code: string; label: string }[]
}

export interface ReplyView {
  id: string
  role: ReplyRole
  body: string
  lang?: ContentLanguage
  author: string
  at: string
}

/** What is gone, and why, for an address that was public once or was sent for publication. */
export interface GoneContribution {
  number: number
  state: Exclude<ContributionState, 'held' | 'published' | 'merged'>
  /** The rule of the site that it broke. */
  rule: LocalisedText | null
  reason: string
  /** The decision that its author can appeal against; null unless the team declined or removed it. */
  decision: string | null
  answers: OfficialAnswerView[]
}

export interface ContributionView extends Omit<ContributionEntry, 'excerpt' | 'answer'> {
  id: string
  body: string
  /** Public answers to extra questions. */
  fields: FieldAnswerView[]
  /** By when a question is answered; null unless it waits for an answer. */
  dueAt: string | null
  editedAt: string | null
  /** The newest first. */
  answers: OfficialAnswerView[]
  replyList: ReplyView[]
  versions: { id: string; number: number; title: string; body: string; fields: FieldAnswerView[]; at: string }[]
  /** Set if it was brought together with another one, where people support and reply now. */
  mergedInto: MergedIntoView | null
  related: LinkedContributionView[]
  /** The viewer's own. */
  reaction: ReactionValue | null
  /** False until somebody has looked at unusually many from one place. */
  isReactionCounted: boolean
  /** The viewer has an account here: they are told of an answer to what they ask too. */
  hasAccount: boolean
  /** The viewer is told when the team answers. */
  following: boolean
  map: ContributionMapView | null
  area: { id: string; name: string } | null
  translations: PageTranslations
  reactRefusal: AccessRefusal | null
  postRefusal: AccessRefusal | null
}

export interface ContributionPageView {
  activity: ActivityView
  contribution: ContributionView | null
  gone: GoneContribution | null
}

export interface SimilarView {
  number: number
  title: string
  lang?: ContentLanguage
  supports: number
  disagrees: number
  /** A question with an answer that everybody can read. */
  isAnswered: boolean
}

/** One entry of the list in a person's account. */
export interface OwnContributionEntry {
  id: string
  number: number
  title: string
  language: ContentLanguage
  state: ContributionState
  /** Of a question: who can read the answer. */
  answered: AnswerVisibility | null
  submittedAt: string
  activity: { slug: string; title: LocalisedText }
  project: string
}

export interface OwnAppealView {
  /** The decision's id. */
  decision: string
  /** Until when the author can appeal; null if they have. */
  until: string | null
}

/** `by` is null if no date is promised. `isAssigned` is null for all but questions that wait for an answer. */
export interface AnswerStepView {
  by: string | null
  state: 'waiting' | 'late' | 'answered'
  isAssigned: boolean | null
}

/** What can still happen to a contribution, and by when. */
export interface NextStepsView {
  /** What waits for a moderator for the first time; null for everything else. */
  decision: { by: string; isLate: boolean } | null
  /** Null unless the team can answer it. */
  answer: AnswerStepView | null
  /** The stage of the project that begins next. */
  stage: { title: LocalisedText; startsAt: string } | null
  /** What was decided in the project; empty while nothing was. */
  outcome: LocalisedText
}

/** Whom the server will write to about a contribution. */
export interface ToldView {
  /** `account`: another account than the reader's, who opened the page with the code. */
  author: 'viewer' | 'account' | 'nobody'
  /** The people who can decide are reminded once the date has passed. */
  moderators: boolean
  /** Of the team's answer: those who follow it, or those who ask the same. */
  answer: 'followers' | 'asking' | null
  /** Those who follow the project hear that there is something new. */
  project: boolean
}

/** A contribution as its author sees it. */
/** What a receipt says of the entry in the activity's ledger. `gone`: the text is, and with it what led to the entry. */
export type OwnLedgerView = { state: 'gone' } | ({ state: 'waiting' | 'entered' | 'masked' | 'missing'; kept: string } & LedgerProof)

export interface OwnContributionView {
  id: string
  activity: ActivityView
  number: number
  title: string
  body: string
  /** Answers to extra questions in words, also those for the team only. */
  fields: FieldAnswerView[]
  /** The same as values of its form. */
  fieldValues: Record<string, string | string[]>
  language: ContentLanguage
  categories: string[]
  state: ContributionState
  /** Passages that others do not see: a moderator removed them. */
  masked: string[]
  /** The rule of the site that was named with the reason. */
  rule: LocalisedText | null
  reason: string
  submittedAt: string
  /** When this was read. */
  now: string
  /** The name that it is shown with. */
  author: AuthorView
  /** Null if it is no longer there. */
  next: NextStepsView | null
  told: ToldView
  /** Private ones too, the newest first. */
  answers: OfficialAnswerView[]
  photos: PhotoView[]
  /** The receipt's code, if the browser holds it. */
  code: string | null
  place: string
  placeText: string
  /** The map of the form that changes it; null if it cannot be changed, or has none. */
  placeEditing: PlaceWritingView | null
  map: ContributionMapView | null
  /** Set if the last decision can be appealed, or was. */
  appeal: OwnAppealView | null
  /** Null if the activity has no ledger. */
  ledger: OwnLedgerView | null
  /** Set while it is merged into another one. */
  merge: OwnMergeView | null
  mayEdit: boolean
  mayAdd: boolean
  mayWithdraw: boolean
}
