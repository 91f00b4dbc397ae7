/** Per person, over all questions of a survey. */
export const MAX_GIVEN_MEGABYTES = 60
export const MAX_GIVEN_FILES = 40

/** Limits for unsent files: from one network address to the whole site, and from everybody to one survey. */
export const MAX_UNSENT_MEGABYTES = { ofAddress: 120, ofSurvey: 1000 } as const
