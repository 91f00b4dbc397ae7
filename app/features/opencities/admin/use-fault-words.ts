import { isAppError } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { useTranslation } from 'react-i18next'

/** Error messages for the reader: one per fault of a refused request, otherwise that the fault is ours. */
export function useFaultWords() {
  const { t } = useTranslation('errors')
  const ofCode = (code: ErrorCode) => t(`codes.${code}`)
  return {
    ofCode,
    ofError: (error: unknown): { message: string; id?: string }[] => {
      if (!error) return []
      if (!isAppError(error)) return [{ message: ofCode('internal') }]
      return error.faults.map((fault) => ({
        message: t(...toFaultTitle(fault)),
        ...(fault.pointer ? { id: fault.pointer.split('/').at(-1) ?? '' } : {}),
      }))
    },
  }
}
