/** Value of the button `go` that adds to a form what the person said about themselves. */
export const FROM_PROFILE = 'profile'
/** The field that also keeps answers as what the person says about themselves. */
export const KEEP_FIELD = 'keepInProfile'
