/** Formats for exporting a survey's responses. `spss` is an archive of a CSV file and the syntax that reads it. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'json', 'spss'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const isExportFormat = (text: string): text is ExportFormat => (EXPORT_FORMATS as readonly string[]).includes(text)

export const EXPORT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** Progress of a report's file: how many steps are done after each. */
export const REPORT_STEPS = { figures: 1, typeset: 2, stored: 3 } as const
