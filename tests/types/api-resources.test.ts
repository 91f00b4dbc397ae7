import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, singletonShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import type {
  CreateFields,
  CreateInput,
  DocumentAttributes,
  FilterInput,
  FilterValues,
  IncludePath,
  Ref,
  Resource,
  SingletonName,
  TypeWith,
  UpdateFields,
} from '#app/lib/api-client/resource-types.ts'
import type { Translated } from '#app/lib/translated.ts'
import { implementResource, implementSingleton } from '#app/server/api/implement.ts'

const parkShape = resourceShape({
  type: 'parks',
  summary: 'Parks',
  operations: ['list', 'get', 'create', 'update'],
  locked: true,
  can: ['update', 'close'],
  attributes: {
    slug: attribute(v.string(), { create: 'required', update: true }),
    title: translated({ max: 50, create: 'required', update: true }),
    motto: translated({ max: 50 }),
    openedAt: attribute(v.nullable(v.string())),
    size: attribute(v.pipe(v.number(), v.transform(String)), { create: 'optional' }),
    note: attribute(v.string(), { read: 'sometimes' }),
    secret: attribute(v.string(), { read: false, create: 'optional' }),
  },
  relationships: {
    keeper: toOne('keepers', { create: 'required', update: true }),
    near: toOne('parks', { create: 'optional' }),
    trees: toMany('trees'),
  },
  filters: { q: filter.text(20), kind: filter.choices(['big', 'small']), open: filter.flag() },
  sorts: ['title', 'openedAt'],
})
const keeperShape = resourceShape({
  type: 'keepers',
  summary: 'Keepers',
  operations: ['get'],
  attributes: { name: attribute(v.string()) },
  relationships: { parks: toMany('parks') },
})
const treeShape = resourceShape({
  type: 'trees',
  summary: 'Trees',
  operations: ['list', 'get', 'put'],
  clientIds: true,
  attributes: { height: attribute(v.number(), { create: 'required' }) },
})
const weatherShape = singletonShape({
  type: 'weather',
  summary: 'Weather',
  attributes: { rain: attribute(v.boolean()) },
})
interface Garden {
  parks: typeof parkShape
  keepers: typeof keeperShape
  trees: typeof treeShape
  weather: typeof weatherShape
}

describe('types of a declared resource', () => {
  it('know what a document contains', () => {
    expectTypeOf<DocumentAttributes<typeof parkShape>>().toEqualTypeOf<{
      readonly slug: string
      readonly openedAt: string | null
      readonly size: number
      readonly note?: string
      readonly title: string
      readonly motto: string
      readonly titleTranslations?: Translated
      readonly mottoTranslations?: Translated
    }>()
    expectTypeOf<Resource<'parks', Garden>['relationships']['keeper']>().toEqualTypeOf<Ref<'keepers'> | null | undefined>()
    expectTypeOf<Resource<'parks', Garden>['meta']['can']>().toEqualTypeOf<Readonly<Record<'update' | 'close', boolean>>>()
  })

  it('know what may be sent and what a use-case receives', () => {
    expectTypeOf<CreateFields<typeof parkShape>>().toEqualTypeOf<{
      readonly attributes: {
        readonly slug: string
        readonly titleTranslations: Translated
        readonly size?: number
        readonly secret?: string
      }
      readonly relationships: { readonly keeper: Ref<'keepers'>; readonly near?: Ref<'parks'> | null }
    }>()
    expectTypeOf<UpdateFields<typeof parkShape>>().toEqualTypeOf<{
      readonly attributes?: { readonly slug?: string; readonly titleTranslations?: Translated }
      readonly relationships?: { readonly keeper?: Ref<'keepers'> }
    }>()
    expectTypeOf<CreateInput<typeof parkShape>['size']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<CreateInput<typeof parkShape>['id']>().toEqualTypeOf<string>()
    expectTypeOf<CreateFields<typeof treeShape>>().toEqualTypeOf<{
      readonly attributes: { readonly height: number }
      readonly id?: string
    }>()
  })

  it('know filters and includes', () => {
    expectTypeOf<FilterValues<typeof parkShape>>().toEqualTypeOf<{
      readonly q?: string
      readonly kind?: 'big' | 'small' | readonly ('big' | 'small')[]
      readonly open?: boolean
    }>()
    expectTypeOf<FilterInput<typeof parkShape>>().toEqualTypeOf<{
      readonly q?: string
      readonly kind?: ('big' | 'small')[]
      readonly open?: boolean
    }>()
    expectTypeOf<'keeper.parks.trees'>().toExtend<IncludePath<typeof parkShape, Garden>>()
    expectTypeOf<'keeper.trees'>().not.toExtend<IncludePath<typeof parkShape, Garden>>()
  })

  it('know which types offer an operation', () => {
    expectTypeOf<TypeWith<'list', Garden>>().toEqualTypeOf<'parks' | 'trees'>()
    expectTypeOf<TypeWith<'put', Garden>>().toEqualTypeOf<'trees'>()
    expectTypeOf<SingletonName<Garden>>().toEqualTypeOf<'weather'>()
  })
})

describe('types of an implementation', () => {
  interface ParkRow {
    id: string
    slug: string
    title: Translated
    opened: Date | null
    keeperId: string
    lock: number
  }
  const rows: ParkRow[] = []
  const byId = async (ids: readonly string[]) => rows.filter((row) => ids.includes(row.id))

  it('follow from the shape and from what `load` returns', () => {
    implementResource(parkShape, {
      load: (_ctx, ids) => byId(ids),
      list: async (_ctx, query) => {
        expectTypeOf(query.filter.kind).toEqualTypeOf<('big' | 'small')[] | undefined>()
        expectTypeOf(query.sort[0]?.by).toEqualTypeOf<'title' | 'openedAt' | undefined>()
        return { rows, total: 0 }
      },
      can: (ctx, row) => ({ update: row.keeperId === '', close: ctx.viewer.kind === 'user' }),
      lockVersion: (row) => row.lock,
      attributes: (row) => ({
        slug: row.slug,
        title: row.title,
        motto: {},
        openedAt: row.opened,
        size: 3,
      }),
      relationships: {
        keeper: { id: (row) => row.keeperId },
        near: { ids: async () => new Map<string, string | null>() },
        trees: { ids: async () => new Map<string, string[]>() },
      },
      create: async (_ctx, input) => {
        expectTypeOf(input.keeper).toEqualTypeOf<string>()
        return input.id
      },
      update: async (_ctx, row, input, lock) => {
        expectTypeOf(lock.version).toEqualTypeOf<number>()
        expectTypeOf(input.titleTranslations).toEqualTypeOf<Translated | undefined>()
        return row
      },
    })
    implementResource(keeperShape, {
      load: async () => [{ id: 'a', name: 'x' }],
      attributes: (row) => ({ name: row.name }),
      relationships: { parks: { ids: async () => new Map<string, string[]>() } },
    })
    implementSingleton(weatherShape, {
      read: async () => ({ id: 'now', wet: true }),
      attributes: (row) => ({ rain: row.wet }),
    })
  })

  it('refuse a missing operation, attribute, relationship or ability', () => {
    const attributes = (row: ParkRow) => ({
      slug: row.slug,
      title: row.title,
      motto: {},
      openedAt: row.opened,
      size: 3,
    })
    const load = (_ctx: unknown, ids: readonly string[]) => byId(ids)
    // @ts-expect-error list, create, update, can, lockVersion and relationships are missing
    implementResource(parkShape, { load, attributes })
    implementResource(treeShape, {
      load,
      list: async () => ({ rows, total: 0 }),
      put: async () => ({ created: true, row: '' }),
      // @ts-expect-error the attribute has another type
      attributes: () => ({ height: 'tall' }),
    })
    // @ts-expect-error the attribute is missing
    implementSingleton(weatherShape, { read: async () => ({ id: 'now' }), attributes: () => ({}) })
    expectTypeOf(attributes).parameter(0).toEqualTypeOf<ParkRow>()
  })
})
