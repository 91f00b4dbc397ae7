/** Files that a survey can be created from. */
const IMPORT_FORMATS = ['parley', 'surveyjs', 'xlsform', 'limesurvey'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** Maximum file size in bytes. */
export const LARGEST_IMPORT = 1_900_000

/** What could not be carried over unchanged. */
const IMPORT_NOTES = ['became-text', 'left-out', 'condition-left-out', 'setting-left-out', 'language-left-out', 'shortened'] as const

export interface ImportNote {
  code: (typeof IMPORT_NOTES)[number]
  /** Where it was in the file: a question's name, a row of a sheet. */
  at: string
  /** What it was, quoted from the file. */
  what: string
}

/** Result of an import. */
export interface ImportReport {
  /** The new draft and its title. */
  surveyId: string
  title: string
  format: ImportFormat
  questions: number
  notes: ImportNote[]
  /** Number of faults to fix before it can be published. */
  faults: number
}
