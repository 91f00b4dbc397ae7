import { SURVEY_ACCESS } from './surveys.ts'

/** What a stage is for: to tell people something, to hear them, to decide, to carry it out. */
export const STAGE_KINDS = ['inform', 'listen', 'decide', 'do'] as const
export type StageKind = (typeof STAGE_KINDS)[number]

export const ACTIVITY_STATUSES = ['draft', 'published', 'archived'] as const
export type ActivityStatus = (typeof ACTIVITY_STATUSES)[number]

/** Who may post or react: the same choices as for surveys. */
export const ACTIVITY_ACCESS = SURVEY_ACCESS
export type ActivityAccess = (typeof ACTIVITY_ACCESS)[number]

/** When a moderator looks at what people send: before it is published, or after. */
export const MODERATION_MODES = ['before', 'after'] as const
export type ModerationMode = (typeof MODERATION_MODES)[number]

/**
 * `held` waits for a moderator. `declined` was never published, `removed` was; `withdrawn` was taken back by its author; `erased` was
 * deleted for privacy. `merged` was brought together with another one and stays readable at its own address.
 */
export const CONTRIBUTION_STATES = ['held', 'published', 'merged', 'declined', 'removed', 'withdrawn', 'erased'] as const
export type ContributionState = (typeof CONTRIBUTION_STATES)[number]

/** Everyone can read these. */
export const READABLE_STATES: readonly ContributionState[] = ['published', 'merged']

/** `duplicate_of`: the contribution was merged into the other. `related`: both stay, and name each other. */
export const CONTRIBUTION_LINK_KINDS = ['duplicate_of', 'related'] as const
export type ContributionLinkKind = (typeof CONTRIBUTION_LINK_KINDS)[number]

/** How the author is named in public. */
export const SHOWN_NAMES = ['name', 'first_name', 'resident', 'anonymous'] as const
export type ShownName = (typeof SHOWN_NAMES)[number]

/** How a contribution reached the team that entered it. */
export const ENTERED_SOURCES = ['paper', 'email', 'phone', 'event', 'text', 'staff'] as const
export type EnteredSource = (typeof ENTERED_SOURCES)[number]

export const CONTRIBUTION_SOURCES = ['web', ...ENTERED_SOURCES] as const
export type ContributionSource = (typeof CONTRIBUTION_SOURCES)[number]

export const REACTION_VALUES = ['support', 'agree', 'disagree'] as const
export type ReactionValue = (typeof REACTION_VALUES)[number]

/** What an activity asks of people who read a contribution: support, or whether they agree. */
export const REACTION_CHOICES = ['support', 'agree_disagree'] as const
export type ReactionChoice = (typeof REACTION_CHOICES)[number]

/** `addition`: what the author adds once the contribution can no longer be edited. `official`: written by the project's team. */
export const REPLY_ROLES = ['person', 'addition', 'official'] as const
export type ReplyRole = (typeof REPLY_ROLES)[number]

/** What the organisation does with a contribution. Activities start with these and may rename or add to them. */
export const STATUS_CODES = ['received', 'under_review', 'planned', 'under_way', 'done', 'not_taken_forward', 'answered'] as const
export type StatusCode = (typeof STATUS_CODES)[number]

/** An official response with one of these always says why. */
const REASONED_STATUSES: readonly (StatusCode | null)[] = ['done', 'not_taken_forward', 'answered']
export const alwaysNeedsText = (code: StatusCode | null): boolean => REASONED_STATUSES.includes(code)

/** Who can read an official answer: everybody, or only the author. */
export const ANSWER_VISIBILITIES = ['public', 'private'] as const
export type AnswerVisibility = (typeof ANSWER_VISIBILITIES)[number]

/** Where a question stands. It follows from its state of moderation, its assignee and its answer. */
export const QUESTION_STATES = ['asked', 'assigned', 'answered_publicly', 'answered_privately', 'declined'] as const
export type QuestionState = (typeof QUESTION_STATES)[number]

/** How a layer of a map is drawn: the filling of areas, the dashes of lines and the mark of points differ without colour. */
export const LAYER_PATTERNS = [
  'hatching',
  'dots',
  'stripes',
  'grid',
  'back-hatching',
  'columns',
  'crosses',
  'rings',
  'waves',
  'outline',
] as const
export type LayerPattern = (typeof LAYER_PATTERNS)[number]

/** Degrees, one after the other: longitude, latitude, longitude, latitude, … */
export type Track = readonly number[]

/** What a feature of a layer looks like: points, lines, and areas with their holes. Null if it has no place. */
export type LayerShape = { points?: Track; lines?: readonly Track[]; areas?: readonly (readonly Track[])[] } | null

/** Types of an activity's extra questions: those of surveys whose answer is one field or one list of options. */
export const FIELD_TYPES = ['short_text', 'long_text', 'one_choice', 'several_choices', 'number', 'date', 'yes_no'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** Who sees the answers to an extra question, besides the author: everybody, or only those who may moderate. */
export const FIELD_AUDIENCES = ['public', 'staff'] as const
export type FieldAudience = (typeof FIELD_AUDIENCES)[number]

/** Options by their ids, a date as `2026-03-27`, `yes` or `no`. */
export type FieldValue = string | number | string[]
/** Answers to extra questions, by the question's id. */
export type FieldValues = Record<string, FieldValue>

/** What readers can have translated. */
export const TRANSLATABLE_TYPES = [
  'contributions',
  'contribution-versions',
  'replies',
  'official-responses',
  'official-response-wordings',
] as const
export type TranslatableType = (typeof TRANSLATABLE_TYPES)[number]

/** A text by its parts: `title`, `body` and, for written answers to extra questions, `fields.<question>`. */
export type TranslatedTexts = Record<string, string>

/** Of an answer to many. It is sent by a job once it is `waiting`. */
export type AnswerSetState = 'draft' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** Why a contribution does not get it. */
export interface AnswerRefusal {
  /** Of the contribution. */
  id: string
  /** It is gone; not published; another status is needed; the sender may not answer it; other words are needed. */
  reason: 'gone' | 'not-published' | 'status' | 'not-allowed' | 'words'
}
