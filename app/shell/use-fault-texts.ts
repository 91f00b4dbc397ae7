import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'

function toFieldId(pointer: string): string {
  const [field = '', last = ''] = pointer.split('/').slice(-2)
  return CONTENT_LANGUAGES.some((code) => code === last) ? `${field}.${last}` : last
}

/** What a reader is told about a failed request. An error that the server did not name is ours. */
export function useFaultTexts() {
  const { t } = useTranslation('errors')
  const describeCode = (code: ErrorCode): string => t(`codes.${code}`)
  return {
    describeCode,
    /** One sentence: the first fault, or else the error itself. */
    describeError: (error: unknown): string =>
      isAppError(error) ? t(...toFaultTitle(error.faults[0] ?? error)) : describeCode('internal'),
    /** Items of an `ErrorSummary`; each links to the field at the end of its fault's pointer, and to its language if it has one. */
    listFaults: (error: unknown): { message: string; id?: string }[] => {
      if (!error) return []
      if (!isAppError(error)) return [{ message: describeCode('internal') }]
      return error.faults.map((fault) => ({
        message: t(...toFaultTitle(fault)),
        ...(fault.pointer ? { id: toFieldId(fault.pointer) } : {}),
      }))
    },
  }
}
