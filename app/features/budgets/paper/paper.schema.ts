/** Sheets of one batch: all are in one file, whose typesetter takes about 2 MB of memory for each. */
export const MAX_SHEETS = 200
