/** What one person may give to all questions of a survey together. */
export const MOST_GIVEN_MEGABYTES = 60
export const MOST_GIVEN_FILES = 40
