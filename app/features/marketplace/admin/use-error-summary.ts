import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'

/** Turns a failed request into items for an error summary; each links to the field at the end of its pointer. */
export function useErrorSummary() {
  const { t } = useTranslation('errors')
  return (error: unknown): { message: string; id?: string }[] => {
    if (!error) return []
    if (!isAppError(error)) return [{ message: t('codes.internal') }]
    return error.faults.map((fault) => ({
      message: t(...toFaultTitle(fault)),
      ...(fault.pointer ? { id: fault.pointer.split('/').at(-1) ?? '' } : {}),
    }))
  }
}
