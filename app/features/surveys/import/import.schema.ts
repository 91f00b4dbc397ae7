/** Files that a survey can be made from. */
const IMPORT_FORMATS = ['parley', 'surveyjs', 'xlsform', 'limesurvey'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** The largest file that is read. */
export const LARGEST_IMPORT = 1_900_000

/** What could not be carried over as it was. */
const IMPORT_NOTES = ['became-text', 'left-out', 'condition-left-out', 'setting-left-out', 'language-left-out', 'shortened'] as const

export interface ImportNote {
  code: (typeof IMPORT_NOTES)[number]
  /** Where it stood in the file: a question's name, a row of a sheet. */
  at: string
  /** What it was, in the file's own words. */
  what: string
}

/** What became of a file. */
export interface ImportReport {
  /** The draft that was made, and what it is called. */
  surveyId: string
  title: string
  format: ImportFormat
  questions: number
  notes: ImportNote[]
  /** What must be put right before it can be published. */
  faults: number
}
