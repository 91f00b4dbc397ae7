import type { AppError } from '../lib/app-error.ts'
import type { ApiHandler } from './api/create-handler.ts'
import type { Ctx } from './context.ts'

/** Outcome of a form that is answered by its own page: refused, with everything that was typed, or accepted, with what is shown once. */
export interface FormState {
  /** Which of the page's forms it was. */
  form: string
  values: Record<string, string | string[]>
  faults: { code: string; field?: string; values?: Record<string, string | number> }[]
  /** The values are an answer to the form, not what was typed. */
  isShownOnce?: true
}

/** The `context` that Start passes to middleware, server routes and server functions. */
export interface RequestContext {
  ctx: Ctx
  /** Answers `/api/v2` in process. */
  handleApi: ApiHandler
  /** Set on pages rendered for one person; stored pages list their scripts by hash instead. */
  nonce: string | undefined
  /** Begins the place that `fillTexts` fills in once the page is rendered. Not in development, where pages are finished by another copy of that module. */
  textsMark?: string | undefined
  /** Set by a form's POST handler before the page is rendered again. */
  form: FormState | undefined
  /** For server function calls: why the call could not be read, and whether it reached the function. */
  call?: { hasArrived: boolean; refusal: AppError | undefined }
}

declare module '@tanstack/react-router' {
  interface Register {
    server: { requestContext: RequestContext }
  }
}
