import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import { AppError, isAppError } from '../lib/app-error.ts'
import { MAX_FILE_FORM_BYTES } from '../lib/file-forms.ts'
import { splitLanguage } from '../lib/languages.ts'
import { isDeclaredLarger, readBoundedBody } from './bounded-body.ts'
import type { Ctx } from './context.ts'
import { isDatabaseDown } from './db/database-down.ts'
import { type FormFile, FormTooLarge, type MultipartForm, readMultipart } from './multipart.ts'
import type { FormState, RequestContext } from './request-context.ts'

export type FormValues = Record<string, string | string[]>

interface HandlerInput<Rendered> {
  request: Request
  context: RequestContext
  params: Record<string, string>
  next: () => Rendered
}

export interface Submission {
  ctx: Ctx
  values: FormValues
  /** Uploaded files, if the form accepts any; deleted once the form has been handled. */
  files: readonly FormFile[]
  params: Record<string, string>
  request: Request
  /** A path of this site as the page would link to it, with the address's language prefix if it has one. */
  path: (to: string) => string
}

/** What a page shows in answer to its form, such as a new secret: it reads them with `readFormState`, in a form without faults. */
interface ShownOnce {
  shownOnce: FormValues
}

/** Limits for everything but files. */
export interface FormBounds {
  bytes: number
  fields: number
}

/** Enough for a form with a few hand-typed fields. */
export const SMALL_FORM: FormBounds = { bytes: 32_000, fields: 100 }

/** Limits for files: how many, and how many bytes each. Anything beyond is not read. */
export interface FileBounds {
  files: number
  fileBytes: number
}
const NO_FILES: FileBounds = { files: 0, fileBytes: 0 }
/** Never sent back to the page, whatever goes wrong. */
const SECRET_FIELDS = /password/i

/** What is known before the form's body is read. */
type FormContext = Pick<Submission, 'ctx' | 'params' | 'path'>

interface FormRules {
  /** Who may submit. If an account is needed, a visitor's form is not even read. */
  by: 'anyone' | 'account'
  /** Where to send visitors who need an account; by default the page decides, as it does for a GET. */
  visitorsGoTo?: (announced: FormContext) => string
  /** Limits beside files; by default those of a small form. */
  bounds?: FormBounds
  /** Which files it accepts, if the sender may upload any now; any others are dropped unread. */
  takes?: (announced: FormContext) => Promise<FileBounds | undefined>
  /** Keeps files of a form that is only shown again, in another language. */
  keepsFiles?: (submission: Submission) => Promise<unknown>
}

/**
 * A POST handler for a page whose form works without JavaScript. `act` receives the submitted values and returns where to go next (303), a
 * whole Response, or values that the same page shows now and never again. An AppError renders the same page again with its status, the faults at their fields and everything typed kept; the page
 * reads that with `readFormState`.
 * A page with several forms tells them apart by a hidden field named `form`. A button named `keep` shows the page again with everything
 * typed, in the language of its address, and does nothing else.
 */
export function createFormHandler(
  { by, visitorsGoTo, bounds, takes, keepsFiles }: FormRules,
  act: (submission: Submission) => Promise<string | Response | ShownOnce>,
) {
  return async <Rendered>({ request, context, params, next }: HandlerInput<Rendered>): Promise<Response | Awaited<Rendered>> => {
    const { ctx } = context
    const showAgain = (values: FormValues, error: AppError) => {
      context.form = buildFormState(values, error)
      setResponseStatus(error.status)
      const after = error.meta?.['retryAfter']
      if (typeof after === 'number') setResponseHeader('retry-after', String(after))
      return next()
    }
    const { language } = splitLanguage(new URL(request.url).pathname)
    const path = (to: string) => (language ? `/${language}${to === '/' ? '' : to}` : to)
    if (by === 'account' && ctx.viewer.kind === 'visitor')
      return visitorsGoTo ? seeOther(visitorsGoTo({ ctx, params, path })) : await showAgain({}, new AppError('unauthenticated'))
    const read = await readForm(request, bounds, takes && (() => takes({ ctx, params, path })))
    if (read instanceof Response) return read
    const { values: sent, files, discard } = read
    const { keep, ...values } = sent
    try {
      const submission = { ctx, values, files, params, request, path }
      if (keep) {
        await keepsFiles?.(submission)
        context.form = buildFormState(values)
        return await next()
      }
      const done = await act(submission)
      if (typeof done === 'object' && 'shownOnce' in done) {
        context.form = { form: String(values['form'] ?? ''), values: done.shownOnce, faults: [], isShownOnce: true }
        return await next()
      }
      return typeof done === 'string' ? seeOther(done) : done
    } catch (thrown) {
      // Even during an outage, try to render the page with everything that was typed.
      const error = isDatabaseDown(thrown) ? new AppError('unavailable') : thrown
      if (!isAppError(error)) throw error
      return await showAgain(values, error)
    } finally {
      await discard?.()
    }
  }
}

/** Redirects (303) after a successful form. Encodes what a URL may contain but a header may not, such as a line separator. */
export function seeOther(location: string, headers: HeadersInit = {}): Response {
  const all = new Headers(headers)
  all.set('location', location.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent))
  return new Response(null, { status: 303, headers: all })
}

/** The same with cookies, for what no cache may keep. */
export function redirectWithCookies(location: string, cookies: readonly string[] = [], headers: Record<string, string> = {}): Response {
  const all = new Headers({ 'cache-control': 'private, no-store', ...headers })
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return seeOther(location, all)
}

/** What a field holds, if it was sent once. */
export const readText = (sent: string | string[] | undefined): string => (typeof sent === 'string' ? sent : '')

interface ReadForm {
  values: FormValues
  files: readonly FormFile[]
  discard?: MultipartForm['discard']
}

async function readForm(
  request: Request,
  bounds: FormBounds = SMALL_FORM,
  takes?: () => Promise<FileBounds | undefined>,
): Promise<ReadForm | Response> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type)) return new Response(null, { status: 415 })
  try {
    if (!type.startsWith('multipart/'))
      return { values: collectValues(readFields(await readBoundedBody(request, bounds.bytes), bounds)), files: [] }
    const bytes = takes ? MAX_FILE_FORM_BYTES : bounds.bytes
    if (isDeclaredLarger(request, bytes)) throw new FormTooLarge()
    const taken = (await takes?.()) ?? NO_FILES
    const { entries, files, discard } = await readMultipart(request, { bytes, fieldBytes: bounds.bytes, fields: bounds.fields, ...taken })
    return { values: collectValues(entries), files, discard }
  } catch (error) {
    return new Response(null, { status: error instanceof FormTooLarge || isAppError(error, 'too-large') ? 413 : 400 })
  }
}

/** Counted before parsing: many small fields cost more than their bytes suggest. */
function readFields(body: Buffer, { fields }: FormBounds): [name: string, value: string][] {
  let count = 1
  for (let at = body.indexOf('&'); at >= 0; at = body.indexOf('&', at + 1)) if (++count > fields) throw new FormTooLarge()
  return [...new URLSearchParams(body.toString())]
}

function collectValues(entries: readonly (readonly [name: string, value: string])[]): FormValues {
  const values: FormValues = Object.create(null) as FormValues
  for (const [name, own] of Map.groupBy(entries, ([each]) => each)) {
    const all = own.map(([, value]) => toStorableText(value))
    values[name] = all.length > 1 ? all : (all[0] ?? '')
  }
  return values
}

/** Removes what no keyboard types and the database cannot store: null characters and lone surrogates. */
const toStorableText = (text: string) => text.replaceAll('\0', '').toWellFormed()

function buildFormState(values: FormValues, error?: AppError): FormState {
  return {
    form: typeof values['form'] === 'string' ? values['form'] : '',
    values: Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET_FIELDS.test(name))),
    faults: (error?.faults ?? []).map(({ code, pointer, values: numbers }) => ({
      code,
      ...(pointer ? { field: pointer.split('/').at(-1) } : {}),
      ...(numbers ? { values: numbers } : {}),
    })),
  }
}
