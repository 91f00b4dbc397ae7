import { AppError, type Fault } from '#app/lib/app-error.ts'

/** A feature of GeoJSON, of which nothing is known yet. */
export interface FileFeature {
  geometry?: unknown
  properties?: unknown
}

/** @throws {AppError} `invalid` at `/upload` */
export const refuseFile = (code: Fault['code'], values?: Fault['values']): never => {
  throw new AppError('invalid', { faults: [{ code, pointer: '/upload', ...(values && { values }) }] })
}
