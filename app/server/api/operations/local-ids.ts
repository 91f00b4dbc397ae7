import { AppError } from '../../../lib/app-error.ts'
import { isJsonObject, type JsonObject } from '../../../lib/is-json-object.ts'
import { toPointerStep } from '../../../lib/validate.ts'

/** The ids of resources that earlier operations of a request created, by the local ids (`lid`) that the client gave them. */
export class LocalIds {
  readonly #ids = new Map<string, string>()

  /** @throws {AppError} `invalid` if the client used it for two resources of one type */
  add(type: string, lid: string, id: string): void {
    const key = keyOf(type, lid)
    if (this.#ids.has(key)) throw new AppError('invalid', { faults: [{ code: 'taken', pointer: '/data/lid' }] })
    this.#ids.set(key, id)
  }

  /** A resource object whose relationships name resources by ids. */
  resolveRelationships(data: unknown): unknown {
    if (!isJsonObject(data)) return data
    const { relationships } = data
    if (!isJsonObject(relationships)) return data
    const resolved = Object.entries(relationships).map(([name, value]) => {
      const at = `/data/relationships${toPointerStep(name)}/data`
      return [name, isJsonObject(value) && 'data' in value ? { ...value, data: this.resolveLinkage(value['data'], at) } : value]
    })
    return { ...data, relationships: Object.fromEntries(resolved) as JsonObject }
  }

  /** Resource identifiers, or one, or null. @throws {AppError} `not-found` for a local id that no earlier operation created */
  resolveLinkage(linkage: unknown, pointer: string): unknown {
    return Array.isArray(linkage)
      ? linkage.map((item: unknown, index) => this.resolveIdentifier(item, `${pointer}/${index}`))
      : this.resolveIdentifier(linkage, pointer)
  }

  /** @throws {AppError} `not-found` for a local id that no earlier operation created */
  resolveIdentifier(item: unknown, pointer: string): unknown {
    if (!isJsonObject(item) || item['lid'] === undefined || item['id'] !== undefined) return item
    const { lid, ...rest } = item
    const id = this.#ids.get(keyOf(item['type'], lid))
    if (id === undefined) throw new AppError('not-found', { pointer: `${pointer}/lid`, detail: { key: 'local-id-unknown' } })
    return { ...rest, id }
  }
}

const keyOf = (type: unknown, lid: unknown): string => JSON.stringify([type, lid])
