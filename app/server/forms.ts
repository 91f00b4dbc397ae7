import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import { type AppError, isAppError } from '../lib/app-error.ts'
import { splitLanguage } from '../lib/languages.ts'
import type { Ctx } from './context.ts'
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
  params: Record<string, string>
  request: Request
  /** A path of this site as a link of the page would write it, with the address's language prefix if it has one. */
  path: (to: string) => string
}

const MOST_BYTES = 1_000_000
/** Never sent back to the page, whatever goes wrong. */
const SECRET_FIELDS = /password/i

/**
 * A POST handler of a page with a form that works without JavaScript. `act` is given what was typed and answers where to go next
 * (303) or a whole Response. An AppError renders the same page again with its status, the faults at their fields and everything
 * typed kept; the page reads that with `readFormState`.
 * A page with several forms tells them apart by a hidden field named `form`.
 */
export function formHandler(act: (submission: Submission) => Promise<string | Response>) {
  return async <Rendered>({ request, context, params, next }: HandlerInput<Rendered>): Promise<Response | Awaited<Rendered>> => {
    const values = await readValues(request)
    if (values instanceof Response) return values
    try {
      const { language } = splitLanguage(new URL(request.url).pathname)
      const path = (to: string) => (language ? `/${language}${to === '/' ? '' : to}` : to)
      const done = await act({ ctx: context.ctx, values, params, request, path })
      return typeof done === 'string' ? new Response(null, { status: 303, headers: { location: done } }) : done
    } catch (error) {
      if (!isAppError(error)) throw error
      context.form = formState(values, error)
      setResponseStatus(error.status)
      const after = error.meta?.['retryAfter']
      if (typeof after === 'number') setResponseHeader('retry-after', String(after))
      return await next()
    }
  }
}

async function readValues(request: Request): Promise<FormValues | Response> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type)) return new Response(null, { status: 415 })
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BYTES) return new Response(null, { status: 413 })
  const values: FormValues = Object.create(null) as FormValues
  let data: FormData
  try {
    data = await request.formData()
  } catch {
    return new Response(null, { status: 400 })
  }
  for (const key of new Set(data.keys())) {
    const all = data.getAll(key).flatMap((value) => (typeof value === 'string' ? [storable(value)] : []))
    values[key] = all.length > 1 ? all : (all[0] ?? '')
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
