import { splitLanguage } from './languages.ts'

/** The most that one form with files may hold, in bytes; any other form stops far below. */
export const MAX_FILE_FORM_BYTES = 64_000_000

const PATHS_WITH_FILES = /^\/(projects\/[^/]+\/surveys\/[^/]+|embed\/surveys\/[^/]+)\/?$/

/** Whether a form may bring files there: to a survey, on its own page or in another's. */
export const canTakeFiles = (pathname: string, contentType: string | null | undefined): boolean =>
  /^multipart\/form-data\b/i.test(contentType ?? '') && PATHS_WITH_FILES.test(splitLanguage(pathname).path)
