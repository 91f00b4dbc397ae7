import { AppError } from '../../lib/app-error.ts'
import { toTranslationsName } from '../../lib/api-client/resource-shape.ts'
import type { ContentLanguage } from '../../lib/languages.ts'
import { findTranslation, type Translated } from '../../lib/translated.ts'
import type { Ctx } from '../context.ts'
import { findTexts } from '../remembered-rows.ts'
import type { Registry } from './create-registry.ts'
import type { AnyResource, AnyRow, ErasedRelationship } from './implement.ts'
import { ResourceText } from './encode-document.ts'
import type { Loader } from './loader.ts'
import {
  API_BASE,
  type Linkage,
  MAX_INCLUDED,
  type PresentedResource,
  type RelationshipObject,
  resourceLink,
  type ResourceObject,
} from './protocol.ts'
import type { IncludeTree } from './parse-query.ts'
import { isInScope } from './token-scopes.ts'

interface PresentedEntry {
  resource: AnyResource
  row: AnyRow
  linkage: Record<string, Linkage>
}

/** Turns rows into resource objects: the requested fields, linkage the viewer may see, each included resource once. */
export class Presenter {
  readonly #ctx: Ctx
  readonly #registry: Registry
  readonly #loader: Loader
  readonly #fields: ReadonlyMap<string, ReadonlySet<string>>
  readonly #entries = new Map<string, PresentedEntry>()

  constructor(ctx: Ctx, registry: Registry, loader: Loader, fields: ReadonlyMap<string, ReadonlySet<string>> = new Map()) {
    this.#ctx = ctx
    this.#registry = registry
    this.#loader = loader
    this.#fields = fields
  }

  async present(
    resource: AnyResource,
    rows: readonly AnyRow[],
    include: IncludeTree,
  ): Promise<{ data: PresentedResource[]; included: PresentedResource[] }> {
    this.#loader.remember(resource.shape.type, rows)
    await this.#gather(resource, rows, include)
    const primary = new Set(rows.map((row) => keyOf(resource, row)))
    const data = [...primary].map((key) => this.#objectOf(key))
    const included = [...this.#entries.keys()].filter((key) => !primary.has(key)).map((key) => this.#objectOf(key))
    return { data, included }
  }

  /** Resolves the linkage of `rows`, then of their includes, level by level: one query per relationship and level. */
  async #gather(resource: AnyResource, rows: readonly AnyRow[], include: IncludeTree): Promise<void> {
    const entries = rows.map((row) => this.#entryOf(resource, row))
    for (const [name, relationship] of Object.entries(resource.shape.relationships)) {
      const branch = Object.hasOwn(include, name) ? include[name] : undefined
      const wanted = relationship.kind === 'to-one' && this.#shows(resource, name)
      if ((!branch && !wanted) || rows.length === 0) continue
      const targets = await this.#link(entries, name, branch !== undefined)
      const target = this.#registry.find(relationship.target)
      if (branch && target) await this.#gather(target, targets, branch)
    }
  }

  /** Records one relationship's linkage for all entries and returns the rows it leads to. */
  async #link(entries: readonly PresentedEntry[], name: string, needsRows: boolean): Promise<AnyRow[]> {
    const { resource } = entries[0] as PresentedEntry
    const relationship = resource.shape.relationships[name]
    const implementation = resource.implementation.relationships?.[name]
    if (!relationship || !implementation) return []
    const type = relationship.target
    const rows = entries.map((entry) => entry.row)
    const linked = implementation.id
      ? new Map(rows.map((row) => [row.id, implementation.id?.(row) ?? null]))
      : ((await implementation.ids?.(this.#ctx, rows)) ?? new Map<string, null>())
    const idsOf = (row: AnyRow): readonly string[] => [linked.get(row.id) ?? []].flat()
    const ids = new Set(rows.flatMap(idsOf))
    if (ids.size + this.#entries.size > MAX_INCLUDED) throw createTooManyError()
    const visible = this.#isTrusted(implementation, type, needsRows) ? undefined : await this.#loader.loadVisible(type, ids)
    for (const entry of entries) {
      const seen = idsOf(entry.row).filter((id) => visible === undefined || visible.has(id))
      const refs = seen.map((id) => ({ type, id }))
      entry.linkage[name] = relationship.kind === 'to-one' ? (refs[0] ?? null) : refs
    }
    return visible ? [...visible.values()] : []
  }

  /** Whether the rows themselves say that the viewer may see what they point to. */
  #isTrusted({ alwaysVisible }: ErasedRelationship, type: string, needsRows: boolean): boolean {
    if (!alwaysVisible || needsRows) return false
    return alwaysVisible !== 'in-scope' || isInScope(this.#ctx.viewer, type, 'read')
  }

  #entryOf(resource: AnyResource, row: AnyRow): PresentedEntry {
    const key = keyOf(resource, row)
    const known = this.#entries.get(key)
    if (known) return known
    const entry: PresentedEntry = { resource, row, linkage: {} }
    this.#entries.set(key, entry)
    return entry
  }

  #shows(resource: AnyResource, field: string): boolean {
    return this.#fields.get(resource.shape.type)?.has(field) ?? true
  }

  /** What a remembered row looks like depends on nothing but the row and what `#nameText` names: then it is made once. */
  #objectOf(key: string): PresentedResource {
    const entry = this.#entries.get(key) as PresentedEntry
    const can = entry.resource.implementation.can?.(this.#ctx, entry.row) ?? {}
    const texts = findTexts(entry.row)
    if (!texts) return this.#buildObject(entry, can)
    const name = this.#nameText(entry, can)
    let text = texts.get(name)
    if (!text) {
      text = new ResourceText(Buffer.from(JSON.stringify(this.#buildObject(entry, can))))
      texts.set(name, text)
    }
    return text
  }

  #nameText({ resource, linkage }: PresentedEntry, can: Readonly<Record<string, boolean>>): string {
    const { language, site } = this.#ctx
    const { type } = resource.shape
    let name = `${type} ${language} ${site.locale} `
    for (const action in can) name += can[action] ? '1' : '0'
    for (const relationship in linkage) {
      name += ` ${relationship}`
      for (const linked of [linkage[relationship] ?? []].flat()) name += ` ${linked.id}`
    }
    const fields = this.#fields.get(type)
    return fields ? `${name} / ${[...fields].join(' ')}` : name
  }

  #buildObject({ resource, row, linkage }: PresentedEntry, can: Readonly<Record<string, boolean>>): ResourceObject {
    const { shape, implementation } = resource
    const { attributes, languages } = this.#attributesOf(resource, row, can)
    const relationships = this.#relationshipsOf(resource, row, linkage)
    const meta = {
      can,
      ...(implementation.lockVersion ? { lockVersion: implementation.lockVersion(row) } : {}),
      ...(Object.keys(languages).length > 0 ? { languages } : {}),
    }
    const self = shape.kind === 'singleton' ? `${API_BASE}/${shape.type}` : resourceLink(shape.type, row.id)
    const links = shape.operations.includes('get') ? { links: { self } } : {}
    return { type: shape.type, id: row.id, attributes, ...(relationships ? { relationships } : {}), ...links, meta }
  }

  /** Only declared attributes. Translated ones appear in the answer's language, and in all languages for those who may edit. */
  #attributesOf(resource: AnyResource, row: AnyRow, can: Readonly<Record<string, boolean>>) {
    const given = resource.implementation.attributes(row, this.#ctx, can)
    const attributes: Record<string, unknown> = {}
    const languages: Record<string, ContentLanguage> = {}
    const setAttribute = (name: string, value: unknown) => {
      if (value !== undefined && this.#shows(resource, name)) attributes[name] = value
    }
    for (const [name, declared] of Object.entries(resource.shape.attributes)) {
      if (declared.kind === 'attribute') {
        if (declared.read !== false) setAttribute(name, given[name])
        continue
      }
      const translations = given[name] as Translated | undefined
      const shown = findTranslation(translations, this.#ctx.contentLanguage, this.#ctx.site.locale)
      setAttribute(name, shown?.text ?? '')
      if (can['update']) setAttribute(toTranslationsName(name), translations)
      if (shown && shown.language !== this.#ctx.contentLanguage && this.#shows(resource, name)) languages[name] = shown.language
    }
    return { attributes, languages }
  }

  #relationshipsOf({ shape }: AnyResource, row: AnyRow, linkage: Record<string, Linkage>): Record<string, RelationshipObject> | undefined {
    const fields = this.#fields.get(shape.type)
    const shown = Object.keys(shape.relationships).filter((name) => fields?.has(name) ?? true)
    if (shown.length === 0) return undefined
    const self = resourceLink(shape.type, row.id)
    const objects = shown.map((name): [string, RelationshipObject] => [
      name,
      { links: { self: `${self}/relationships/${name}`, related: `${self}/${name}` }, ...(name in linkage ? { data: linkage[name] } : {}) },
    ])
    return Object.fromEntries(objects)
  }
}

const createTooManyError = () =>
  new AppError('invalid-parameter', {
    parameter: 'include',
    detail: { key: 'too-many-included', values: { max: MAX_INCLUDED } },
  })

const keyOf = (resource: AnyResource, row: AnyRow): string => `${resource.shape.type}/${row.id}`
