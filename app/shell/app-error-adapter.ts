import { createSerializationAdapter } from '@tanstack/react-router'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'

/** Carries an AppError from the server to the browser as itself: code and faults, never a stack. */
export const appErrorAdapter = createSerializationAdapter({
  key: 'app-error',
  test: (value: unknown): value is AppError => isAppError(value),
  toSerializable: (error) => ({ code: error.code as string, faults: JSON.stringify(error.faults) }),
  fromSerializable: ({ code, faults }) => new AppError(code as ErrorCode, { faults: JSON.parse(faults) as Fault[] }),
})
