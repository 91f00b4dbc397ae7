/** What one person may give to all questions of a survey together. */
export const MAX_GIVEN_MEGABYTES = 60
export const MAX_GIVEN_FILES = 40

/** What may wait at a time to be sent: from one network address to the whole site, and from everybody to one survey. */
export const MAX_UNSENT_MEGABYTES = { ofAddress: 120, ofSurvey: 1000 } as const
