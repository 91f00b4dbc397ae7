import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import { type AppError, isAppError } from '../lib/app-error.ts'
import { MOST_FILE_FORM_BYTES } from '../lib/file-forms.ts'
import { splitLanguage } from '../lib/languages.ts'
import type { Ctx } from './context.ts'
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
  /** What came with the form where it takes files; they are gone once it has been dealt with. */
  files: readonly FormFile[]
  params: Record<string, string>
  request: Request
  /** A path of this site as a link of the page would write it, with the address's language prefix if it has one. */
  path: (to: string) => string
}

const MOST_BYTES = 1_000_000

/** How many files a form may bring, and how long each is at most: what comes beyond is not read. */
export interface TakenFiles {
  files: number
  fileBytes: number
}
/** Never sent back to the page, whatever goes wrong. */
const SECRET_FIELDS = /password/i

/**
 * A POST handler of a page with a form that works without JavaScript. `act` is given what was typed and answers where to go next
 * (303) or a whole Response. An AppError renders the same page again with its status, the faults at their fields and everything
 * typed kept; the page reads that with `readFormState`.
 * A page with several forms tells them apart by a hidden field named `form`.
 * @param takes what files may come with it; any other form's are dropped
 */
export function formHandler(act: (submission: Submission) => Promise<string | Response>, takes?: TakenFiles) {
  return async <Rendered>({ request, context, params, next }: HandlerInput<Rendered>): Promise<Response | Awaited<Rendered>> => {
    const read = await readForm(request, takes)
    if (read instanceof Response) return read
    const { values, files, discard } = read
    try {
      const { language } = splitLanguage(new URL(request.url).pathname)
      const path = (to: string) => (language ? `/${language}${to === '/' ? '' : to}` : to)
      const done = await act({ ctx: context.ctx, values, files, params, request, path })
      return typeof done === 'string' ? new Response(null, { status: 303, headers: { location: done } }) : done
    } catch (error) {
      if (!isAppError(error)) throw error
      context.form = formState(values, error)
      setResponseStatus(error.status)
      const after = error.meta?.['retryAfter']
      if (typeof after === 'number') setResponseHeader('retry-after', String(after))
      return await next()
    } finally {
      await discard?.()
    }
  }
}

interface ReadForm {
  values: FormValues
  files: readonly FormFile[]
  discard?: MultipartForm['discard']
}

async function readForm(request: Request, takes: TakenFiles | undefined): Promise<ReadForm | Response> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type)) return new Response(null, { status: 415 })
  const withFiles = takes && type.startsWith('multipart/')
  const most = withFiles ? MOST_FILE_FORM_BYTES : MOST_BYTES
  if (Number(request.headers.get('content-length') ?? 0) > most) return new Response(null, { status: 413 })
  try {
    if (withFiles) {
      const { entries, files, discard } = await readMultipart(request, { ...takes, bytes: most, fieldBytes: MOST_BYTES })
      return { values: valuesIn(entries), files, discard }
    }
    const data = await request.formData()
    return { values: valuesIn([...data].map(([name, value]) => [name, typeof value === 'string' ? value : undefined])), files: [] }
  } catch (error) {
    return new Response(null, { status: error instanceof FormTooLarge ? 413 : 400 })
  }
}

function valuesIn(entries: readonly (readonly [name: string, value: string | undefined])[]): FormValues {
  const values: FormValues = Object.create(null) as FormValues
  for (const [name, own] of Map.groupBy(entries, ([each]) => each)) {
    const all = own.flatMap(([, value]) => (value === undefined ? [] : [storable(value)]))
    values[name] = all.length > 1 ? all : (all[0] ?? '')
  }
  return values
}

/** What no keyboard types and no database keeps: a null character, half of a surrogate pair. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

function formState(values: FormValues, error: AppError): FormState {
  return {
    form: typeof values['form'] === 'string' ? values['form'] : '',
    values: Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET_FIELDS.test(name))),
    faults: error.faults.map(({ code, pointer, values: numbers }) => ({
      code,
      ...(pointer ? { field: pointer.split('/').at(-1) } : {}),
      ...(numbers ? { values: numbers } : {}),
    })),
  }
}
