/** Under which what people contribute may be used when it is published as open data. */
export const OPEN_LICENCE = 'https://creativecommons.org/licenses/by/4.0/'
