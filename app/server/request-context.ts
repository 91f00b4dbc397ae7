import type { AppError } from '../lib/app-error.ts'
import type { ApiHandler } from './api/create-handler.ts'
import type { Ctx } from './context.ts'

/** Outcome of a submitted form that could not be accepted, shown again with everything typed kept. */
export interface FormState {
  /** Which form of the page it was. */
  form: string
  values: Record<string, string | string[]>
  faults: { code: string; field?: string; values?: Record<string, string | number> }[]
}

/** What each request carries through Start: middleware, server routes and server functions receive it as `context`. */
export interface RequestContext {
  ctx: Ctx
  /** Answers `/api/v2` in process. */
  handleApi: ApiHandler
  /** Set on pages rendered for one person; stored pages list their scripts by hash instead. */
  nonce: string | undefined
  /** Set by a form's POST handler before the page is rendered again. */
  form: FormState | undefined
  /** Of a call of a server function: why it could not be read, and whether it has come to the function. */
  call?: { hasArrived: boolean; refusal: AppError | undefined }
}

declare module '@tanstack/react-router' {
  interface Register {
    server: { requestContext: RequestContext }
  }
}
