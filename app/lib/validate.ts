import * as v from 'valibot'
import { AppError, type Fault, MAX_FAULTS } from './app-error.ts'
import { ERROR_CODES, type ErrorCode } from './error-catalogue.ts'

/**
 * Validation for every transport: a valibot schema in, faults with catalogue codes and pointers out.
 *
 * ```ts
 * const input = requireValid(registerSchema, values, { at: '/data/attributes' })   // throws AppError('invalid') with every fault
 * const checked = validateInput(registerSchema, values)                          // { ok, output } | { ok, faults }, for forms
 * ```
 *
 * A schema chooses its own code by passing it as an action's message:
 * `v.forward(v.check((input) => input.opensAt < input.closesAt, 'dates-out-of-order'), ['closesAt'])`.
 */

export type Validated<T> = { ok: true; output: T } | { ok: false; faults: Fault[] }

export interface ValidateOptions {
  /** Pointer to the input within the request body, e.g. `/data/attributes`. Default: the body itself. */
  at?: string
}

/** Validates `input` and returns every fault, at most one per place. */
export function validateInput<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  options: ValidateOptions = {},
): Validated<v.InferOutput<S>> {
  const result = v.safeParse(schema, input)
  if (result.success) return { ok: true, output: result.output }
  const byPointer = new Map<string, Fault>()
  for (const issue of result.issues) {
    if (byPointer.size >= MAX_FAULTS) break
    for (const fault of toFaults(issue, options.at ?? '')) {
      const at = fault.pointer ?? ''
      if (!byPointer.has(at) && byPointer.size < MAX_FAULTS) byPointer.set(at, fault)
    }
  }
  return { ok: false, faults: [...byPointer.values()] }
}

/** @throws {AppError} `invalid`, with one fault for each invalid place */
export function requireValid<S extends v.GenericSchema>(schema: S, input: unknown, options: ValidateOptions = {}): v.InferOutput<S> {
  const result = validateInput(schema, input, options)
  if (result.ok) return result.output
  throw new AppError('invalid', { faults: result.faults })
}

/** One step of a JSON pointer (RFC 6901). */
export const toPointerStep = (key: unknown): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * The first fault of each field by name, as forms show them: `/data/attributes/email` and `/email` are both `email`,
 * `/data/relationships/hub/data` is `hub`.
 */
export function groupFaultsByField(faults: readonly Fault[]): Record<string, Fault> {
  const byField: Record<string, Fault> = {}
  for (const fault of faults) {
    if (fault.pointer === undefined) continue
    const path = fault.pointer.replace(/^\/data\/attributes\//, '/').replace(/^\/data\/relationships\/([^/]*)\/data(?=\/|$)/, '/$1')
    const field = path
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .join('.')
    byField[field] ??= fault
  }
  return byField
}

function toFaults(issue: v.BaseIssue<unknown>, at: string): Fault[] {
  const pointer = (issue.path ?? []).reduce((path, item) => path + toPointerStep(item.key), at)
  const best = issue.type === 'union' ? closestAlternative(issue.issues ?? []) : undefined
  if (best) return best.flatMap((inner) => toFaults(inner, pointer))
  const { code, values } = toCodedFault(issue)
  return [{ code, pointer, ...(values ? { values } : {}) }]
}

/** The union alternative that the input came closest to: its faults are deepest inside the input. */
function closestAlternative(issues: readonly v.BaseIssue<unknown>[]): v.BaseIssue<unknown>[] | undefined {
  const inside = issues.filter((issue) => issue.path?.length || issue.kind === 'validation')
  const [first] = inside
  return first ? [first] : undefined
}

interface CodedFault {
  code: ErrorCode
  values?: Record<string, string | number>
}

function toCodedFault(issue: v.BaseIssue<unknown>): CodedFault {
  if (isErrorCode(issue.message)) return withLimits(issue.message, issue.requirement, issue.type)
  return issue.kind === 'schema' ? toTypeFault(issue) : toRuleFault(issue)
}

function toTypeFault(issue: v.BaseIssue<unknown>): CodedFault {
  if (issue.expected === 'never') return { code: 'unknown-attribute' }
  if (issue.input === undefined || issue.input === null) return { code: 'required' }
  switch (issue.type) {
    case 'picklist':
    case 'enum':
    case 'literal':
      return { code: 'not-a-choice' }
    case 'variant':
      return { code: issue.path?.length ? 'not-a-choice' : 'wrong-type' }
    case 'union':
      return {
        code: (issue.issues ?? []).every((inner) => inner.type === 'literal' || inner.type === 'picklist') ? 'not-a-choice' : 'wrong-type',
      }
    case 'number':
    case 'bigint':
    case 'nan':
      return { code: 'not-a-number' }
    case 'date':
      return { code: 'not-a-date' }
    default:
      return { code: 'wrong-type' }
  }
}

function toRuleFault(issue: v.BaseIssue<unknown>): CodedFault {
  const isList = Array.isArray(issue.input)
  switch (issue.type) {
    case 'non_empty':
      return { code: 'required' }
    case 'min_length':
    case 'min_graphemes':
    case 'min_words':
    case 'min_bytes':
    case 'min_entries':
    case 'min_size':
      if (issue.input === '') return { code: 'required' }
      return withLimits(isList ? 'too-few' : 'too-short', issue.requirement, issue.type)
    case 'max_length':
    case 'max_graphemes':
    case 'max_words':
    case 'max_bytes':
    case 'max_entries':
    case 'max_size':
      return withLimits(isList ? 'too-many' : 'too-long', issue.requirement, issue.type)
    case 'min_value':
    case 'max_value':
    case 'gt_value':
    case 'lt_value':
    case 'multiple_of':
      return withLimits('out-of-range', issue.requirement, issue.type)
    case 'integer':
    case 'safe_integer':
    case 'finite':
    case 'to_number':
      return { code: 'not-a-number' }
    case 'email':
    case 'rfc_email':
      return { code: 'not-an-email' }
    case 'url':
      return { code: 'not-a-link' }
    case 'iso_date':
    case 'iso_date_time':
    case 'iso_time':
    case 'iso_time_second':
    case 'iso_timestamp':
    case 'iso_week':
    case 'to_date':
      return { code: 'not-a-date' }
    case 'value':
    case 'values':
      return { code: 'not-a-choice' }
    default:
      return { code: 'wrong-format' }
  }
}

function withLimits(code: ErrorCode, requirement: unknown, type: string): CodedFault {
  const limit = requirement instanceof Date ? requirement.toISOString() : requirement
  if (typeof limit !== 'number' && typeof limit !== 'string') return { code }
  if (/^(min|gt)_/.test(type)) return { code, values: { min: limit } }
  if (/^(max|lt)_/.test(type)) return { code, values: { max: limit } }
  return { code }
}

const CODES: ReadonlySet<string> = new Set(ERROR_CODES)
const isErrorCode = (text: string): text is ErrorCode => CODES.has(text)

/**
 * Makes a schema the validator of a server function: bad input is refused as `invalid` with its faults, or as `not-found` if only parts of
 * an address are wrong. The framework would treat a bare schema's refusal as a defect and repeat what was sent.
 */
export const createInputValidator =
  <S extends v.GenericSchema>(schema: S) =>
  (input: v.InferInput<S>): v.InferOutput<S> => {
    // An object schema would accept an array as an object without members.
    const result: Validated<v.InferOutput<S>> = Array.isArray(input)
      ? { ok: false, faults: [{ code: 'wrong-type', pointer: '' }] }
      : validateInput(schema, input)
    if (result.ok) return result.output
    throw new AppError(result.faults.every(({ code }) => code === 'not-found') ? 'not-found' : 'invalid', { faults: result.faults })
  }

/** The validator of a server function without input. */
export const noInput = createInputValidator(v.undefined())

/** A page's query as parsed by `read`: invalid parts count as absent. */
export const createQuerySchema = <Query extends object>(read: (query: Record<string, unknown>) => Query): v.GenericSchema<Query, Query> =>
  v.pipe(
    v.custom<Query>((query) => typeof query === 'object' && query !== null && !Array.isArray(query)),
    v.transform((query) => read({ ...query } as Record<string, unknown>)),
  )
