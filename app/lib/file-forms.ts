import { splitLanguage } from './languages.ts'

/** Size limit in bytes of one form with files; any other form has a far lower one. */
export const MAX_FILE_FORM_BYTES = 64_000_000

const PATHS_WITH_FILES = /^\/(projects\/[^/]+\/(surveys\/[^/]+|[^/]+\/new)|embed\/surveys\/[^/]+)\/?$/

/** True if a form may upload files there: to a survey, on its own page or embedded, or with a contribution. */
export const canTakeFiles = (pathname: string, contentType: string | null | undefined): boolean =>
  /^multipart\/form-data\b/i.test(contentType ?? '') && PATHS_WITH_FILES.test(splitLanguage(pathname).path)
