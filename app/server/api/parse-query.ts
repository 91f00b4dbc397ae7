import { AppError, type DetailText, type Fault } from '../../lib/app-error.ts'
import { type AnyShape, listFieldNames } from '../../lib/api-client/resource-shape.ts'
import { validateInput } from '../../lib/validate.ts'
import { isStorable } from './request-body.ts'
import type { Registry } from './create-registry.ts'
import type { ListQuery } from './implement.ts'
import { DEEPEST_INCLUDE, LAST_PAGE, MAX_INCLUDE_PATHS } from './protocol.ts'

/** Relationships to include, each with the relationships to include from its targets. */
export interface IncludeTree {
  readonly [relationship: string]: IncludeTree
}

export interface ParsedQuery {
  include: IncludeTree
  /** Sparse fieldsets by type. */
  fields: ReadonlyMap<string, ReadonlySet<string>>
  list: ListQuery
}

/** Which parameters an address accepts: documents `include` and `fields`, collections also `filter`, `sort` and `page`. */
export interface QueryRules {
  /** Type of the primary data; undefined if the response is not a resource document. */
  shape: AnyShape | undefined
  include: boolean
  /** Whether the shape's filters and sorts apply. */
  filtered: boolean
  paged: boolean
  /** Filters set by the address itself. */
  fixed?: readonly string[]
}

const PARAMETER = /^([a-z]+)(?:\[([^[\]]*)\])?$/

/** @throws {AppError} `bad-request` listing every parameter that is unknown, repeated or has an invalid value */
export function parseQuery(parameters: URLSearchParams, rules: QueryRules, registry: Registry): ParsedQuery {
  const parser = new QueryParser(rules, registry)
  const seen = new Set<string>()
  for (const [parameter, value] of parameters) {
    if (seen.has(parameter)) parser.refuse('invalid-parameter', parameter, { key: 'parameter-repeated' })
    else parser.read(parameter, value)
    seen.add(parameter)
  }
  return parser.result()
}

class QueryParser {
  readonly #rules: QueryRules
  readonly #registry: Registry
  readonly #faults: Fault[] = []
  readonly #fields = new Map<string, Set<string>>()
  readonly #filter: Record<string, unknown> = {}
  #include: IncludeTree = {}
  #sort: ListQuery['sort'] | undefined
  #number = 1
  #size: number | undefined

  constructor(rules: QueryRules, registry: Registry) {
    this.#rules = rules
    this.#registry = registry
  }

  refuse(code: 'unknown-parameter' | 'invalid-parameter', parameter: string, detail: DetailText): void {
    if (this.#faults.length < 100) this.#faults.push({ code, parameter: parameter.slice(0, 200).toWellFormed(), detail })
  }

  read(parameter: string, value: string): void {
    if (!isStorable(parameter) || !isStorable(value)) return this.refuse('invalid-parameter', parameter, { key: 'unusable-characters' })
    if (parameter === 'lng') return
    const { shape } = this.#rules
    const [, family, member] = PARAMETER.exec(parameter) ?? []
    const isKnown =
      shape && (member === undefined ? this.#readWhole(shape, parameter, value) : this.#readMember(shape, parameter, family, member, value))
    if (!isKnown) this.refuse('unknown-parameter', parameter, { key: 'parameter-unknown' })
  }

  /** @returns false if there is no such parameter here */
  #readWhole(shape: AnyShape, parameter: string, value: string): boolean {
    const { include, filtered } = this.#rules
    if (include && parameter === 'include') this.#readInclude(shape, value)
    else if (filtered && parameter === 'sort') this.#readSort(shape, value)
    else return false
    return true
  }

  /** The same for a parameter with a part in brackets. */
  #readMember(shape: AnyShape, parameter: string, family: string | undefined, member: string, value: string): boolean {
    const { filtered, paged } = this.#rules
    if (family === 'fields') this.#readFields(parameter, member, value)
    else if (filtered && family === 'filter') this.#readFilter(shape, parameter, member, value)
    else if (paged && family === 'page') this.#readPage(shape, parameter, member, value)
    else return false
    return true
  }

  result(): ParsedQuery {
    if (this.#faults.length > 0) throw new AppError('bad-request', { faults: this.#faults })
    const shape = this.#rules.shape
    const size = this.#size ?? shape?.page.size ?? 1
    return {
      include: this.#include,
      fields: this.#fields,
      list: {
        filter: this.#filter,
        sort: this.#sort ?? (shape?.defaultSort === undefined ? [] : [parseSortKey(shape.defaultSort)]),
        page: { number: this.#number, size, offset: (this.#number - 1) * size, limit: size },
      },
    }
  }

  #readFields(parameter: string, type: string, value: string): void {
    const shape = this.#registry.find(type)?.shape
    if (!shape) return this.refuse('unknown-parameter', parameter, { key: 'type-unknown' })
    const known = new Set(listFieldNames(shape))
    const names = splitList(value)
    for (const name of names)
      if (!known.has(name))
        this.refuse('invalid-parameter', parameter, { key: 'field-unknown', values: { type, name: name.slice(0, 100) } })
    this.#fields.set(type, new Set(names))
  }

  #readInclude(shape: AnyShape, value: string): void {
    const paths = splitList(value)
    if (paths.length > MAX_INCLUDE_PATHS)
      return this.refuse('invalid-parameter', 'include', { key: 'path-limit', values: { max: MAX_INCLUDE_PATHS } })
    const tree: MutableTree = {}
    for (const path of paths) this.#addPath(tree, shape, path)
    this.#include = tree
  }

  #addPath(tree: MutableTree, shape: AnyShape, path: string): void {
    const steps = path.split('.')
    if (steps.length > DEEPEST_INCLUDE)
      return this.refuse('invalid-parameter', 'include', { key: 'step-limit', values: { max: DEEPEST_INCLUDE } })
    let at: AnyShape | undefined = shape
    let branch = tree
    for (const step of steps) {
      const relationship: AnyShape['relationships'][string] | undefined =
        at && Object.hasOwn(at.relationships, step) ? at.relationships[step] : undefined
      if (!relationship)
        return this.refuse('invalid-parameter', 'include', {
          key: 'relationship-unknown',
          values: { type: at?.type ?? '', name: step.slice(0, 100) },
        })
      branch = branch[step] ??= {}
      at = this.#registry.find(relationship.target)?.shape
    }
  }

  #readFilter(shape: AnyShape, parameter: string, name: string, value: string): void {
    const filter = Object.hasOwn(shape.filters, name) && !this.#rules.fixed?.includes(name) ? shape.filters[name] : undefined
    if (!filter) return this.refuse('unknown-parameter', parameter, { key: 'not-filterable', values: { type: shape.type } })
    const checked = validateInput(filter.schema, value)
    if (checked.ok) this.#filter[name] = checked.output
    else this.refuse('invalid-parameter', parameter, { fault: checked.faults[0] ?? { code: 'invalid' } })
  }

  #readSort(shape: AnyShape, value: string): void {
    const keys = splitList(value).map(parseSortKey)
    for (const { by } of keys) {
      if (!shape.sorts.includes(by))
        this.refuse('invalid-parameter', 'sort', { key: 'not-sortable', values: { type: shape.type, name: by.slice(0, 100) } })
    }
    if (new Set(keys.map(({ by }) => by)).size < keys.length) this.refuse('invalid-parameter', 'sort', { key: 'sorted-twice' })
    this.#sort = keys
  }

  #readPage(shape: AnyShape, parameter: string, name: string, value: string): void {
    const most = name === 'size' ? shape.page.max : LAST_PAGE
    if (name !== 'size' && name !== 'number') return this.refuse('unknown-parameter', parameter, { key: 'page-parameters' })
    if (!/^[1-9]\d{0,6}$/.test(value) || Number(value) > most)
      return this.refuse('invalid-parameter', parameter, { key: 'whole-number', values: { max: most } })
    if (name === 'size') this.#size = Number(value)
    else this.#number = Number(value)
  }
}

interface MutableTree {
  [relationship: string]: MutableTree
}

const splitList = (value: string): string[] => (value === '' ? [] : value.split(',').map((part) => part.trim()))

const parseSortKey = (key: string): { by: string; descending: boolean } =>
  key.startsWith('-') ? { by: key.slice(1), descending: true } : { by: key, descending: false }
