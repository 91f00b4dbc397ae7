import { createSerializationAdapter } from '@tanstack/react-router'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { hideFault, findRequestId } from './faults.ts'

/** Serialises errors from server to browser: an AppError as itself, without its stack; anything else as `internal`. */
export const appErrorAdapter = createSerializationAdapter({
  key: 'app-error',
  test: (value: unknown): value is Error => value instanceof Error,
  toSerializable: (error) => {
    const shown = isAppError(error) ? error : hideFault(error)
    return { code: shown.code, faults: JSON.stringify(shown.faults), requestId: findRequestId(shown) ?? '' }
  },
  fromSerializable: ({ code, faults, requestId }): Error =>
    new AppError(code, { faults: JSON.parse(faults) as Fault[], ...(requestId ? { meta: { requestId } } : {}) }),
})
