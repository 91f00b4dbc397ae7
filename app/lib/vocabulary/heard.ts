/** What a theme says about the project. */
export const STANCES = ['for', 'against', 'suggestion', 'concern', 'question'] as const
export type Stance = (typeof STANCES)[number]

/** Where people wrote what a theme rests on: an answer to a survey, a contribution, or a reply to one. */
export const EVIDENCE_SOURCES = ['response', 'contribution', 'reply'] as const
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number]

/** Only what a person confirmed counts. */
export const EVIDENCE_STATES = ['suggested', 'confirmed', 'rejected'] as const
export type EvidenceState = (typeof EVIDENCE_STATES)[number]

/** Of a text that two people code: as usual, and by the second person, who does not see the first codes. */
export type CodingReading = 'first' | 'second'

/** Suggestions of themes are made in the background. */
export const SUGGESTION_RUN_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type SuggestionRunState = (typeof SUGGESTION_RUN_STATES)[number]

/** What was decided about what people said. */
export const OUTCOMES = ['taken_up', 'partly', 'not_taken_up', 'out_of_scope', 'later'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What a report of a project is about. */
export const HEARD_REPORT_KINDS = ['heard', 'decided', 'both'] as const
export type HeardReportKind = (typeof HEARD_REPORT_KINDS)[number]

/** A published report is superseded by the next one. */
export const HEARD_REPORT_STATUSES = ['published', 'superseded'] as const
export type HeardReportStatus = (typeof HEARD_REPORT_STATUSES)[number]

/** What became of a decision. */
export const DELIVERIES = ['planned', 'under_way', 'done', 'stopped'] as const
export type Delivery = (typeof DELIVERIES)[number]
