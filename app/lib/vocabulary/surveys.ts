export const SURVEY_STATUSES = ['draft', 'published', 'archived'] as const
export type SurveyStatus = (typeof SURVEY_STATUSES)[number]

/**
 * Who may answer: `signed_in`, `confirmed`, `members` of the project and people in a `group` answer once each, `anyone_once` once per
 * browser and once per account, `invited` once per code or personal link, `verified` once per person who is verified.
 */
export const SURVEY_ACCESS = ['anyone', 'anyone_once', 'signed_in', 'confirmed', 'members', 'group', 'invited', 'verified'] as const
export type SurveyAccess = (typeof SURVEY_ACCESS)[number]
/** A survey counts people twice only if somebody chooses so. */
export const NEW_SURVEY_ACCESS: SurveyAccess = 'anyone_once'

/** How the survey is presented; `site` follows the site's `show_revised_survey`. */
export const SURVEY_VARIANTS = ['site', 'classic', 'revised'] as const
export type SurveyVariant = (typeof SURVEY_VARIANTS)[number]

/** Files that a survey can be created from. */
export const IMPORT_FORMATS = ['parley', 'surveyjs', 'xlsform', 'limesurvey'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]
